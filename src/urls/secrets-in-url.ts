// Recognises URLs that seem to carry credentials: session ids, tokens, signatures, passwords. A page at such a URL belongs
// to the team that fetched it, so a false alarm only costs sharing, and doubtful cases count as credentials.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../util/lazy.ts';

const FILE = join(import.meta.dirname, '../../data/secret-parameters.json');

interface ParametersFile {
  words: string[];
  endings: string[];
  names: string[];
  namesOfTokens: string[];
}

const parameters = lazy(() => {
  const { words, endings, names, namesOfTokens } = JSON.parse(readFileSync(FILE, 'utf8')) as ParametersFile;
  return { words: new Set(words), endings, names: new Set(names), namesOfTokens: new Set(namesOfTokens) };
});

/** Most URLs have none of these, and are decided at once. */
const MAY_CARRY = /[?#;@]/;
const USERINFO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*@/i;
/** A parameter may hold a URL that has parameters of its own. */
const MAX_NESTING = 3;
/** Nobody writes more by hand. URLs with more count as secret unread: a page may have thousands of such links. */
const MAX_PARAMETERS = 64;
const JWT = /^eyJ[\w-]{6,}\.[\w-]{4,}\.[\w-]*$/;
/** Keys of well-known services, which have a fixed beginning. */
const KNOWN_KEY =
  /^(?:AKIA|ASIA|AIza|gh[pousr]_|github_pat_|xox[abps]-|sk-|sk_live_|rk_live_|glpat-|ya29\.|fc-)[\w-]{10,}$/;
/** Values this long that look random count whatever the name of their parameter is. */
const LONG_VALUE = 20;
const SHORT_VALUE = 8;
const LONG_WORD = /^[a-z0-9]{16,}$/i;

/** Reads the query, the fragment, parameters in the path (`;jsessionid=...`) and user names. */
export function carriesSecret(url: string): boolean {
  return MAY_CARRY.test(url) && (USERINFO.test(url) || hasSecretParameter(url, 0));
}

function hasSecretParameter(text: string, nesting: number): boolean {
  const [, ...parts] = text.split(/[?#&;]/);
  if (parts.length > MAX_PARAMETERS) return true;
  return parts.some((part) => {
    const at = part.indexOf('=');
    if (at === -1) return isSecretValue(decode(part), nesting);
    const value = decode(part.slice(at + 1));
    return value !== '' && (isSecretName(decode(part.slice(0, at)), value) || isSecretValue(value, nesting));
  });
}

function isSecretName(name: string, value: string): boolean {
  const { words, endings, names, namesOfTokens } = parameters();
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const compact = parts.join('');
  return (
    parts.some((word) => words.has(word)) ||
    names.has(compact) ||
    endings.some((ending) => compact.endsWith(ending)) ||
    (namesOfTokens.has(compact) && (isRandom(value, SHORT_VALUE) || LONG_WORD.test(value)))
  );
}

const isSecretValue = (value: string, nesting: number): boolean =>
  JWT.test(value) ||
  KNOWN_KEY.test(value) ||
  isRandom(value, LONG_VALUE) ||
  (nesting < MAX_NESTING && MAY_CARRY.test(value) && (USERINFO.test(value) || hasSecretParameter(value, nesting + 1)));

/** Letters and digits in turns, as no word or date has them. Hyphens and points separate words, or the groups of a UUID. */
function isRandom(value: string, fewest: number): boolean {
  if (value.length < fewest || !/^[\w+/=.~:-]+$/.test(value)) return false;
  const turns = value.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0;
  return turns >= Math.min(4, fewest / 4) && (turns >= 4 || !/[-_.]/.test(value));
}

/** A URL within a URL may be encoded more than once. */
function decode(text: string): string {
  let decoded = text;
  for (let times = 0; times < MAX_NESTING && decoded.includes('%'); times++) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      break;
    }
  }
  return decoded;
}
