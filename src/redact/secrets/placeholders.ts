// Values that look like secrets but are not: what documentation writes in their place, hashes, ids, code.

/** Written in one case, so that no random text contains them by chance. */
const WORDS =
  'example sample placeholder your votre jouw inser changeme change-me change_me dummy fake foobar redacted hidden masked insert replace todo xxxxx secret_here secret-here not-real notreal';
const SAYS_SO = new RegExp(
  WORDS.split(' ')
    .flatMap((word) => [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)])
    .join('|'),
);
const IS_WORD =
  /^(?:(?:test|demo|user|admin|root|guest|default|none|null|nil|true|false|undefined|string|pass|pwd|password|passwort|passwd|secret|token|apikey|api[-_]key|required|optional)[-_]?\d{0,4}|my[-_]?(?:api|secret|token|pass|key).*|.*[-_]here|s3cr3t|p4ssw0rd|passw0rd|hunter2|p(?:@|%40)ss|x+)$|\.\.\.|…/i;
/** Variables and templates: $TOKEN, ${TOKEN}, {{ token }}, <token>, %TOKEN%, [TOKEN], :token. */
const VARIABLE = /^(?:\$|%[A-Z_]+%|\{|<|\[|#\{|@|&|:[a-z])|\}\}|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Code that reads the value from elsewhere. */
const CODE =
  /^(?:process|os|env|config|settings|secrets?|self|this|vault|params?|request|req|ctx|var|data|input|args|options|new|await|function|get[A-Z_]|read|load)\b|[()]|^[a-z_]+\.[a-z_.]+$|=>|::|^\//i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INTEGRITY = /^(?:sha(?:1|256|384|512)|md5)[-:=]/i;
const SEQUENCES = '01234567890abcdefghijklmnopqrstuvwxyz';
/** This long a part of a sequence was typed, not generated. */
const SEQUENCE_LENGTH = 8;

export const isPlaceholder = (value: string): boolean => isWritten(value) || isSequence(value.toLowerCase());

/** Words, variables and repeated characters, which nobody generates. */
export function isWritten(value: string): boolean {
  if (SAYS_SO.test(value) || IS_WORD.test(value) || VARIABLE.test(value) || /[*\u2022]{3}/.test(value)) return true;
  return new Set(value).size <= Math.max(2, value.length / 8);
}

function isSequence(value: string): boolean {
  for (let at = 0; at + SEQUENCE_LENGTH <= value.length; at++) {
    if (SEQUENCES.includes(value.slice(at, at + SEQUENCE_LENGTH))) return true;
  }
  return false;
}

export const isCode = (value: string): boolean => CODE.test(value);
export const isUuid = (value: string): boolean => UUID.test(value);
export const isIntegrityHash = (value: string): boolean => INTEGRITY.test(value);

/** Shannon entropy in bits per character. Words have about 2.5 to 3.2, random letters and digits of 20 characters over 3.5. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
