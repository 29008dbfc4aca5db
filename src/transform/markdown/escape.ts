// Text as Markdown that reads as that text: a character is escaped only where it would mean something.

const SUSPECT = /[\\`*_[\]<&~]/;
const SUSPECTS = /[\\`*_[\]<&~]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const REFERENCE = /^&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/i;
// What would start a heading, quote, list, rule, fence or setext underline.
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+\s*$|-{2,}\s*$|(?:_\s*){3,}$|~{3}|\d{1,9}[.)](?=\s|$))/;

/** Escapes a piece of running text. Neighbours outside the piece are unknown, so its ends count as letters. */
export function escapeText(text: string, insideLink: boolean): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SUSPECTS, (char, at: number) => (means(char, text, at, insideLink) ? `\\${char}` : char));
}

function means(char: string, text: string, at: number, insideLink: boolean): boolean {
  const before = text[at - 1] ?? 'x';
  const after = text[at + 1] ?? 'x';
  switch (char) {
    case '\\':
      return at + 1 === text.length || PUNCTUATION.test(after);
    case '*':
      return !(before === ' ' && after === ' ');
    case '_':
      return !(before === ' ' && after === ' ') && !(at > 0 && WORD.test(before) && WORD.test(after));
    case '[':
      return insideLink;
    case ']':
      return insideLink || after === '(' || after === '[' || after === ':';
    case '<':
      return at + 1 < text.length && /[a-z/!?]/i.test(after);
    case '&':
      return REFERENCE.test(text.slice(at, at + 40));
    case '~':
      return before === '~' || after === '~';
    default:
      return true;
  }
}

/** Escapes what only means something at the start of a line. */
export function escapeLineStart(line: string): string {
  const start = LINE_START.exec(line)?.[0];
  if (start === undefined) return line;
  // In an ordered marker the digits cannot be escaped, the sign after them can.
  const sign = /^\d/.test(start) ? start.length - 1 : 0;
  return `${line.slice(0, sign)}\\${line.slice(sign)}`;
}

/** Backticks around code: one more than the longest run inside. */
export function fenceFor(code: string, atLeast: number): string {
  let longest = atLeast - 1;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** A link target that ends where it should: parentheses balanced, else in angle brackets. */
export function linkTarget(url: string): string {
  let depth = 0;
  for (const char of url) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 && !/\s/.test(url) ? url : `<${url.replace(/[<>\n]/g, encodeURIComponent)}>`;
}

export const linkTitle = (title: string): string => `"${title.replace(/\s+/g, ' ').trim().replace(/[\\"]/g, '\\$&')}"`;
