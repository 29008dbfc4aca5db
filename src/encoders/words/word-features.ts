// What the encoder cannot see, because it reads lower case without white space: how a word is written, and what is before it.
import type { TokenizedWord } from './word-pieces.ts';

const UPPER = /\p{Uppercase}/u;
const LOWER = /\p{Lowercase}/u;
const LETTER = /\p{L}/u;
const DIGIT = /[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/u;

/** The numbers the model was trained with (`shapes` in its config.json). */
const SHAPE = {
  lower: 1,
  title: 2,
  upper: 3,
  initial: 4,
  mixed: 5,
  digits: 6,
  lettersAndDigits: 7,
  punctuation: 8,
  withoutCase: 9,
} as const;

/** What separates a word from the one before it (`gaps`). */
export const GAP = { glued: 0, space: 1, line: 2, emptyLine: 3 } as const;
const GAPS = 4;

/** The number of the word's shape and gap. `previous` is absent for the first word of a part, before which is `firstGap`. */
export function wordFeature(
  text: string,
  word: TokenizedWord,
  previous: TokenizedWord | undefined,
  firstGap: number = GAP.emptyLine,
): number {
  const gap = previous ? gapBetween(text, previous.end, word.start) : firstGap;
  return shapeOf(text.slice(word.start, word.end)) * GAPS + gap;
}

export function shapeOf(word: string): number {
  let upper = 0;
  let lower = 0;
  let others = 0;
  let count = 0;
  let hasDigit = false;
  let startsUpper = false;
  for (const character of word) {
    if (UPPER.test(character)) {
      upper += 1;
      startsUpper ||= count === 0;
    } else if (LOWER.test(character)) lower += 1;
    else if (DIGIT.test(character)) hasDigit = true;
    else if (LETTER.test(character)) others += 1;
    count += 1;
  }
  if (hasDigit) return upper + lower + others > 0 ? SHAPE.lettersAndDigits : SHAPE.digits;
  if (upper + lower === 0) return others > 0 ? SHAPE.withoutCase : SHAPE.punctuation;
  if (lower === 0) return count === 1 ? SHAPE.initial : SHAPE.upper;
  if (upper === 0) return SHAPE.lower;
  return startsUpper && upper === 1 ? SHAPE.title : SHAPE.mixed;
}

export function gapBetween(text: string, from: number, to: number): number {
  if (from >= to) return GAP.glued;
  const line = text.indexOf('\n', from);
  if (line === -1 || line >= to) return GAP.space;
  const second = text.indexOf('\n', line + 1);
  return second === -1 || second >= to ? GAP.line : GAP.emptyLine;
}
