// The tables of the inverted index. Every number column is declared INTEGER, because node:sqlite binds numbers as REAL.

export const SCHEMA = [
  // Valid segments. One whose postings are still being written has no row yet.
  `CREATE TABLE IF NOT EXISTS segs (
    seg INTEGER PRIMARY KEY,
    level INTEGER NOT NULL, -- 0 after a flush; each merge is one level higher
    lo INTEGER NOT NULL, -- range of doc ids, purged ones included
    hi INTEGER NOT NULL,
    lengths BLOB NOT NULL -- for each doc: gap to the previous id, length
  ) STRICT`,
  // Postings by segment, in blocks of several terms. Those of segments without a row in segs are leftovers, removed in the
  // background. An ordinary table, because one that is its own index leaves a quarter of each page empty.
  `CREATE TABLE IF NOT EXISTS post (
    id INTEGER PRIMARY KEY,
    seg INTEGER NOT NULL,
    term TEXT NOT NULL, -- the first one
    bytes BLOB NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX IF NOT EXISTS post_terms ON post (seg, term)',
  // Log of the write buffer: one row per batch. Rows up to the highest `hi` of segs are leftovers.
  'CREATE TABLE IF NOT EXISTS tail (lo INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT',
  // Log of occurrences that were added to docs in the write buffer. Rows of flushed docs are leftovers.
  'CREATE TABLE IF NOT EXISTS amended (seq INTEGER PRIMARY KEY, doc INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT',
  // Tombstones: deleted docs whose postings still exist.
  'CREATE TABLE IF NOT EXISTS dead (number INTEGER PRIMARY KEY) STRICT',
];
