// Turns ranked candidates into results: skips pages that do not fit, folds near-duplicates, and moves a host that fills
// the list behind others with comparable scores.
import { differingBits } from '../../text/simhash.ts';
import type { PageTexts } from '../pages/page-rows.ts';
import { HOST_CROWDING, NEAR_DUPLICATES } from './ranking-weights.ts';

export interface Candidate {
  docId: number;
  score: number;
  /** How many of the query's words the doc has, if it was ranked by words. */
  covered?: number;
}

export interface DiversifyOptions<T extends Candidate, Shown> {
  limit: number;
  /** Whether the number of results per host is limited. */
  isCrowded: boolean;
  hostOf(candidate: T): number;
  /** Undefined if the candidate is not to be shown. */
  open(candidate: T, shown: readonly Shown[]): Shown | undefined;
}

/** Candidates must come best first. */
export function diversify<T extends Candidate, Shown>(
  candidates: Iterable<T>,
  arrangement: DiversifyOptions<T, Shown>,
): Shown[] {
  const { limit, isCrowded, hostOf, open } = arrangement;
  const shown: Shown[] = [];
  const ofHost = new Map<number, number>();
  const waiting: T[] = [];
  const show = (candidate: T) => {
    const opened = open(candidate, shown);
    if (opened === undefined) return;
    shown.push(opened);
    ofHost.set(hostOf(candidate), (ofHost.get(hostOf(candidate)) ?? 0) + 1);
  };
  for (const candidate of candidates) {
    while (waiting.length > 0 && shown.length < limit && !isComparable(candidate, waiting[0]!)) show(waiting.shift()!);
    if (shown.length >= limit) return shown;
    const isOneTooMany = isCrowded && (ofHost.get(hostOf(candidate)) ?? 0) >= HOST_CROWDING.perHost;
    if (isOneTooMany) waiting.push(candidate);
    else show(candidate);
  }
  for (const candidate of waiting) {
    if (shown.length >= limit) break;
    show(candidate);
  }
  return shown;
}

const isComparable = (candidate: Candidate, waiting: Candidate): boolean =>
  candidate.score >= waiting.score * HOST_CROWDING.comparable;

/** The same text at another URL: nearly the same words under the same title, or almost identical words and length. */
export function isNearDuplicate(a: PageTexts, b: PageTexts): boolean {
  if (a.simhash === '' || b.simhash === '') return false;
  const bits = differingBits(a.simhash, b.simhash);
  if (a.title === b.title) return bits <= NEAR_DUPLICATES.bits;
  const apart = Math.abs(a.length - b.length) / Math.max(1, a.length, b.length);
  return bits <= NEAR_DUPLICATES.bitsWithOtherTitle && apart <= NEAR_DUPLICATES.length;
}
