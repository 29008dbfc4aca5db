// Removes rows that are no longer read: of segments that were merged or never finished, and of flushed write buffers.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { Segments } from '../segments/segments.ts';

export interface LeftoverRows {
  /** Schedules the rows of this segment for removal. */
  add(seg: number): void;
  /** Schedules the log rows of flushed buffers for removal. */
  addBuffer(): void;
  /** Removes some rows; false when there are none. */
  step(): boolean;
}

const POST_ROWS = 50;
const BUFFER_ROWS = 16;
const AMENDED_ROWS = 500;

export function createLeftoverRows(connection: SqliteConnection, segments: Segments): LeftoverRows {
  const nextSeg = connection.prepare<{ seg: number }>('SELECT seg FROM post WHERE seg > ? ORDER BY seg LIMIT 1');
  const border = connection.prepare<{ term: string }>(
    'SELECT term FROM post WHERE seg = ? ORDER BY term LIMIT 1 OFFSET ?',
  );
  const removeTo = connection.prepare('DELETE FROM post WHERE seg = ? AND term <= ?');
  const removeAll = connection.prepare('DELETE FROM post WHERE seg = ?');
  const removeBuffered = connection.prepare(
    'DELETE FROM tail WHERE lo IN (SELECT lo FROM tail WHERE lo <= ? ORDER BY lo LIMIT ?)',
  );
  const removeAmended = connection.prepare(
    'DELETE FROM amended WHERE seq IN (SELECT seq FROM amended WHERE doc <= ? LIMIT ?)',
  );

  const valid = new Set(segments.all.map(({ seg }) => seg));
  const segs: number[] = [];
  for (let row = nextSeg.get(0); row; row = nextSeg.get(row.seg)) if (!valid.has(row.seg)) segs.push(row.seg);
  let hasBufferRows = true;

  return {
    add: (seg) => segs.push(seg),
    addBuffer() {
      hasBufferRows = true;
    },
    step() {
      if (hasBufferRows) {
        const { hi } = segments;
        hasBufferRows = connection.transaction(
          () => removeBuffered.run(hi, BUFFER_ROWS).changes !== 0 || removeAmended.run(hi, AMENDED_ROWS).changes !== 0,
        );
        return true;
      }
      const seg = segs[0];
      if (seg === undefined) return false;
      const last = border.get(seg, POST_ROWS);
      connection.transaction(() => (last ? removeTo.run(seg, last.term) : removeAll.run(seg)));
      if (!last) segs.shift();
      return true;
    },
  };
}
