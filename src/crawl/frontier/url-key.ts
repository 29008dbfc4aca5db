// Deduplication keys: two URLs with the same key are the same page. Runs for every link, so it avoids parsing again.
import { isIgnoredParameter } from '../../urls/ignored-parameters.ts';

export interface KeyRules {
  /** Ignore differences that servers usually ignore: scheme, www, index files, case, tracking parameters. */
  similar: boolean;
  ignoreQuery: boolean;
}

const SLASH = 0x2f;
const INDEX_FILE = /^(?:index|default)\.(?:x?html?|shtml?|php\d?|aspx?|jspx?|cfm|cgi|pl)$/;
const LONGEST_INDEX_FILE = 'default.xhtml'.length;
// Not after a dot: without the session id the segment could read as `..`, which is another folder.
const SESSION_IN_PATH = /(?<!\.);jsessionid=[^/;]*/g;

/** `host[:port]/path?query`, preceded by the scheme unless similar URLs are merged. */
export function urlKey(url: URL, rules: KeyRules): string {
  const search = rules.ignoreQuery ? '' : url.search;
  const query = search === '' ? '' : queryKey(search, rules.similar);
  const { port } = url;
  if (rules.similar) {
    // Scheme and default ports are ignored together: no host serves different sites on its two default ports.
    const portSuffix = port === '' || port === '80' || port === '443' ? '' : `:${port}`;
    return bareName(url.hostname) + portSuffix + similarPath(url.pathname) + query;
  }
  const portSuffix = port === '' ? '' : `:${port}`;
  return `${url.protocol}//${withoutRootDot(url.hostname)}${portSuffix}${normaliseEscapes(url.pathname)}${query}`;
}

export function withoutFragment({ href }: URL): string {
  const hash = href.indexOf('#');
  return hash === -1 ? href : href.slice(0, hash);
}

/** The host name without `www.` and the root dot, which do not make a different site. */
export function bareName(hostname: string): string {
  let name = withoutRootDot(hostname);
  while (name.startsWith('www.') && name.includes('.', 4)) name = name.slice(4);
  return name;
}

function withoutRootDot(hostname: string): string {
  let end = hostname.length;
  while (end > 1 && hostname[end - 1] === '.') end--;
  return end === hostname.length ? hostname : hostname.slice(0, end);
}

/** The path in lower case, without session ids, double slashes, index files and the trailing slash. */
export function similarPath(pathname: string): string {
  let path = normaliseEscapes(pathname.toLowerCase(), true);
  if (path.includes(';')) path = path.replace(SESSION_IN_PATH, '');
  if (path.includes('//')) path = path.replace(/\/{2,}/g, '/');
  return withoutIndexFile(path);
}

function withoutIndexFile(path: string): string {
  let end = path.length;
  for (;;) {
    while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
    const name = path.lastIndexOf('/', end - 1) + 1;
    const isIndexFile = end - name <= LONGEST_INDEX_FILE && INDEX_FILE.test(path.slice(name, end));
    if (!isIndexFile) return end === path.length ? path : path.slice(0, end);
    end = name;
  }
}

function queryKey(search: string, similar: boolean): string {
  const query = normaliseEscapes(search);
  const parameters: { name: string; text: string }[] = [];
  let isSorted = true;
  for (const text of query.slice(1).split('&')) {
    if (text === '') continue;
    const equals = text.indexOf('=');
    const name = equals === -1 ? text : text.slice(0, equals);
    if (similar && isIgnoredParameter(name, equals === -1 ? '' : text.slice(equals + 1))) continue;
    isSorted &&= parameters.length === 0 || parameters.at(-1)!.name <= name;
    parameters.push({ name, text });
  }
  if (parameters.length === 0) return '';
  // The sort is stable: repeated parameters keep their order, which can be significant.
  if (!isSorted) parameters.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  let key = `?${parameters[0]!.text}`;
  for (let i = 1; i < parameters.length; i++) key += `&${parameters[i]!.text}`;
  return key;
}

/** Gives each character one spelling: unreserved ones decoded, others as upper-case escapes, a stray `%` as `%25`. */
function normaliseEscapes(text: string, lowerCase = false): string {
  if (!text.includes('%')) return text;
  return text.replace(/%(?:[0-9a-f]{2})?/gi, (escaped) => {
    if (escaped.length === 1) return '%25';
    const char = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    if (!/[\w.~-]/.test(char)) return escaped.toUpperCase();
    return lowerCase ? char.toLowerCase() : char;
  });
}
