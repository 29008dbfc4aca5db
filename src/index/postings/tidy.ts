// What there is to do beside the searches, a short step at a time: a full tail is sealed, segments of one level are
// merged, those with many dead are written anew, and what is left over is removed.
import { createLeftovers } from './leftovers.ts';
import { chooseMerge, type MergeChoice } from './merge-choice.ts';
import { type Store, startWriting, type Writing } from './segment-writing.ts';
import type { Segment } from './segments.ts';
import { type Source, segmentSource, tailSource } from './sources.ts';
import { Tail } from './tail.ts';

export interface TidyOptions {
  /** Documents in the tail that make a segment, or postings: they are what takes memory. */
  sealAt: number;
  sealAtPostings: number;
  /** Segments of one level that are merged into one. */
  fanIn: number;
  /** How much one step does: see the plan of a writing. */
  stepWork: number;
}

/** Terms that are sorted at once. */
const SORTED_AT_ONCE = 2048;

/** `tails`: those that wait to be sealed, then the one that grows. */
export function createTidy(store: Store, tails: Tail[], onReplaced: () => void, options: TidyOptions): () => boolean {
  const { segments } = store;
  const leftovers = createLeftovers(store.connection, segments);
  let sealing: Writing | undefined;
  let merging: { writing: Writing; merged: readonly Segment[] } | undefined;

  /** Whether it is done. A writing that failed (the disk is full) is begun anew by a later step. */
  const advance = (writing: Writing): boolean => {
    try {
      const isDone = writing.step();
      if (isDone) onReplaced();
      return isDone;
    } catch (error) {
      writing.abandon();
      leftovers.add(writing.seg);
      if (writing === sealing) sealing = undefined;
      else merging = undefined;
      throw error;
    }
  };

  const isFull = () =>
    tails.length > 1 || tails[0]!.documents >= options.sealAt || tails[0]!.postings >= options.sealAtPostings;
  const seal = () => {
    if (tails.length === 1) tails.push(new Tail());
    sealing ??= startSealing(store, tails[0]!, options.stepWork);
    if (!advance(sealing)) return;
    sealing = undefined;
    tails.shift();
    leftovers.addTail();
  };
  const merge = () => {
    if (!advance(merging!.writing)) return;
    for (const { seg } of merging!.merged) leftovers.add(seg);
    merging = undefined;
  };

  return () => {
    if (isFull()) {
      seal();
      return true;
    }
    if (merging) {
      merge();
      return true;
    }
    if (leftovers.step()) return true;
    const choice = chooseMerge(segments.all, options.fanIn);
    if (choice) merging = { writing: startMerging(store, choice, options.stepWork), merged: choice.segments };
    return choice !== undefined;
  };
}

function startSealing(store: Store, tail: Tail, stepWork: number): Writing {
  const { lo, hi, keys } = tail;
  const runs: string[][] = [];
  return startWriting(store, {
    level: 0,
    lo,
    hi,
    stepWork,
    prepare(outFrom): Source[] | undefined {
      const from = runs.length * SORTED_AT_ONCE;
      if (from >= keys.length) return runs.map((run) => tailSource(tail, run, outFrom(lo, hi)));
      runs.push(keys.slice(from, from + SORTED_AT_ONCE).sort());
      return undefined;
    },
  });
}

const startMerging = (store: Store, { segments, level }: MergeChoice, stepWork: number): Writing =>
  startWriting(store, {
    level,
    lo: segments[0]!.lo,
    hi: segments.at(-1)!.hi,
    stepWork,
    prepare: (outFrom) => segments.map(({ seg, lo, hi }) => segmentSource(store.segments, seg, outFrom(lo, hi))),
  });
