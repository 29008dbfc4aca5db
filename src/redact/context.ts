// What stands around a candidate: the label before it, and whether it is part of a URL.

/** Scripts without blanks between words, or with endings that are written behind a number: `电话13812345678联系`. */
const UNSPACED = `[${'Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`;
/** For patterns of numbers: no letter or digit of the same word stands before. */
export const NOT_AFTER_WORD = `(?<!(?!${UNSPACED})[\\p{L}\\p{N}_])`;
/** The same for what follows. */
export const NOT_BEFORE_WORD = `(?!(?!${UNSPACED})[\\p{L}\\p{N}_])`;
/** For labels, which a number may follow directly. */
export const NOT_BEFORE_LETTER = `(?!(?!${UNSPACED})\\p{L})`;
const WORD_BEGINS = new RegExp(NOT_BEFORE_WORD, 'u');

const PARAGRAPH_BREAK = /\n\s*\n/g;
const LONG_NUMBER = /\d{5}/;
/** How much of the text before a candidate is searched for a URL's beginning. */
const URL_REACH = 300;

/** Makes a pattern for `hasLabel`: whole words, in any case, with whatever ending the language adds. */
export const labels = (words: string): RegExp => new RegExp(`(?<!(?!${UNSPACED})[\\p{L}\\p{N}])(?:${words})`, 'giu');

/** Position of the last label before `at` that is close enough to describe what starts there, or -1. */
export function labelPosition(text: string, at: number, pattern: RegExp, reach = 48): number {
  const from = Math.max(0, at - reach);
  const before = text.slice(from, at);
  let last: RegExpExecArray | undefined;
  for (const match of before.matchAll(pattern)) last = match;
  if (!last) return -1;
  const between = before.slice(last.index + last[0].length);
  if (LONG_NUMBER.test(between) || (between.match(PARAGRAPH_BREAK)?.length ?? 0) > 1) return -1;
  return from + last.index;
}

export const hasLabel = (text: string, at: number, pattern: RegExp, reach?: number): boolean =>
  labelPosition(text, at, pattern, reach) >= 0;

/** The part of a URL that stands directly before `at`, or undefined if `at` is not inside one. */
export function urlBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - URL_REACH), at);
  const start = before.lastIndexOf('://');
  if (start < 0) return undefined;
  const rest = before.slice(start + 3);
  return /[\s<>"'()[\]`|]/.test(rest) ? undefined : rest;
}

export const isLetterOrDigit = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Whether this character, beside a number, belongs to one word with it. */
export const isOfOneWord = (character: string | undefined): boolean =>
  character !== undefined && !WORD_BEGINS.test(character);
