// Ranks pages by what they are about: the best by words anew, and those that no word of a query finds.
import { cosine, type TextVector } from '../../text/text-vectors.ts';
import type { ScoredDoc } from '../ranking/diversify.ts';
import { MEANING } from '../ranking/ranking-weights.ts';
import type { PageVectors } from './page-vectors.ts';
import { differingSigns, signBits, WORDS_OF_SIGNS } from './sign-bits.ts';

export interface ByMeaning {
  /** Adds the meaning of the best to their scores. The list is sorted anew. */
  weigh(list: readonly ScoredDoc[], query: TextVector): ScoredDoc[];
  /** The pages that are nearest to a query, best first. `filter` has 1 for each doc that may be found. */
  nearest(query: TextVector, filter: Uint8Array | undefined, limits: { most: number; atLeast: number }): ScoredDoc[];
}

export function createByMeaning({ vectorOf, eachSigns }: Pick<PageVectors, 'vectorOf' | 'eachSigns'>): ByMeaning {
  return {
    weigh(list, query) {
      const cosines = list.map(({ docId }, at) => {
        const vector = at < MEANING.depth ? vectorOf(docId) : undefined;
        return vector && cosine(query, vector);
      });
      const known = cosines.filter((one) => one !== undefined);
      if (known.length < 2) return [...list];
      const words = spreadOf(list.slice(0, MEANING.depth).map(({ score }) => score));
      const meanings = spreadOf(known);
      // A page without a vector is taken to mean as much as its words do, so it keeps its place among the others.
      const standings = cosines.map((own, at) =>
        own === undefined
          ? (list[at]!.score - words.mean) / words.deviation
          : (own - meanings.mean) / meanings.deviation,
      );
      const lowest = Math.min(...standings);
      return list
        .map((doc, at) => {
          const meaning = (standings[at]! - lowest) * words.deviation * MEANING.weight;
          return { ...doc, score: doc.score + meaning, meaning };
        })
        .sort(byScore);
    },
    nearest(query, filter, { most, atLeast }) {
      const candidates = nearestBySigns(query, filter, Math.max(most, MEANING.depth));
      return candidates
        .map((docId) => ({ docId, score: cosine(query, vectorOf(docId)!), covered: 0 }))
        .filter(({ score }) => score >= atLeast)
        .sort(byScore)
        .slice(0, most);
    },
  };

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

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

const byScore = (a: ScoredDoc, b: ScoredDoc): number => b.score - a.score || b.docId - a.docId;
