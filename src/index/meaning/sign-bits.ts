// The signs of the numbers of a vector, one bit each: the more of them differ, the less alike two vectors are.
import type { TextVector } from '../../text/text-vectors.ts';

export type SignBits = Uint32Array<ArrayBuffer>;

/** A vector has 384 numbers. */
export const WORDS_OF_SIGNS = 12;

export function signBits(vector: TextVector): SignBits {
  const signs = new Uint32Array(WORDS_OF_SIGNS);
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) signs[at >> 5]! |= 1 << (at & 31);
  return signs;
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
