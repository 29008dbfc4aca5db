// Writes a new segment, from the tail or from other segments, in steps: each writes the next terms in a transaction, the
// last one makes the segment valid in the place of its sources. Until then searches see nothing of it.
import type { Connection } from '../../util/sqlite.ts';
import { DELETED, type DocTable, PURGING } from './doc-table.ts';
import { concatPostings, type PostingRow } from './postings/posting-list.ts';
import { type IsExcluded, mergeStreams, type PostingStream } from './postings/posting-streams.ts';
import type { NewSegment, Segments } from './segments.ts';

export interface SegmentParts {
  connection: Connection;
  docs: DocTable;
  segments: Segments;
}

export interface SegmentPlan {
  level: number;
  lo: number;
  hi: number;
  /** Called again and again, a step each, until it returns the sources, which leave out what `outFrom` says of their
   * numbers. */
  prepare(outFrom: (lo: number, hi: number) => IsExcluded | undefined): PostingStream[] | undefined;
  /** How much one step does: rows read, with a row's size counted by the kilobyte. */
  stepWork: number;
}

export interface SegmentWriter {
  readonly seg: number;
  /** One step; true once the segment is valid. When it throws, nothing may come of this writing any more: `abandon` it. */
  step(): boolean;
  abandon(): void;
}

const BYTES_PER_WORK = 1024;

export function createSegmentWriter({ connection, docs, segments }: SegmentParts, plan: SegmentPlan): SegmentWriter {
  const { level, lo, hi, stepWork } = plan;
  const seg = segments.nextSeg();
  // Those that die from now on are written with the others, and stay among the dead.
  const purging = docs.idsWith(DELETED, lo, hi);
  docs.setState(purging, PURGING);
  const { bytes: lengths, docs: count } = docs.packLengths(lo, hi);
  const isOut: IsExcluded = (docId) => docs.states[docId] === PURGING;
  const outFrom = (from: number, to: number) =>
    purging.some((docId) => from <= docId && docId <= to) ? isOut : undefined;

  const removeDeleted = connection.prepare('DELETE FROM dead WHERE number BETWEEN ? AND ?');
  const insertDeleted = connection.prepare('INSERT INTO dead (number) VALUES (?)');
  let next: (() => PostingRow[]) | undefined;

  const writeTerms = (): boolean => {
    for (let work = 0; work < stepWork; ) {
      const rows = next!();
      if (rows.length === 0) return true;
      const row = concatPostings(rows);
      if (row) segments.write(seg, row);
      work += rows.length + (row ? row.bytes.length / BYTES_PER_WORK : 0);
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
        const sources = plan.prepare(outFrom);
        if (sources) next = mergeStreams(sources);
      }
      return false;
    },
    abandon: () => docs.setState(purging, DELETED),
  };
}
