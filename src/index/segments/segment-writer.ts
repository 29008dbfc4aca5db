// Writes a segment from a write buffer or from other segments, in steps. Each step writes some terms in a transaction;
// the last one makes the segment valid in place of its sources. Searches see nothing of it before that.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { DELETED, type DocTable, PURGING } from './doc-table.ts';
import { BlockPacker } from './postings/posting-block.ts';
import { joinPostings, type PostingRow } from './postings/posting-list.ts';
import { type IsExcluded, mergeStreams, type PostingStream } from './postings/posting-streams.ts';
import type { NewSegment, Segments } from './segments.ts';

export interface SegmentParts {
  connection: SqliteConnection;
  docs: DocTable;
  segments: Segments;
}

export interface SegmentPlan {
  level: number;
  lo: number;
  hi: number;
  /** Called once per step until it returns the streams. They exclude the docs that `outFrom` names for their range. */
  prepare(excludedIn: (lo: number, hi: number) => IsExcluded | undefined): PostingStream[] | undefined;
  /** Work per step: rows read, plus their size in kilobytes. */
  stepWork: number;
}

export interface SegmentWriter {
  readonly seg: number;
  /** Returns true once the segment is valid. After an error, call `abandon`. */
  step(): boolean;
  abandon(): void;
}

const BYTES_PER_WORK = 1024;

export function createSegmentWriter({ connection, docs, segments }: SegmentParts, plan: SegmentPlan): SegmentWriter {
  const { level, lo, hi, stepWork } = plan;
  const seg = segments.nextSeg();
  // Docs deleted from now on are still written and stay tombstones.
  const purging = docs.idsWith(DELETED, lo, hi);
  docs.setState(purging, PURGING);
  const { bytes: lengths, docs: count } = docs.packLengths(lo, hi);
  const isExcluded: IsExcluded = (docId) => docs.states[docId] === PURGING;
  const excludedIn = (from: number, to: number) =>
    purging.some((docId) => from <= docId && docId <= to) ? isExcluded : undefined;

  const removeDeleted = connection.prepare('DELETE FROM dead WHERE number BETWEEN ? AND ?');
  const insertDeleted = connection.prepare('INSERT INTO dead (number) VALUES (?)');
  let next: (() => PostingRow[]) | undefined;
  // Outlives a step: its last rows are written by the next one.
  const writer = new BlockPacker();

  const writeTerms = (): boolean => {
    for (let work = 0; work < stepWork; ) {
      const rows = next!();
      const row = joinPostings(rows);
      const block = rows.length === 0 ? writer.take() : row && writer.add(row);
      if (block) segments.write(seg, block);
      if (rows.length === 0) return true;
      work += rows.length + (row ? (row.gaps.length + row.weights.length) / BYTES_PER_WORK : 0);
    }
    return false;
  };
  const finish = () => {
    const died = docs.idsWith(DELETED, lo, hi);
    const written: NewSegment = { seg, level, lo, hi, lengths, docs: count, deleted: died.length };
    connection.transaction(() => {
      segments.replace(written);
      removeDeleted.run(lo, hi);
      for (const docId of died) insertDeleted.run(docId);
    });
    segments.replaced(written);
    docs.purge(purging);
  };

  let isWritten = false;
  return {
    seg,
    step() {
      if (isWritten) {
        finish();
        return true;
      }
      if (next) isWritten = connection.transaction(writeTerms);
      else {
        const streams = plan.prepare(excludedIn);
        if (streams) next = mergeStreams(streams);
      }
      return false;
    },
    abandon: () => docs.setState(purging, DELETED),
  };
}
