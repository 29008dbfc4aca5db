// The thread of the peer: stores the same bytes as the index in one FTS5 table, and answers from it.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { IndexEntry } from '../../src/page/index-entry.ts';
import { serveThread } from '../../src/runtime/threads/thread.ts';
import { HITS, type IndexEngine } from './index-engine.ts';
import type { BenchQuery } from './index-queries.ts';

const database = new DatabaseSync((workerData as { file: string }).file);
database.exec(`
PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 2000000000;
CREATE VIRTUAL TABLE pages USING fts5 (
  title, body, host UNINDEXED, date UNINDEXED, tokenize = 'porter unicode61'
);`);

const insert = database.prepare('INSERT INTO pages (rowid, title, body, host, date) VALUES (?, ?, ?, ?, ?)');
const ranked = select('WHERE pages MATCH ? ORDER BY rank');
const onSite = select('WHERE pages MATCH ? AND host = ? ORDER BY rank');
const byDate = select('WHERE pages MATCH ? ORDER BY date DESC');

function select(where: string) {
  return database.prepare(`SELECT rowid, title, host FROM pages ${where} LIMIT ${HITS}`);
}

function hitsFor({ match, site, sortByDate }: BenchQuery): unknown[] {
  if (site !== undefined) return onSite.all(match, site);
  return (sortByDate ? byDate : ranked).all(match);
}

serveThread<IndexEngine>({
  apply(changes) {
    const decoder = new TextDecoder();
    database.exec('BEGIN');
    for (const { change, url, entry, firstSeenAt } of changes) {
      const { title, body, publishedAt } = JSON.parse(decoder.decode(entry!)) as IndexEntry;
      insert.run(change, title, body, new URL(url).hostname, publishedAt ?? firstSeenAt);
    }
    database.exec('COMMIT');
  },
  ask: (query) => hitsFor(query).length,
  close: () => database.close(),
});
