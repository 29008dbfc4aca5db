// The docs a search might return, best first: ranked by words, by date, or by static rank when the query has no words.

import type { IndexSearch } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import { wordFactor } from '../ranking/bm25.ts';
import { type BoostRequest, createBoosts } from '../ranking/boosts.ts';
import type { ScoredDoc } from '../ranking/diversify.ts';
import { CUTOFF, FULL_SCORE, TEXT_MATCH } from '../ranking/ranking-weights.ts';
import type { Census } from '../segments/census.ts';
import type { InvertedIndex, RankedHit, RankedWord } from '../segments/inverted-index.ts';
import type { QueryTerms } from './query-terms.ts';
import type { SearchScope } from './search-scope.ts';

export interface CandidateRequest {
  search: IndexSearch;
  scope: SearchScope;
  census: Census | undefined;
  terms: QueryTerms;
  isNews: boolean;
  depth: number;
}

export interface CandidateList<T = ScoredDoc> {
  /** Best first. */
  list: T[];
  /** True when a deeper search would find no more. */
  isComplete: boolean;
}

export interface Candidates {
  byWords(request: CandidateRequest): CandidateList<RankedHit>;
  byDate(request: CandidateRequest): CandidateList;
  byStaticRank(request: CandidateRequest): CandidateList;
  /** How pages are boosted in a search, to explain it. */
  boostRequest(request: CandidateRequest): BoostRequest;
}

export function createCandidates(
  invertedIndex: Pick<InvertedIndex, 'rank' | 'docsWithAll' | 'wordFrequency' | 'docCount'>,
  columns: PageColumns,
): Candidates {
  const boosts = createBoosts(columns);
  const boostRequest = ({ search, census, terms, isNews }: CandidateRequest): BoostRequest => {
    const scale = terms.ranked.length === 0 ? 1 : Math.min(1, highestScore(terms.ranked, census) / FULL_SCORE);
    return { conditions: search.conditions, words: terms.words, isNews, now: search.now, scale };
  };
  const boostsFor = (request: CandidateRequest) => boosts(boostRequest(request));

  /** The highest score that these words alone can give a page. */
  const highestScore = (words: readonly RankedWord[], census: Census | undefined): number =>
    words.reduce((sum, word) => {
      const frequency = invertedIndex.wordFrequency(word, census);
      return sum + (frequency === 0 ? 0 : wordFactor(census?.total ?? invertedIndex.docCount, frequency, word.weight));
    }, 0);

  const byWords = (request: CandidateRequest): CandidateList<RankedHit> => {
    const { scope, census, terms, depth } = request;
    const words = terms.ranked;
    const { hits } = invertedIndex.rank({ words, census, filter: scope.filter, boosts: boostsFor(request), depth });
    return { list: aboveCutoff(hits, words), isComplete: hits.length < depth };
  };

  return {
    byWords,
    boostRequest,
    byDate(request) {
      const { scope, terms, search } = request;
      const docIds = new Set<number>();
      if (terms.ranked.length === 0) scope.each((docId) => docIds.add(docId));
      else if (terms.ranked.length <= TEXT_MATCH.allWordsUpTo) {
        const ids = invertedIndex.docsWithAll(terms.ranked);
        for (const docId of ids) if (!scope.filter || scope.filter[docId] === 1) docIds.add(docId);
      }
      // If few pages have all words, add pages that have most of them.
      if (terms.ranked.length > 0 && docIds.size < search.limit) {
        for (const { docId } of byWords(request).list) docIds.add(docId);
      }
      return bestOf(docIds, columns.date, request.depth);
    },
    byStaticRank(request) {
      const docIds: number[] = [];
      request.scope.each((docId) => docIds.push(docId));
      return bestOf(docIds, boostsFor(request), request.depth);
    },
  };
}

/** Drops pages that match the query poorly when better ones exist. */
function aboveCutoff(hits: readonly RankedHit[], words: readonly RankedWord[]): RankedHit[] {
  const floor = (hits[0]?.score ?? 0) * CUTOFF.score;
  return hits.filter(({ score, covered }) => score >= floor || covered > words.length * CUTOFF.words);
}

/** The docs with the highest scores; of equal ones the higher id first. */
function bestOf(docIds: Iterable<number>, scores: Float32Array | Float64Array, depth: number): CandidateList {
  const compare = (a: number, b: number) => scores[b]! - scores[a]! || b - a;
  // Cut back regularly, so that at most a few thousand ids are sorted at a time.
  const room = Math.max(depth * 4, 4_000);
  let kept: number[] = [];
  let isComplete = true;
  const cutBack = () => {
    isComplete &&= kept.length <= depth;
    kept = kept.sort(compare).slice(0, depth);
  };
  for (const docId of docIds) {
    kept.push(docId);
    if (kept.length >= room) cutBack();
  }
  cutBack();
  return { list: kept.map((docId) => ({ docId, score: scores[docId]! })), isComplete };
}
