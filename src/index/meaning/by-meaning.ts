// Ranks pages by what they are about: the best by words anew, and those that no word of a query finds.
import { withMeaning } from '../../text/meaning-scores.ts';
import { cosine, type TextVector } from '../../text/text-vectors.ts';
import type { SearchScope } from '../query/search-scope.ts';
import type { ScoredDoc } from '../ranking/diversify.ts';
import { MEANING } from '../ranking/ranking-weights.ts';

type Scope = Pick<SearchScope, 'filter'>;

export interface KnownVectors {
  vectorOf(docId: number): TextVector | undefined;
  /** Docs of the scope whose vectors look near to one, so many at most; those that are nearest are among them. */
  near(query: TextVector, scope: Scope, most: number): number[];
}

export interface ByMeaning extends Pick<KnownVectors, 'vectorOf'> {
  /** Adds the meaning of the best to their scores. The list is sorted anew. */
  weigh(list: readonly ScoredDoc[], query: TextVector): ScoredDoc[];
  /** The pages that are nearest to a query, best first. */
  nearest(query: TextVector, scope: Scope, limits: { most: number; atLeast: number }): ScoredDoc[];
}

export function createByMeaning({ vectorOf, near }: KnownVectors): ByMeaning {
  const nearness = (query: TextVector, docId: number): number | undefined => {
    const vector = vectorOf(docId);
    return vector && cosine(query, vector);
  };
  return {
    vectorOf,
    weigh(list, query) {
      const weighed = withMeaning(
        list.map(({ score }) => score),
        list.slice(0, MEANING.depth).map(({ docId }) => nearness(query, docId)),
        MEANING.weight,
      );
      return weighed ? list.map((doc, at) => ({ ...doc, ...weighed[at]! })).sort(byScore) : [...list];
    },
    nearest: (query, scope, { most, atLeast }) =>
      near(query, scope, Math.max(most, MEANING.depth))
        .map((docId) => ({ docId, score: nearness(query, docId) ?? 0, covered: 0 }))
        .filter(({ score }) => score >= atLeast)
        .sort(byScore)
        .slice(0, most),
  };
}

const byScore = (a: ScoredDoc, b: ScoredDoc): number => b.score - a.score || b.docId - a.docId;
