// Which segments are written anew.
import type { Segment } from './segments.ts';

export interface MergeCandidate {
  /** Neighbours, ascending. */
  segments: readonly Segment[];
  /** Of the segment that takes their place. */
  level: number;
}

/** The dead of a segment cost memory, room and time, but less than to write it anew for a few of them. */
const MAX_DELETED_SHARE = 1 / 4;

/** The lowest level first: small segments are the many, and quickly merged. */
export function nextMerge(all: readonly Segment[], fanIn: number): MergeCandidate | undefined {
  const levels = [...new Set(all.map(({ level }) => level))].sort((a, b) => a - b);
  for (const level of levels) {
    const segments = adjacentSegments(all, level, fanIn);
    if (segments) return { segments, level: level + 1 };
  }
  const stale = all.find(({ docs, deleted }) => deleted > docs * MAX_DELETED_SHARE);
  return stale && { segments: [stale], level: stale.level };
}

function adjacentSegments(all: readonly Segment[], level: number, count: number): Segment[] | undefined {
  let run: Segment[] = [];
  for (const segment of all) {
    run = segment.level === level ? [...run, segment] : [];
    if (run.length === count) return run;
  }
  return undefined;
}
