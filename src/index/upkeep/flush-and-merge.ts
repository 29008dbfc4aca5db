// Background work on segments, in short steps: flushes a full write buffer, merges segments of one level, rewrites
// segments with many deleted docs, and removes leftover rows.

import { type MergeCandidate, nextMerge } from '../segments/merge-policy.ts';
import { pairStream } from '../segments/pairs/pair-stream.ts';
import { bufferStream, type PostingStream, segmentStream } from '../segments/postings/posting-streams.ts';
import { createSegmentWriter, type SegmentParts, type SegmentWriter } from '../segments/segment-writer.ts';
import type { Segment } from '../segments/segments.ts';
import { WriteBuffer } from '../segments/write-buffer.ts';
import { createLeftoverRows } from './leftover-rows.ts';

export interface MergeOptions {
  /** Flush at this many docs or postings. Postings are what takes memory. */
  flushAtDocs: number;
  flushAtPostings: number;
  /** Number of segments of one level that are merged into one. */
  mergeFactor: number;
  /** Work per step; see SegmentPlan. */
  stepWork: number;
}

/** Terms sorted in one step. */
const SORTED_AT_ONCE = 2048;

/** `buffers` holds those waiting to be flushed, then the one that receives new docs. */
export function createFlushAndMerge(
  parts: SegmentParts,
  buffers: WriteBuffer[],
  onReplaced: () => void,
  options: MergeOptions,
): () => boolean {
  const { segments } = parts;
  const leftovers = createLeftoverRows(parts.connection, segments);
  let flushing: SegmentWriter | undefined;
  let merging: { writer: SegmentWriter; merged: readonly Segment[] } | undefined;

  /** Returns whether the writer is done. After an error (such as a full disk), a later step starts again. */
  const advance = (writer: SegmentWriter): boolean => {
    try {
      const isDone = writer.step();
      if (isDone) onReplaced();
      return isDone;
    } catch (error) {
      writer.abandon();
      leftovers.add(writer.seg);
      if (writer === flushing) flushing = undefined;
      else merging = undefined;
      throw error;
    }
  };

  const isFull = () =>
    buffers.length > 1 || buffers[0]!.docs >= options.flushAtDocs || buffers[0]!.postings >= options.flushAtPostings;
  const flush = () => {
    if (buffers.length === 1) buffers.push(new WriteBuffer());
    flushing ??= startFlush(parts, buffers[0]!, options.stepWork);
    if (!advance(flushing)) return;
    flushing = undefined;
    buffers.shift();
    leftovers.addBuffer();
  };
  const merge = () => {
    if (!advance(merging!.writer)) return;
    for (const { seg } of merging!.merged) leftovers.add(seg);
    merging = undefined;
  };

  return () => {
    if (isFull()) {
      flush();
      return true;
    }
    if (merging) {
      merge();
      return true;
    }
    if (leftovers.step()) return true;
    const choice = nextMerge(segments.all, options.mergeFactor);
    if (choice) merging = { writer: startMerge(parts, choice, options.stepWork), merged: choice.segments };
    return choice !== undefined;
  };
}

function startFlush(parts: SegmentParts, buffer: WriteBuffer, stepWork: number): SegmentWriter {
  const { lo, hi, keys } = buffer;
  const runs: string[][] = [];
  return createSegmentWriter(parts, {
    level: 0,
    lo,
    hi,
    stepWork,
    prepare(excludedIn): PostingStream[] | undefined {
      const from = runs.length * SORTED_AT_ONCE;
      const isExcluded = excludedIn(lo, hi);
      if (from >= keys.length)
        return [...runs.map((run) => bufferStream(buffer, run, isExcluded)), pairStream(buffer, isExcluded)];
      runs.push(keys.slice(from, from + SORTED_AT_ONCE).sort());
      return undefined;
    },
  });
}

const startMerge = (parts: SegmentParts, { segments, level }: MergeCandidate, stepWork: number): SegmentWriter =>
  createSegmentWriter(parts, {
    level,
    lo: segments[0]!.lo,
    hi: segments.at(-1)!.hi,
    stepWork,
    prepare: (excludedIn) => segments.map(({ seg, lo, hi }) => segmentStream(parts.segments, seg, excludedIn(lo, hi))),
  });
