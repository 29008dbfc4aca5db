// Ranks pages by what they are about: the best by words anew, and those that no word of a query finds.
import { withMeaning } from '../../text/meaning-scores.ts';
import { cosine, type TextVector } from '../../text/text-vectors.ts';
import type { ScoredDoc } from '../ranking/diversify.ts';
import { MEANING } from '../ranking/ranking-weights.ts';
import type { PageVectors } from './page-vectors.ts';
import { differingSigns, signBits, WORDS_OF_SIGNS } from './sign-bits.ts';

export interface ByMeaning {
  /** Adds the meaning of the best to their scores. The list is sorted anew. */
  weigh(list: readonly ScoredDoc[], query: TextVector): ScoredDoc[];
  /** The pages that are nearest to a query, best first. `filter` has 1 for each doc that may be found. Absent without signs. */
  nearest?(query: TextVector, filter: Uint8Array | undefined, limits: { most: number; atLeast: number }): ScoredDoc[];
}

type Vectors = Pick<PageVectors, 'vectorOf'> & Partial<Pick<PageVectors, 'eachSigns'>>;

export function createByMeaning({ vectorOf, eachSigns }: Vectors): ByMeaning {
  return {
    weigh(list, query) {
      const best = list.slice(0, MEANING.depth);
      const cosines = best.map(({ docId }) => {
        const vector = vectorOf(docId);
        return vector && cosine(query, vector);
      });
      const weighed = withMeaning(
        list.map(({ score }) => score),
        cosines,
        MEANING.weight,
      );
      return weighed ? list.map((doc, at) => ({ ...doc, ...weighed[at]! })).sort(byScore) : [...list];
    },
    ...(eachSigns && { nearest: createNearest({ vectorOf, eachSigns }) }),
  };
}

function createNearest({
  vectorOf,
  eachSigns,
}: Pick<PageVectors, 'vectorOf' | 'eachSigns'>): NonNullable<ByMeaning['nearest']> {
  return (query, filter, { most, atLeast }) =>
    nearestBySigns(query, filter, Math.max(most, MEANING.depth))
      .map((docId) => ({ docId, score: cosine(query, vectorOf(docId)!), covered: 0 }))
      .filter(({ score }) => score >= atLeast)
      .sort(byScore)
      .slice(0, most);

  function nearestBySigns(query: TextVector, filter: Uint8Array | undefined, most: number): number[] {
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
}

const isEmpty = (signs: Uint32Array, from: number): boolean =>
  signs.subarray(from, from + WORDS_OF_SIGNS).every((word) => word === 0);

const byScore = (a: ScoredDoc, b: ScoredDoc): number => b.score - a.score || b.docId - a.docId;
