// The signs of the numbers of a vector, one bit each: the more of them differ, the less alike two vectors are.
import type { TextVector } from '../../text/text-vectors.ts';

export type SignBits = Uint32Array<ArrayBuffer>;

/** A vector has 384 numbers. */
export const WORDS_OF_SIGNS = 12;
/** Two vectors at 60 degrees have 6 of 64 in common, others one. */
const SIGNS_A_WORD = 6;

export function signBits(vector: TextVector): SignBits {
  const signs = new Uint32Array(WORDS_OF_SIGNS);
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) signs[at >> 5]! |= 1 << (at & 31);
  return signs;
}

/** The signs as words of six, each with its place: vectors that are alike have many of them in common. */
export function signWords(vector: TextVector): string[] {
  const words: string[] = [];
  for (let from = 0; from < vector.length; from += SIGNS_A_WORD) {
    let bits = 0;
    for (let at = 0; at < SIGNS_A_WORD; at++) bits = bits * 2 + (vector[from + at]! > 0 ? 1 : 0);
    words.push(`${from / SIGNS_A_WORD}_${bits}`);
  }
  return words;
}

/** How many differ between `one` and the signs that begin at `from` in `many`. */
export function differingSigns(one: SignBits, many: SignBits, from: number): number {
  let count = 0;
  for (let at = 0; at < WORDS_OF_SIGNS; at++) {
    let bits = one[at]! ^ many[from + at]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}
