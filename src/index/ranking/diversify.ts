// Turns ranked candidates into results: skips pages that do not fit, folds near-duplicates, and moves a host that fills
// the list behind others with comparable scores.
import { differingBits } from '../../text/simhash.ts';
import type { ShownTexts } from '../pages/page-rows.ts';
import { HOST_CROWDING, NEAR_DUPLICATES } from './ranking-weights.ts';

export interface ScoredDoc {
  docId: number;
  score: number;
  /** How many of the query's words the doc has, if it was ranked by words. */
  covered?: number;
  /** What of the score comes from having all words, and from having them close together. */
  allWords?: number;
  proximity?: number;
  /** What of the score comes from the meaning of the page. */
  meaning?: number;
}

export interface DiversifyOptions<T extends ScoredDoc, Result> {
  limit: number;
  /** Whether the number of results per host is limited. */
  limitHosts: boolean;
  hostOf(candidate: T): number;
  /** Undefined if the candidate is not to be shown. */
  open(candidate: T, results: readonly Result[]): Result | undefined;
}

/** Candidates must come best first. */
export function diversify<T extends ScoredDoc, Result>(
  candidates: Iterable<T>,
  options: DiversifyOptions<T, Result>,
): Result[] {
  const { limit, limitHosts, hostOf, open } = options;
  const results: Result[] = [];
  const perHost = new Map<number, number>();
  const deferred: T[] = [];
  const add = (candidate: T) => {
    const result = open(candidate, results);
    if (result === undefined) return;
    results.push(result);
    perHost.set(hostOf(candidate), (perHost.get(hostOf(candidate)) ?? 0) + 1);
  };
  for (const candidate of candidates) {
    while (deferred.length > 0 && results.length < limit && !isComparable(candidate, deferred[0]!))
      add(deferred.shift()!);
    if (results.length >= limit) return results;
    const isHostFull = limitHosts && (perHost.get(hostOf(candidate)) ?? 0) >= HOST_CROWDING.perHost;
    if (isHostFull) deferred.push(candidate);
    else add(candidate);
  }
  for (const candidate of deferred) {
    if (results.length >= limit) break;
    add(candidate);
  }
  return results;
}

const isComparable = (candidate: ScoredDoc, deferred: ScoredDoc): boolean =>
  candidate.score >= deferred.score * HOST_CROWDING.comparable;

/** The same text at another URL: nearly the same words under the same title, or almost identical words and length. */
export function isNearDuplicate(a: ShownTexts, b: ShownTexts): boolean {
  if (a.simhash === '' || b.simhash === '') return false;
  const bits = differingBits(a.simhash, b.simhash);
  if (a.title === b.title) return bits <= NEAR_DUPLICATES.bits;
  const lengthDifference = Math.abs(a.length - b.length) / Math.max(1, a.length, b.length);
  return bits <= NEAR_DUPLICATES.bitsWithOtherTitle && lengthDifference <= NEAR_DUPLICATES.length;
}
