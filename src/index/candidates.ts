// The documents that a search might show, best first: by their words, by their date, or by their standing where only
// conditions were given.

import type { Candidate } from './arrange.ts';
import { createBonus } from './bonus.ts';
import type { Columns } from './columns.ts';
import type { IndexSearch } from './page-index.ts';
import type { Postings, RankedHit, RankedWord } from './postings/postings.ts';
import { wordScale } from './postings/scoring.ts';
import type { Scope } from './scope.ts';
import { CLOSENESS, FLOOR, FULL_SCORE } from './weights.ts';
import type { SearchWords } from './words.ts';

export interface CandidateRequest {
  search: IndexSearch;
  scope: Scope;
  asked: SearchWords;
  isNews: boolean;
  depth: number;
}

export interface Found<T = Candidate> {
  /** Best first. */
  list: T[];
  /** Deeper down there are no more. */
  isAll: boolean;
}

export interface Candidates {
  byWords(request: CandidateRequest): Found<RankedHit>;
  byDate(request: CandidateRequest): Found;
  byStanding(request: CandidateRequest): Found;
}

export function createCandidates(postings: Postings, columns: Columns): Candidates {
  const bonus = createBonus(columns);
  const bonusFor = ({ search, asked, isNews }: CandidateRequest) => {
    const scale = asked.ranked.length === 0 ? 1 : Math.min(1, highestScore(asked.ranked) / FULL_SCORE);
    return bonus({ conditions: search.conditions, words: asked.words, isNews, now: search.now, scale });
  };

  /** What a page would get that had nothing but these words. */
  const highestScore = (words: readonly RankedWord[]): number =>
    words.reduce((sum, { forms, weight }) => {
      const frequency = forms.reduce((total, form) => total + postings.frequency(form), 0);
      return sum + (frequency === 0 ? 0 : wordScale(postings.count, frequency, weight));
    }, 0);

  const byWords = (request: CandidateRequest): Found<RankedHit> => {
    const { scope, asked, depth } = request;
    const words = asked.ranked;
    const { hits } = postings.rank({ words, admitted: scope.admitted, bonus: bonusFor(request), depth });
    return { list: aboveFloor(hits, words), isAll: hits.length < depth };
  };

  return {
    byWords,
    byDate(request) {
      const { scope, asked, search } = request;
      const numbers = new Set<number>();
      if (asked.ranked.length === 0) scope.each((number) => numbers.add(number));
      else if (asked.ranked.length <= CLOSENESS.allWordsUpTo) {
        const ids = postings.withAll(asked.ranked);
        for (const number of ids) if (!scope.admitted || scope.admitted[number] === 1) numbers.add(number);
      }
      // Where few pages have all words, those with most of them are an answer too.
      if (asked.ranked.length > 0 && numbers.size < search.limit) {
        for (const { number } of byWords(request).list) numbers.add(number);
      }
      return bestOf(numbers, columns.date, request.depth);
    },
    byStanding(request) {
      const numbers: number[] = [];
      request.scope.each((number) => numbers.push(number));
      return bestOf(numbers, bonusFor(request), request.depth);
    },
  };
}

/** A page that shares little with the question is no answer where better ones are. */
function aboveFloor(hits: readonly RankedHit[], words: readonly RankedWord[]): RankedHit[] {
  const floor = (hits[0]?.score ?? 0) * FLOOR.score;
  return hits.filter(({ score, covered }) => score >= floor || covered > words.length * FLOOR.words);
}

/** Those with the highest scores; of equal ones the higher number first. */
function bestOf(numbers: Iterable<number>, scores: Float32Array | Float64Array, depth: number): Found {
  const compare = (a: number, b: number) => scores[b]! - scores[a]! || b - a;
  // Cut back now and then: never are more than a few thousand sorted, however many fit.
  const room = Math.max(depth * 4, 4_000);
  let kept: number[] = [];
  let isAll = true;
  const cutBack = () => {
    isAll &&= kept.length <= depth;
    kept = kept.sort(compare).slice(0, depth);
  };
  for (const number of numbers) {
    kept.push(number);
    if (kept.length >= room) cutBack();
  }
  cutBack();
  return { list: kept.map((number) => ({ number, score: scores[number]! })), isAll };
}
