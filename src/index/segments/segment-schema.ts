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
  // Postings by segment and term. Rows of segments without a row in segs are leftovers, removed in the background.
  `CREATE TABLE IF NOT EXISTS post (
    seg INTEGER NOT NULL,
    term TEXT NOT NULL,
    df INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    bytes BLOB NOT NULL, -- gaps between ids after first, then one byte of weight per doc
    PRIMARY KEY (seg, term)
  ) STRICT, WITHOUT ROWID`,
  // Log of the write buffer: one row per batch. Rows up to the highest `hi` of segs are leftovers.
  'CREATE TABLE IF NOT EXISTS tail (lo INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT',
  // Log of occurrences that were added to docs in the write buffer. Rows of flushed docs are leftovers.
  'CREATE TABLE IF NOT EXISTS amended (seq INTEGER PRIMARY KEY, doc INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT',
  // Tombstones: deleted docs whose postings still exist.
  'CREATE TABLE IF NOT EXISTS dead (number INTEGER PRIMARY KEY) STRICT',
];
