// The sealed part: segments of documents, each with a row of postings for every term. A segment never changes; merges
// put one in the place of several.
import type { Connection, Statement } from '../../util/sqlite.ts';
import type { DocTable } from './doc-table.ts';
import { decodePostings, type PostingList, type PostingRow } from './postings/posting-list.ts';

export interface Segment {
  seg: number;
  level: number;
  lo: number;
  hi: number;
  /** With the dead, which are counted beside. */
  docs: number;
  deleted: number;
}

export interface NewSegment extends Segment {
  lengths: Uint8Array;
}

export interface Segments {
  /** By their numbers, ascending. */
  readonly all: readonly Segment[];
  /** The highest number that is sealed. */
  readonly hi: number;
  /** For a segment to be written; never used by another, not even by a leftover. */
  nextSeg(): number;
  segmentOf(docId: number): Segment | undefined;
  list(key: string): PostingList;
  docFrequency(key: string): number;
  write(seg: number, row: PostingRow): void;
  rowsAfter(seg: number, key: string, limit: number): PostingRow[];
  /** In a transaction: makes `written` valid instead of those within its numbers. `replaced`, once that has ended well. */
  replace(written: NewSegment): void;
  replaced(written: NewSegment): void;
}

export function createSegments(connection: Connection, docs: DocTable): Segments {
  let all: Segment[] = loadSegments(connection, docs);
  let highest = highestSeg(connection);
  let selectRows: Statement<Omit<PostingRow, 'term' | 'last'>>;
  let selectFrequency: Statement<{ df: number | null }>;
  const insertRow = connection.prepare(
    'INSERT INTO post (seg, term, df, first, last, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const selectAfter = connection.prepare<PostingRow>(
    'SELECT term, df, first, last, bytes FROM post WHERE seg = ? AND term > ? ORDER BY term LIMIT ?',
  );
  const removeSegments = connection.prepare('DELETE FROM segs WHERE lo >= ? AND hi <= ?');
  const insertSegment = connection.prepare('INSERT INTO segs (seg, level, lo, hi, lengths) VALUES (?, ?, ?, ?, ?)');

  // One question for all segments; the rows of others, half-written or left over, are passed by.
  const prepareSelects = () => {
    const where = `WHERE seg IN (${all.map(({ seg }) => seg).join()}) AND term = ?`;
    selectRows = connection.prepare(`SELECT df, first, bytes FROM post ${where}`);
    selectFrequency = connection.prepare(`SELECT sum(df) AS df FROM post ${where}`);
  };
  prepareSelects();

  return {
    get all() {
      return all;
    },
    get hi() {
      return all.at(-1)?.hi ?? 0;
    },
    nextSeg: () => ++highest,
    segmentOf: (docId) => all.find(({ lo, hi }) => lo <= docId && docId <= hi),
    list: (key) => decodePostings(selectRows.all(key)),
    docFrequency: (key) => selectFrequency.get(key)?.df ?? 0,
    write: (seg, { term, df, first, last, bytes }) => insertRow.run(seg, term, df, first, last, bytes),
    rowsAfter: (seg, key, limit) => selectAfter.all(seg, key, limit),
    replace({ seg, level, lo, hi, lengths }) {
      removeSegments.run(lo, hi);
      insertSegment.run(seg, level, lo, hi, lengths);
    },
    replaced({ lengths: _, ...written }) {
      const others = all.filter(({ lo, hi }) => lo < written.lo || hi > written.hi);
      all = [...others, written].sort((a, b) => a.lo - b.lo);
      prepareSelects();
    },
  };
}

function loadSegments(connection: Connection, docs: DocTable): Segment[] {
  const rows = connection
    .prepare<Omit<NewSegment, 'documents' | 'dead'>>('SELECT seg, level, lo, hi, lengths FROM segs ORDER BY lo')
    .all();
  return rows.map(({ lengths, ...row }) => ({
    ...row,
    docs: docs.putPacked(row.lo, row.hi, lengths),
    deleted: 0,
  }));
}

const highestSeg = (connection: Connection): number =>
  connection
    .prepare<{ seg: number }>(
      'SELECT max((SELECT ifnull(max(seg), 0) FROM segs), (SELECT ifnull(max(seg), 0) FROM post)) AS seg',
    )
    .get()!.seg;
