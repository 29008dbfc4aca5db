// The valid segments on disk, with their postings in order of the terms. Segments are immutable; a merge replaces several by
// one.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { DocTable } from './doc-table.ts';
import { BlockReader, type PostingBlock } from './postings/posting-block.ts';
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
  write(seg: number, block: PostingBlock): void;
  blocksAfter(seg: number, key: string, limit: number): PostingBlock[];
  /**
   * Call `replace` in a transaction: `written` takes the place of all segments in its range. Call `replaced` after the
   * commit.
   */
  replace(written: NewSegment): void;
  replaced(written: NewSegment): void;
}

/** A short prefix may have a hundred thousand keys. */
const MOST_STARTING = 2_000;
/** Blocks read at once for a prefix. */
const BLOCKS_STARTING = 8;

export function createSegments(connection: SqliteConnection, docs: DocTable): Segments {
  let all: Segment[] = loadSegments(connection, docs);
  let highest = highestSeg(connection);
  const insertBlock = connection.prepare('INSERT INTO post (seg, term, bytes) VALUES (?, ?, ?)');
  const selectBlock = connection.prepare<PostingBlock>(
    'SELECT term, bytes FROM post WHERE seg = ? AND term <= ? ORDER BY term DESC LIMIT 1',
  );
  const selectAfter = connection.prepare<PostingBlock>(
    'SELECT term, bytes FROM post WHERE seg = ? AND term > ? ORDER BY term LIMIT ?',
  );
  const removeSegments = connection.prepare('DELETE FROM segs WHERE lo >= ? AND hi <= ?');
  const insertSegment = connection.prepare('INSERT INTO segs (seg, level, lo, hi, lengths) VALUES (?, ?, ?, ?, ?)');

  const rowsOf = (key: string): PostingRow[] =>
    all.flatMap(({ seg }) => {
      const block = selectBlock.get(seg, key);
      return (block && new BlockReader(block.bytes).find(key)) ?? [];
    });
  function* blocksFrom(seg: number, key: string): Generator<PostingBlock> {
    const first = selectBlock.get(seg, key);
    if (first) yield first;
    for (let last = first?.term ?? ''; ; ) {
      const blocks = selectAfter.all(seg, last, BLOCKS_STARTING);
      yield* blocks;
      if (blocks.length < BLOCKS_STARTING) return;
      last = blocks.at(-1)!.term;
    }
  }
  function keysStartingIn(seg: number, prefix: string): { key: string; df: number }[] {
    const found: { key: string; df: number }[] = [];
    for (const { bytes } of blocksFrom(seg, prefix)) {
      const reader = new BlockReader(bytes);
      for (let row = reader.next(); row; row = reader.next()) {
        if (row.term.startsWith(prefix)) found.push({ key: row.term, df: row.df });
        else if (row.term > prefix) return found;
        if (found.length === MOST_STARTING) return found;
      }
    }
    return found;
  }

  return {
    get all() {
      return all;
    },
    get hi() {
      return all.at(-1)?.hi ?? 0;
    },
    nextSeg: () => ++highest,
    segmentOf: (docId) => all.find(({ lo, hi }) => lo <= docId && docId <= hi),
    list: (key) => decodePostings(rowsOf(key)),
    docFrequency: (key) => rowsOf(key).reduce((sum, { df }) => sum + df, 0),
    keysStarting: (prefix) => all.flatMap(({ seg }) => keysStartingIn(seg, prefix)),
    write: (seg, { term, bytes }) => void insertBlock.run(seg, term, bytes),
    blocksAfter: (seg, key, limit) => selectAfter.all(seg, key, limit),
    replace({ seg, level, lo, hi, lengths }) {
      removeSegments.run(lo, hi);
      insertSegment.run(seg, level, lo, hi, lengths);
    },
    replaced({ lengths: _, ...written }) {
      const others = all.filter(({ lo, hi }) => lo < written.lo || hi > written.hi);
      all = [...others, written].sort((a, b) => a.lo - b.lo);
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
