// A database that may not grow any more: what is given up, in which order, and what callers are told.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConnection } from '../../../../../src/runtime/sqlite/sqlite.ts';
import { createStoreHealth } from '../../../../../src/store/calls/store-health.ts';
import { createDiskGuard } from '../../../../../src/store/sqlite/database/disk-guard.ts';
import { watchFreeSpace } from '../../../../../src/store/sqlite/database/free-space.ts';
import { openDatabase } from '../../../../../src/store/sqlite/database/open-database.ts';
import { pageToStore, queryFor, START, samplePage, sampleResult } from '../../../../conformance/samples.ts';
import { openTemporaryStore, temporaryFolder } from '../../temporary-folder.ts';

const SCHEMA = { version: 1, sql: 'CREATE TABLE cache (id INTEGER PRIMARY KEY, text); CREATE TABLE answers (text)' };
const NOTE = 'x'.repeat(3_000);

function openFull(t: Parameters<typeof temporaryFolder>[0]) {
  const database = openDatabase(join(temporaryFolder(t), 'store.db'), [SCHEMA]);
  t.after(() => database.close());
  const connection = createConnection(database);
  const cache = connection.prepare('INSERT INTO cache (text) VALUES (?)');
  const evict = connection.prepare('DELETE FROM cache WHERE id IN (SELECT id FROM cache ORDER BY id LIMIT ?)');
  const answer = connection.prepare('INSERT INTO answers (text) VALUES (?)');
  const count = (table: string) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()!.rows;
  for (let row = 0; row < 40; row++) cache.run(NOTE);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const dropped: string[] = [];
  const guard = createDiskGuard({
    reserve: { fill: () => {}, drop: () => dropped.push('reserve') },
    evictors: [(limit) => Number(evict.run(limit).changes)],
    checkpoint: () => {},
    touch: () => void answer.run(NOTE),
  });
  return { guard, answer: () => guard.run(() => void answer.run(NOTE)), count, dropped, database };
}

test('a call that does not fit is repeated after as little as possible was given up', async (t) => {
  const { answer, count, dropped } = openFull(t);
  // The first one fits in the page that the empty table has.
  await answer();
  await answer();
  assert.equal(count('answers'), 2);
  assert.deepEqual(dropped, ['reserve']);
  assert.ok((count('cache') as number) >= 30, 'more was given up than needed');
});

test('when nothing is left to give up, callers are told why, and everything is as before', async (t) => {
  const { answer, count, guard } = openFull(t);
  const problem = { code: 'STORAGE_UNAVAILABLE', message: /because the disk is full/ };
  await assert.rejects(async () => {
    for (;;) await answer();
  }, problem);
  assert.equal(count('cache'), 0);
  const stored = count('answers');
  await assert.rejects(guard.probe(), problem);
  assert.equal(count('answers'), stored);
});

test('waiting calls are made again once a write has succeeded', async () => {
  let isFull = true;
  const seen: (string | undefined)[] = [];
  const health = createStoreHealth({
    probe: async () => {
      if (isFull) throw new Error('full');
    },
    onChange: (problem) => seen.push(problem),
  });
  const calls: boolean[] = [];
  const write = async () => {
    calls.push(isFull);
    if (isFull) throw health.noteFailure({ code: 'STORAGE_UNAVAILABLE', message: 'It is full.' });
    return 'written';
  };
  const waiting = health.persist(write, new AbortController().signal);
  while (calls.length === 0 || health.problem() === undefined) await new Promise(setImmediate);
  assert.equal(health.problem(), 'It is full.');
  isFull = false;
  assert.equal(await waiting, 'written');
  assert.deepEqual([calls, seen, health.problem()], [[true, false], ['It is full.', undefined], undefined]);
});

test('a waiting call ends with its signal', async () => {
  const health = createStoreHealth({ probe: () => Promise.reject(new Error('full')) });
  const stop = new AbortController();
  const waiting = health.persist(() => {
    throw health.noteFailure({ code: 'STORAGE_UNAVAILABLE', message: 'It is full.' });
  }, stop.signal);
  stop.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  health.close();
});

test('cached pages are evicted while the disk has less free space than it should have', async (t) => {
  const everything = Number.MAX_SAFE_INTEGER;
  const { store } = await openTemporaryStore(t, { minFreeBytes: everything });
  await store.pages.save(pageToStore('key', 'http://site.test/', samplePage('text'), null, sampleResult('text')));
  assert.equal(await store.pages.find(queryFor('key', { now: START })), undefined);
  const { store: roomy } = await openTemporaryStore(t, { minFreeBytes: 1 });
  await roomy.pages.save(pageToStore('key', 'http://site.test/', samplePage('text'), null, sampleResult('text')));
  assert.ok(await roomy.pages.find(queryFor('key', { now: START })));
});

test('space inside the database file counts as free', (t) => {
  const { database } = openFull(t);
  database.exec('DELETE FROM cache');
  const folder = temporaryFolder(t);
  const connection = createConnection(database);
  const { freelist_count: pages } = database.prepare('PRAGMA freelist_count').get() as { freelist_count: number };
  assert.ok(pages > 10);
  const disk = Number.MAX_SAFE_INTEGER - watchFreeSpace(folder, connection, Number.MAX_SAFE_INTEGER)();
  assert.ok(disk > pages * 4096);
  assert.equal(watchFreeSpace(folder, connection, 0)(), 0);
});
