// The tables of index.db, except those of the inverted index (segments/segment-schema.ts). All of it can be rebuilt
// from the store.

/** Raise it when tables or term analysis change: the file is then rebuilt, never migrated. */
export const SCHEMA_VERSION = 2;

/** Only has to keep our own terms in one piece. They consist of letters, digits and marks. */
const TOKENIZER = `unicode61 remove_diacritics 0 categories ''L* N* M* Co''`;

export const SCHEMA = `
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

-- What filters and scores need of every document: narrow, for it is read as a whole at the start.
CREATE TABLE docs (
  id INTEGER PRIMARY KEY,
  key INTEGER NOT NULL,
  host TEXT NOT NULL,
  date INTEGER NOT NULL,
  locale TEXT NOT NULL,
  type TEXT NOT NULL,
  flags INTEGER NOT NULL,
  quality INTEGER NOT NULL,
  images INTEGER NOT NULL,
  inlinks INTEGER NOT NULL,
  anchors INTEGER NOT NULL
);

-- What is shown, and what it takes to index the page again. The large columns come last: what stands before a value is read with it.
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  image TEXT,
  published INTEGER NOT NULL,
  language TEXT NOT NULL,
  simhash TEXT NOT NULL,
  length INTEGER NOT NULL,
  images TEXT,
  content BLOB NOT NULL
);

-- Which hosts lead to an address, with which words, on how many of their pages. Both ends are keys of 52 bits.
CREATE TABLE links (
  target INTEGER NOT NULL,
  host INTEGER NOT NULL,
  text TEXT NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (target, host, text)
) WITHOUT ROWID;

-- Documents to which other links lead than when they were looked at last.
CREATE TABLE again (id INTEGER PRIMARY KEY);

CREATE VIRTUAL TABLE fts USING fts5 (
  title, url, body,
  content = '', contentless_delete = 1, tokenize = '${TOKENIZER}'
);
INSERT INTO fts (fts, rank) VALUES ('automerge', 0);
INSERT INTO fts (fts, rank) VALUES ('crisismerge', 1000);
INSERT INTO fts (fts, rank) VALUES ('usermerge', 8);

PRAGMA user_version = ${SCHEMA_VERSION};
`;
