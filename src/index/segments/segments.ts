// The valid segments on disk, with one row of postings per term. Segments are immutable; a merge replaces several by
// one.
import type { SqliteConnection, Statement } from '../../runtime/sqlite/sqlite.ts';
import type { DocTable } from './doc-table.ts';
import { decodePostings, type PostingList, type PostingRow } from './postings/posting-list.ts';

export interface Segment {
  seg: number;
  level: number;
  lo: number;
  hi: number;
  /** Includes deleted docs, which are also counted in `deleted`. */
  docs: number;
  deleted: number;
}

export interface NewSegment extends Segment {
  lengths: Uint8Array;
}

export interface Segments {
  /** In ascending order of doc ids. */
  readonly all: readonly Segment[];
  /** The highest flushed doc id. */
  readonly hi: number;
  /** The number for a new segment, never used before, not even by leftovers. */
  nextSeg(): number;
  segmentOf(docId: number): Segment | undefined;
  list(key: string): PostingList;
  docFrequency(key: string): number;
  /** Keys with a prefix and how many docs have them. Looks at a bounded number of keys in each segment. */
  keysStarting(prefix: string): { key: string; df: number }[];
  write(seg: number, row: PostingRow): void;
  rowsAfter(seg: number, key: string, limit: number): PostingRow[];
  /**
   * Call `replace` in a transaction: `written` takes the place of all segments in its range. Call `replaced` after the
   * commit.
   */
  replace(written: NewSegment): void;
  replaced(written: NewSegment): void;
}

/** Sorts after every key that continues a prefix. */
const AFTER_ALL = '\uffff';
/** A short prefix may have a hundred thousand keys. */
const MOST_STARTING = 2_000;

export function createSegments(connection: SqliteConnection, docs: DocTable): Segments {
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
  const selectStarting = connection.prepare<{ key: string; df: number }>(
    'SELECT term AS key, df FROM post WHERE seg = ? AND term >= ? AND term < ? LIMIT ?',
  );
  const removeSegments = connection.prepare('DELETE FROM segs WHERE lo >= ? AND hi <= ?');
  const insertSegment = connection.prepare('INSERT INTO segs (seg, level, lo, hi, lengths) VALUES (?, ?, ?, ?, ?)');

  // One query for all segments, which skips rows of unfinished or replaced ones.
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
    keysStarting: (prefix) =>
      all.flatMap(({ seg }) => selectStarting.all(seg, prefix, `${prefix}${AFTER_ALL}`, MOST_STARTING)),
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

function loadSegments(connection: SqliteConnection, docs: DocTable): Segment[] {
  const rows = connection
    .prepare<Omit<NewSegment, 'documents' | 'dead'>>('SELECT seg, level, lo, hi, lengths FROM segs ORDER BY lo')
    .all();
  return rows.map(({ lengths, ...row }) => ({
    ...row,
    docs: docs.putPacked(row.lo, row.hi, lengths),
    deleted: 0,
  }));
}

const highestSeg = (connection: SqliteConnection): number =>
  connection
    .prepare<{ seg: number }>(
      'SELECT max((SELECT ifnull(max(seg), 0) FROM segs), (SELECT ifnull(max(seg), 0) FROM post)) AS seg',
    )
    .get()!.seg;
