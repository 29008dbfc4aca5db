// E-mail addresses: around each @ (also as %40 in links), and spelled out as "name (at) example.org".
import { isLetterOrDigit } from '../context.ts';
import type { Finding } from '../finding.ts';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL = /[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~\\-]/u;
/** What may stand before an address without belonging to it. */
const NOT_LEADING = /^[^\p{L}\p{N}_+]+/u;
const DOMAIN = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}-]{0,62}(?:\.[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}-]{0,62}){1,8}/uy;
const TOP_LEVEL = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{2,60})$/iu;
/** `logo@2x.png` and `app@1.2.js` are files. */
const FILE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|json|html?|php|py|rb|go|md|txt|pdf|zip|gz|woff2?|ttf|mp[34])$/i;
const SSH_PATH = /^:[\w.~/-]/;

const AT_SIGN = /@|%40|\uff20/gi;

/** "(at)" in brackets and in several languages. */
const BRACKETED_AT =
  /[ \t]{0,2}[([{<][ \t]{0,2}(?:at|@|ät|a|arroba|arobase|chiocciola|apenstaartje|klammeraffe)[ \t]{0,2}[)\]}>][ \t]{0,2}/giu;
const SPELLED_AT = /[ \t](?:at|arroba|arobase|chiocciola)[ \t]/giu;
const SPELLED_DOMAIN =
  /[\p{L}\p{N}-]{1,63}(?:(?:\.|[ \t]{0,2}[([{<][ \t]{0,2}(?:dot|\.|punkt|point|punto|punt)[ \t]{0,2}[)\]}>][ \t]{0,2}|[ \t](?:dot|punkt|point|punto|punt)[ \t])[\p{L}\p{N}-]{1,63}){1,5}/iuy;
const SPELLED_DOT = /[([{< \t](?:dot|punkt|point|punto|punt)[)\]}> \t]/iu;

export function findEmails(text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of text.matchAll(AT_SIGN)) {
    const finding = addressAround(text, match.index, match.index + match[0].length);
    if (finding) found.push(finding);
  }
  for (const match of text.matchAll(BRACKETED_AT)) found.push(...spelledAround(text, match, 0.8));
  for (const match of text.matchAll(SPELLED_AT)) found.push(...spelledAround(text, match, 0.4));
  return found;
}

function addressAround(text: string, at: number, after: number): Finding | undefined {
  const isEncoded = text[at] === '%';
  const start = localStart(text, at, isEncoded);
  if (start === at || text[at - 1] === '.' || at - start > MAX_LOCAL) return undefined;
  const domain = domainAt(text, after);
  if (domain === undefined) return undefined;
  const before = text[start - 1];
  // `@user@host` is an account of a network, `user:password@host` a URL with credentials.
  if (before === '@' || (before === ':' && isUserinfo(text, start))) return undefined;
  const end = after + domain.length;
  if (text.slice(start, at) === 'git' && SSH_PATH.test(text.slice(end, end + 2))) return undefined;
  return { start, end, entity: 'EMAIL', rule: 'email', score: 0.95 };
}

function localStart(text: string, at: number, isEncoded: boolean): number {
  let start = at;
  const first = Math.max(0, at - MAX_LOCAL - 1);
  while (start > first && isLocal(text, start - 1, isEncoded)) start--;
  const local = text.slice(start, at);
  // A link, a path or a parameter before the address: /contact/name@..., ?to=name@..., &amp;to=...
  const cut = Math.max(
    ...['/', '=', '?', '&', '|', '`', '{', '}', '!', '#', '$', '^'].map((sign) => local.lastIndexOf(sign)),
  );
  const own = local.slice(cut + 1);
  return at - own.length + (NOT_LEADING.exec(own)?.[0].length ?? 0);
}

function isLocal(text: string, at: number, isEncoded: boolean): boolean {
  const character = text[at]!;
  // Inside a query, & and = separate parameters; a backslash only escapes an underscore of Markdown.
  if (character === '\\') return text[at + 1] === '_';
  if (isEncoded && (character === '=' || character === '&')) return false;
  return LOCAL.test(character) || isSurrogate(character);
}

const isSurrogate = (character: string): boolean => character >= '\ud800' && character <= '\udfff';

function domainAt(text: string, at: number): string | undefined {
  DOMAIN.lastIndex = at;
  const match = DOMAIN.exec(text)?.[0];
  if (match === undefined || match.length > MAX_DOMAIN) return undefined;
  const domain = match.replace(/-+$/, '');
  return TOP_LEVEL.test(domain) && !FILE.test(domain) ? domain : undefined;
}

function isUserinfo(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  return /:\/\/[^\s/@]*:$/.test(before);
}

function spelledAround(text: string, match: RegExpMatchArray & { index: number }, score: number): Finding[] {
  const at = match.index;
  const start = localStart(text, at, false);
  if (start === at || at - start > MAX_LOCAL || text[at - 1] === '.') return [];
  SPELLED_DOMAIN.lastIndex = at + match[0].length;
  const domain = SPELLED_DOMAIN.exec(text)?.[0];
  if (domain === undefined) return [];
  const end = at + match[0].length + domain.length;
  const topLevel = /[\p{L}\p{N}-]+$/u.exec(domain)?.[0] ?? '';
  // "at example.org" without a spelled dot is a sentence: "meet us at example.org".
  if (!/^\p{L}{2,24}$/u.test(topLevel) || isLetterOrDigit(text[end])) return [];
  if (score < 0.5 && !SPELLED_DOT.test(domain)) return [];
  return [{ start, end, entity: 'EMAIL', rule: 'spelled-email', score }];
}
