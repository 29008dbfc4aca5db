// The tables of index.db, except those of the inverted index (segments/segment-schema.ts). All of it can be rebuilt
// from the store. When its version changes, the file is rebuilt and never migrated.
import { hashOf } from '../util/hash.ts';
import { lazy } from '../util/lazy.ts';
import { analysedSample } from './ingest/analysis-sample.ts';
import { SCHEMA as VECTOR_SCHEMA } from './meaning/page-vectors.ts';
import { STORED_WEIGHTS } from './ranking/ranking-weights.ts';
import { SCHEMA as SEGMENT_SCHEMA } from './segments/segment-schema.ts';

/** Raise it when rows, postings, logs or vectors are encoded in another way: the hash does not show that. */
export const ENCODING = 2;

/** Only has to keep our own terms in one piece. They consist of letters, digits and marks. */
const TOKENIZER = `unicode61 remove_diacritics 0 categories ''L* N* M* Co''`;

export const SCHEMA = `
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

-- What filters and scores need to know about every page. Narrow rows, since all of them are read at the start.
CREATE TABLE docs (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  key INTEGER NOT NULL,
  host TEXT NOT NULL,
  date INTEGER NOT NULL,
  locale TEXT NOT NULL,
  type TEXT NOT NULL,
  flags INTEGER NOT NULL,
  verified INTEGER NOT NULL,
  quality INTEGER NOT NULL,
  images INTEGER NOT NULL,
  inlinks INTEGER NOT NULL,
  anchors INTEGER NOT NULL
);

-- What results show. Small, since a search reads it of many pages.
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
  images TEXT
);

-- The text of each page and its links, compressed: what passages come from, and what it takes to reindex a page.
CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

-- Which hosts link to a URL, with which text, on how many of their pages. Target and host are 52-bit URL keys.
CREATE TABLE links (
  target INTEGER NOT NULL,
  host INTEGER NOT NULL,
  text TEXT NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (target, host, text)
) WITHOUT ROWID;

-- The anchor texts that are indexed with a page, one per line.
CREATE TABLE anchors (id INTEGER PRIMARY KEY, texts TEXT NOT NULL);

-- Pages whose inbound links have changed since they were last indexed.
CREATE TABLE again (id INTEGER PRIMARY KEY);

${VECTOR_SCHEMA}
CREATE VIRTUAL TABLE fts USING fts5 (
  title, url,
  content = '', contentless_delete = 1, tokenize = '${TOKENIZER}'
);
INSERT INTO fts (fts, rank) VALUES ('automerge', 0);
INSERT INTO fts (fts, rank) VALUES ('crisismerge', 1000);
INSERT INTO fts (fts, rank) VALUES ('usermerge', 8);
`;

/** Follows from the tables, from what is made of a page, and from the weights that are stored with its terms. */
export const schemaVersionFor = (weights: object): number =>
  Number.parseInt(hashOf(ENCODING, SCHEMA, SEGMENT_SCHEMA, weights, analysedSample()).slice(0, 8), 16) & 0x7fffffff;

export const schemaVersion = lazy(() => schemaVersionFor(STORED_WEIGHTS));
