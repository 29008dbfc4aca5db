// From candidates in order to what is shown: pages that do not fit after all are passed over, copies folded, and a host
// that fills the list steps back behind others of comparable score.
import { differingBits } from '../store/sqlite/text-prints.ts';
import type { Texts } from './documents.ts';
import { CROWDING, DUPLICATES } from './weights.ts';

export interface Candidate {
  number: number;
  score: number;
  /** How many of the words it has, where they chose it. */
  covered?: number;
}

export interface Arrangement<T extends Candidate, Shown> {
  limit: number;
  /** Hosts step back. */
  isCrowded: boolean;
  hostOf(candidate: T): number;
  /** Undefined: it is not shown after all. */
  open(candidate: T, shown: readonly Shown[]): Shown | undefined;
}

/** The candidates come best first. */
export function arrange<T extends Candidate, Shown>(
  candidates: Iterable<T>,
  arrangement: Arrangement<T, Shown>,
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
    const isOneTooMany = isCrowded && (ofHost.get(hostOf(candidate)) ?? 0) >= CROWDING.perHost;
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
  candidate.score >= waiting.score * CROWDING.comparable;

/** The same text at another address: nearly the same words under the same title, or all but the same words and length. */
export function isCopy(a: Texts, b: Texts): boolean {
  if (a.simhash === '' || b.simhash === '') return false;
  const bits = differingBits(a.simhash, b.simhash);
  if (a.title === b.title) return bits <= DUPLICATES.bits;
  const apart = Math.abs(a.length - b.length) / Math.max(1, a.length, b.length);
  return bits <= DUPLICATES.bitsWithOtherTitle && apart <= DUPLICATES.length;
}
