// Chooses which segments to merge next.
import type { Segment } from './segments.ts';

export interface MergeCandidate {
  /** Adjacent, in ascending order. */
  segments: readonly Segment[];
  /** Level of the merged segment. */
  level: number;
}

/** Deleted docs cost memory, disk space and time, but rewriting a segment for only a few of them costs more. */
const MAX_DELETED_SHARE = 1 / 4;

/** Lowest level first: small segments are numerous and merge quickly. */
export function nextMerge(all: readonly Segment[], mergeFactor: number): MergeCandidate | undefined {
  const levels = [...new Set(all.map(({ level }) => level))].sort((a, b) => a - b);
  for (const level of levels) {
    const segments = adjacentSegments(all, level, mergeFactor);
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
