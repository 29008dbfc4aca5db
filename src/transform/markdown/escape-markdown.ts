// Escapes text for Markdown: a character is escaped only where it would have a meaning.

const SUSPECT = /[\\`*_[\]<&~]/;
const SUSPECTS = /[\\`*_[\]<&~]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const REFERENCE = /^&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/i;
const REFERENCES = /&(?=(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;
// Starts a heading, quote, list, rule, fence or setext underline.
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+\s*$|-{2,}\s*$|(?:_\s*){3,}$|~{3}|\d{1,9}[.)](?=\s|$))/;

/**
 * Escapes a piece of running text. `before` and `after` are the characters around it; if the caller does not know them,
 * they count as letters, or as the end of the link.
 */
export function escapeText(text: string, insideLink: boolean, before = 'x', after = insideLink ? ']' : 'x'): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SUSPECTS, (char, at: number) =>
    hasMeaning(char, text, at, insideLink, at === 0 ? before : text[at - 1]!, text[at + 1] ?? after)
      ? `\\${char}`
      : char,
  );
}

function hasMeaning(
  char: string,
  text: string,
  at: number,
  insideLink: boolean,
  before: string,
  after: string,
): boolean {
  switch (char) {
    case '\\':
      return PUNCTUATION.test(after);
    case '*':
      return !(isSpace(before) && isSpace(after));
    case '_':
      return !(isSpace(before) && isSpace(after)) && !(WORD.test(before) && insideWord(text, at, after));
    case '[':
      return insideLink || after === '^';
    case ']':
      return insideLink || after === '(' || after === '[' || after === ':';
    case '<':
      return /[a-z/!?]/i.test(after);
    case '&':
      return REFERENCE.test(text.slice(at, at + 40));
    case '~':
      return before === '~' || after === '~';
    default:
      return true;
  }
}

const isSpace = (char: string): boolean => char === ' ' || char === '';
const insideWord = (text: string, at: number, after: string): boolean => at + 1 < text.length && WORD.test(after);

/** Escapes what has a meaning only at the start of a line. */
export function escapeLineStart(line: string): string {
  const start = LINE_START.exec(line)?.[0];
  if (start === undefined) return line;
  // Digits cannot be escaped, but the sign after them can.
  const sign = /^\d/.test(start) ? start.length - 1 : 0;
  return `${line.slice(0, sign)}\\${line.slice(sign)}`;
}

/** Number signs at the end of a heading would be parsed as its closing sequence. */
export const escapeHeadingEnd = (text: string): string => text.replace(/(^| )(#{1,1000})$/, '$1\\$2');

/** The backticks around code: one more than the longest run inside, but at least `atLeast`. */
export function fenceFor(code: string, atLeast: number): string {
  let longest = atLeast - 1;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** A code span, padded with spaces if the code begins or ends with a backtick. */
export function codeSpan(code: string): string {
  const fence = fenceFor(code, 1);
  const padded = /^`|`$/.test(code) || (/^ .* $/.test(code) && code.trim() !== '');
  return padded ? `${fence} ${code} ${fence}` : fence + code + fence;
}

/** A link target with balanced parentheses, else in angle brackets. */
export function linkTarget(url: string): string {
  const safe = /[\\&]/.test(url) ? url.replaceAll('\\', '%5C').replace(REFERENCES, '&amp;') : url;
  let depth = 0;
  for (let at = 0; at < safe.length && depth >= 0; at++) {
    const code = safe.charCodeAt(at);
    if (code === 40) depth += 1;
    else if (code === 41) depth -= 1;
  }
  return depth === 0 && !/[\s<>]/.test(safe) ? safe : `<${safe.replace(/[<>\n]/g, encodeURIComponent)}>`;
}

export const linkTitle = (title: string): string =>
  `"${title.replace(/\s+/g, ' ').trim().replace(/[\\"]/g, '\\$&').replace(REFERENCES, '&amp;')}"`;
