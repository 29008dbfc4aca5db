// Secrets without a form of their own: values that are assigned to a name which says what they are, passwords in URLs and
// commands, tokens in headers.
import { NOT_AFTER_WORD, urlBefore } from '../context.ts';
import type { Finding } from '../finding.ts';
import { entropy, isCode, isIntegrityHash, isPlaceholder, isUuid } from './placeholders.ts';

const PASSWORD_NAME =
  'pass(?:word|wd|wort|phrase|code)?|pwd|kennwort|\\p{L}{1,20}(?:passwor[dt]|kennwort|wachtwoord)|mot[ _\\u00a0]de[ _\\u00a0]passe|mdp|contrase(?:ñ|n\\u0303?)a|clave|parola|wachtwoord|senha|has[łl]o|psk|wpa[ -]?key|wi-?fi[ -]?key|wlan-?schl[üu]ssel|密码|密碼|パスワード|비밀번호';
const KEY_NAME =
  '(?:api|access|secret|auth|private|encryption|signing|master|license|service|account|storage|admin|app|application|consumer|subscription|deploy|webhook)[ _.-]?(?:access[ _-]?)?(?:key|secret|token)s?|(?:client|app|shared|consumer|webhook|jwt|session|cookie|hmac|signing)[ _-]?secret|secret|apikey|token|credentials?|signature|x-amz-signature|api[ _-]?schl[üu]ssel|cl[ée][ _]api|clave[ _](?:de[ _])?api|chiave[ _]api|api[ _-]?sleutel';
/** Where a name may begin: at a word, or at a capital inside one, as in `dbPassword`. */
const NAME_START = `(?:${NOT_AFTER_WORD}|(?<=_)|(?<=(?-i:[a-z]))(?=(?-i:[A-Z])))`;
/** A name, perhaps quoted, then `:` or `=` (or the border of a cell), then the value. */
const ASSIGNMENT = new RegExp(
  `${NAME_START}(?:(?<password>${PASSWORD_NAME})|(?<key>${KEY_NAME}))[\\])"'\`*_\\p{Zs}]{0,4}(?:value ?)?(?<sign>:=|=>|={1,2}|[:：]|\\||%3D|(?:is|ist|lautet|est|es|è)(?=[ :]):?)[\\p{Zs}\\t"'\`*_|«„“]{0,6}(?<value>[^\\s"'\`<>|,;)\\]}«»“”，。；、]{4,500})`,
  'giu',
);
const QUOTES = new Set(['"', "'", '`', '«', '„', '“']);
const URL_CREDENTIALS = /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/:@"'<>()]{0,64}:([^\s/@"'<>]{3,200}))@[\p{L}\p{N}[]/giu;
const BEARER =
  /(?<![\p{L}\p{N}])(?:bearer|basic|authorization:\s{0,3}token|x-api-key:|x-auth-token:)\s{1,3}["']?([A-Za-z0-9._~+/-]{16,4000}={0,2})/giu;
const COMMANDS: readonly RegExp[] = [
  /(?<!\S)--?(?:password|passwd|pass|token|api-key|secret)[ =]["']?([^\s"'`-][^\s"'`]{5,200})/gi,
  /(?<!\S)(?:mysql|mysqldump|mariadb)\s[^\n]{0,80}?\s-p([^\s"'`]{6,100})/g,
  /(?<!\S)sshpass\s+-p\s*["']?([^\s"'`]{4,100})/g,
  /(?<!\S)curl\s[^\n]{0,120}?(?:-u|--user)[ =]["']?([^\s:"'`]{1,64}:[^\s"'`]{4,200})/g,
  /(?<!\S)login\s+\S{1,64}\s+password\s+(\S{4,100})/g,
];
const MIN_KEY = 16;
const MIN_PASSWORD = 6;
const MIN_ENTROPY = 3;

export function findAssignedSecrets(text: string): Finding[] {
  const found: Finding[] = [];
  const add = (start: number, length: number, rule: string, score: number) => {
    if (score > 0) found.push({ start, end: start + length, entity: 'SECRET', rule, score });
  };
  for (const match of text.matchAll(ASSIGNMENT)) {
    const { password, sign, value: written = '' } = match.groups!;
    const value = parameterOf(text, match, written).replace(/[.:!?\\]+$/, (end) =>
      password && end === '!' ? '!' : '',
    );
    const start = match.index + match[0].length - written.length;
    const isQuoted = QUOTES.has(text[start - 1]!);
    if (sign === '|' && !isCellOf(text, start)) continue;
    const score = password ? passwordScore(value, isQuoted) : keyScore(value);
    add(start, value.length, password ? 'password' : 'key', score);
  }
  for (const match of text.matchAll(URL_CREDENTIALS)) {
    const start = match.index + match[0].indexOf(match[1]!);
    if (!isPlaceholder(match[2]!) && !/^\d{1,5}$/.test(match[2]!)) add(start, match[1]!.length, 'url-credentials', 0.9);
  }
  for (const match of text.matchAll(BEARER)) {
    add(match.index + match[0].lastIndexOf(match[1]!), match[1]!.length, 'bearer', keyScore(match[1]!));
  }
  for (const command of COMMANDS) {
    for (const match of text.matchAll(command)) {
      const password = match[1]!.slice(match[1]!.indexOf(':') + 1);
      add(match.index + match[0].lastIndexOf(match[1]!), match[1]!.length, 'command', passwordScore(password, true));
    }
  }
  return found;
}

/** In a URL the value ends with its parameter. Keys have none of these signs, passwords may. */
const parameterOf = (text: string, match: RegExpExecArray, written: string): string =>
  match.groups!.password !== undefined && urlBefore(text, match.index) === undefined
    ? written
    : written.split(/[&#]/, 1)[0]!;

/** A cell whose row has only the label before it: `| Password | x |`. */
const isCellOf = (text: string, start: number): boolean =>
  text
    .slice(start, start + 120)
    .split('\n', 1)[0]!
    .includes('|');

/** People choose passwords, so their entropy says little; that they mix letters with digits or signs says more. */
function passwordScore(value: string, isQuoted: boolean): number {
  if (value.length < MIN_PASSWORD || isPlaceholder(value) || isCode(value)) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(value)).length;
  const isMixed = /\d/.test(value) ? kinds >= 2 : kinds >= 3 && /[^\p{L}\d.-]/u.test(value);
  if (!isMixed) return isQuoted && value.length >= 8 ? 0.4 : 0;
  return isQuoted ? 0.8 : 0.7;
}

function keyScore(value: string): number {
  if (value.length < MIN_KEY || isPlaceholder(value) || isIntegrityHash(value) || isCode(value)) return 0;
  if (/^https?:/i.test(value)) return 0;
  if (isUuid(value)) return 0.5;
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  return isMixed && entropy(value) >= MIN_ENTROPY ? 0.8 : 0;
}
