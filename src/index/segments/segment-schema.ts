// The tables of the ranking part. Every number column is declared INTEGER: node:sqlite binds numbers as REAL.

export const SCHEMA = [
  // What is searched beside the tail. A segment whose postings are not written in full has no row here yet.
  `CREATE TABLE IF NOT EXISTS segs (
    seg INTEGER PRIMARY KEY,
    level INTEGER NOT NULL, -- 0: sealed from the tail; each merge is one higher
    lo INTEGER NOT NULL, -- the numbers it answers for, with those that were purged
    hi INTEGER NOT NULL,
    lengths BLOB NOT NULL -- for each document: the gap to the number before it, its length
  ) STRICT`,
  // Rows of segments that have no row in segs are leftovers, and are removed by and by.
  `CREATE TABLE IF NOT EXISTS post (
    seg INTEGER NOT NULL,
    term TEXT NOT NULL,
    df INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    bytes BLOB NOT NULL, -- the gaps after first, then one byte of weight for each document
    PRIMARY KEY (seg, term)
  ) STRICT, WITHOUT ROWID`,
  // One batch of new documents a row. Those up to the highest hi of segs are leftovers.
  'CREATE TABLE IF NOT EXISTS tail (lo INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT',
  // Removed documents whose postings are still there.
  'CREATE TABLE IF NOT EXISTS dead (number INTEGER PRIMARY KEY) STRICT',
];
