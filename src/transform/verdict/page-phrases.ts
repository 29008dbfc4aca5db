// Counts the words of a text and looks for phrases in it.

/** Lower case, straight quotes, single spaces: for comparing page texts with phrases. */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/[‘’ʼ´`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Scripts without spaces between words: two characters count as a word. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x0e00 && code <= 0x0e7f)
  );
}

const isSpace = (code: number) => code <= 32 || code === 0xa0 || code === 0x3000;
const isAsciiLetterOrDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Counts runs that contain a letter or digit, so that separators such as "|" or "•" are not words. */
export function countWords(text: string): number {
  let words = 0;
  let unspaced = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) inWord = false;
    else if (isUnspaced(code)) {
      unspaced += 1;
      inWord = false;
    } else if (!inWord && (isAsciiLetterOrDigit(code) || (code >= 0xc0 && (code < 0x2000 || code > 0x2bff)))) {
      words += 1;
      inWord = true;
    }
  }
  return words + Math.ceil(unspaced / 2);
}

export function saysAny(text: string, phrases: readonly string[]): boolean {
  return text !== '' && phrases.some((phrase) => text.includes(phrase));
}

/** Does one part of the title consist mostly of one of the phrases? */
export function titleSays(title: string, phrases: readonly string[]): boolean {
  return titleParts(title).some((part) => isMostly(part, phrases));
}

/** Headings rarely contain the name of the site, so they are only split into sentences. */
export function headingSays(heading: string, phrases: readonly string[]): boolean {
  return heading.split(/[.!?…。！？|]+/).some((sentence) => isMostly(sentence.trim(), phrases));
}

/** Splits "Page not found | The Shop - Home" into its parts. */
export function titleParts(title: string): string[] {
  return title
    .split(/\s+[-~/]+\s+|[|·•»›:：｜–—!]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

// "Page not found" with little else is a statement; a longer heading is about such pages.
const MAX_SLACK = 24;

function isMostly(statement: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => {
    const slack = Math.min(MAX_SLACK, phrase.length);
    return statement.length <= phrase.length + slack && hasWhole(statement, phrase);
  });
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Matches whole words only, except in scripts without spaces. */
function hasWhole(text: string, phrase: string): boolean {
  const at = text.indexOf(phrase);
  if (at < 0) return false;
  if (isUnspaced(phrase.charCodeAt(0))) return true;
  const before = text[at - 1];
  const after = text[at + phrase.length];
  return !(before && LETTER_OR_DIGIT.test(before)) && !(after && LETTER_OR_DIGIT.test(after));
}
