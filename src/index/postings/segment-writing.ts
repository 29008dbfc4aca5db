// Writes a new segment, from the tail or from other segments, in steps: each writes the next terms in a transaction, the
// last one makes the segment valid in the place of its sources. Until then searches see nothing of it.
import type { Connection } from '../../store/sqlite/connection.ts';
import { DEAD, type Documents, LEAVING } from './documents.ts';
import { joinRows, type PostingRow } from './posting-list.ts';
import type { NewSegment, Segments } from './segments.ts';
import { type IsOut, mergeSources, type Source } from './sources.ts';

export interface Store {
  connection: Connection;
  documents: Documents;
  segments: Segments;
}

export interface WritingPlan {
  level: number;
  lo: number;
  hi: number;
  /** Called again and again, a step each, until it returns the sources, which leave out what `outFrom` says of their
   * numbers. */
  prepare(outFrom: (lo: number, hi: number) => IsOut | undefined): Source[] | undefined;
  /** How much one step does: rows read, with a row's size counted by the kilobyte. */
  stepWork: number;
}

export interface Writing {
  readonly seg: number;
  /** One step; true once the segment is valid. When it throws, nothing may come of this writing any more: `abandon` it. */
  step(): boolean;
  abandon(): void;
}

const BYTES_PER_WORK = 1024;

export function startWriting({ connection, documents, segments }: Store, plan: WritingPlan): Writing {
  const { level, lo, hi, stepWork } = plan;
  const seg = segments.newSeg();
  // Those that die from now on are written with the others, and stay among the dead.
  const leaving = documents.numbersWith(DEAD, lo, hi);
  documents.change(leaving, LEAVING);
  const { bytes: lengths, documents: count } = documents.packLengths(lo, hi);
  const isOut: IsOut = (number) => documents.states[number] === LEAVING;
  const outFrom = (from: number, to: number) =>
    leaving.some((number) => from <= number && number <= to) ? isOut : undefined;

  const removeDead = connection.prepare('DELETE FROM dead WHERE number BETWEEN ? AND ?');
  const insertDead = connection.prepare('INSERT INTO dead (number) VALUES (?)');
  let next: (() => PostingRow[]) | undefined;

  const writeTerms = (): boolean => {
    for (let work = 0; work < stepWork; ) {
      const rows = next!();
      if (rows.length === 0) return true;
      const row = joinRows(rows);
      if (row) segments.write(seg, row);
      work += rows.length + (row ? row.bytes.length / BYTES_PER_WORK : 0);
    }
    return false;
  };
  const finish = () => {
    const died = documents.numbersWith(DEAD, lo, hi);
    const written: NewSegment = { seg, level, lo, hi, lengths, documents: count, dead: died.length };
    connection.transaction(() => {
      segments.replace(written);
      removeDead.run(lo, hi);
      for (const number of died) insertDead.run(number);
    });
    segments.replaced(written);
    documents.purge(leaving);
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
        if (sources) next = mergeSources(sources);
      }
      return false;
    },
    abandon: () => documents.change(leaving, DEAD),
  };
}
