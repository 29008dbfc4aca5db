// The docs whose vectors have most signs in common with that of a query: one pass over the signs of all vectors.
import type { TextVector } from '../../text/text-vectors.ts';
import { MEANING } from '../ranking/ranking-weights.ts';
import { differingSigns, type SignBits, signBits, WORDS_OF_SIGNS } from './sign-bits.ts';

type EachSigns = (row: (first: number, signs: SignBits) => void) => void;

/** `filter` has 1 for each doc that may be found. */
export function nearestBySigns(
  eachSigns: EachSigns,
  query: TextVector,
  filter: Uint8Array | undefined,
  most: number,
): number[] {
  const wanted = signBits(query);
  const byDistance: number[][] = Array.from({ length: MEANING.mostDiffering + 1 }, () => []);
  eachSigns((first, signs) => {
    for (let from = 0; from < signs.length; from += WORDS_OF_SIGNS) {
      const docId = first + from / WORDS_OF_SIGNS;
      if (filter && filter[docId] !== 1) continue;
      const distance = differingSigns(wanted, signs, from);
      if (distance > MEANING.mostDiffering || isEmpty(signs, from)) continue;
      const near = byDistance[distance]!;
      if (near.length < most) near.push(docId);
    }
  });
  return byDistance.flat().slice(0, most);
}

const isEmpty = (signs: Uint32Array, from: number): boolean =>
  signs.subarray(from, from + WORDS_OF_SIGNS).every((word) => word === 0);
