// Which cached pages and scrapes stay on disk: rows and files are counted outside the store.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SHARED } from '../../../src/page/page-owner.ts';
import type { PageStore } from '../../../src/store/ports/pages/page-store.ts';
import {
  DAY,
  HOUR,
  noise,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../../conformance/samples.ts';
import { blobFiles, openTemporaryStore, queryDatabase } from './temporary-folder.ts';

const URL = 'http://site.test/';
const LARGE = 100_000;

const saveLarge = (pages: PageStore, key: string, now: number = START, expiresAt: number | null = null) =>
  pages.save(pageToStore(key, URL, { ...samplePage('', now), bytes: noise(LARGE) }, expiresAt, sampleResult(key, now)));

const counts = (dataDir: string) =>
  Object.fromEntries(
    ['pages', 'results', 'bodies', 'scrapes'].map((table) => [
      table,
      queryDatabase(dataDir, `SELECT count(*) FROM ${table}`)[0],
    ]),
  );

test('large bodies are stored as files, small ones in rows', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await saveLarge(store.pages, 'large');
  await store.pages.save(pageToStore('small', URL, samplePage('x'.repeat(LARGE)), null, sampleResult('small')));
  assert.equal(blobFiles(dataDir).length, 1);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT blob FROM bodies WHERE blob IS NOT NULL'), blobFiles(dataDir));
});

test('a sweep removes expired pages and scrapes with everything that belongs to them', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await saveLarge(store.pages, 'short', START, START + HOUR);
  await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }));
  await saveLarge(store.pages, 'lasting');

  await store.pages.sweep(START + HOUR);
  assert.deepEqual(counts(dataDir), { pages: 1, results: 2, bodies: 3, scrapes: 1 });
  assert.equal(blobFiles(dataDir).length, 1);
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir), { pages: 1, results: 1, bodies: 2, scrapes: 0 });
});

test('a sweep takes as many rounds as it needs', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await store.pages.save({ result: sampleResult('shared') });
  for (let i = 0; i < 250; i++) {
    await store.scrapes.add(sampleCharge(teamId, { credits: 0 }), sampleScrape(teamId, { resultId }, { id: `${i}` }));
  }
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir), { pages: 0, results: 0, bodies: 0, scrapes: 0 });
});

test('closing during a sweep ends it cleanly', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await store.pages.save({ result: sampleResult('shared') });
  for (let i = 0; i < 250; i++) {
    await store.scrapes.add(sampleCharge(teamId, { credits: 0 }), sampleScrape(teamId, { resultId }, { id: `${i}` }));
  }
  const sweeps = [store.pages.sweep(START + DAY), store.pages.sweep(START + DAY)];
  await store.close();
  await Promise.all(sweeps);
});

test('the size limit holds through inserts, replacements, more results and deletions', async (t) => {
  const cacheMaxBytes = 450_000;
  const { dataDir, store } = await openTemporaryStore(t, { cacheMaxBytes });
  for (let i = 0; i < 20; i++) {
    await saveLarge(store.pages, `key ${i % 6}`, START + i);
    const bare = await store.pages.find(queryFor(`key ${i % 6}`, { transformKey: 'other', now: START + i }));
    assert.ok(bare && 'pageId' in bare);
    const wide = { ...sampleResult('', START + i, `t${i}`), outcome: sampleResult(String(noise(9000))).outcome };
    await store.pages.save({ result: wide, pageId: bare.pageId });
    if (i === 10) await store.pages.delete('http://elsewhere.test/', SHARED);
    assert.ok((queryDatabase(dataDir, 'SELECT sum(size) FROM pages')[0] as number) <= cacheMaxBytes);
  }
  assert.ok((queryDatabase(dataDir, 'SELECT count(*) FROM pages')[0] as number) >= 3, 'no more is evicted than needed');
  const ownSize = `size - (SELECT sum(size) FROM results WHERE page_id = pages.id)`;
  assert.deepEqual(
    queryDatabase(dataDir, `SELECT DISTINCT (${ownSize}) BETWEEN ${LARGE} AND ${LARGE} + 1000 FROM pages`),
    [1],
  );
});

test('a lowered size limit is enforced by the first sweep after a restart', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  for (let i = 0; i < 5; i++) await saveLarge(store.pages, `key ${i}`, START + i);
  await store.close();
  const { store: smaller } = await openTemporaryStore(t, { dataDir, cacheMaxBytes: 250_000 });
  await smaller.pages.sweep(START + HOUR);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT key FROM pages ORDER BY key'), ['key 3', 'key 4']);
  assert.equal(blobFiles(dataDir).length, 2);
});

test('files without a row are removed at startup, but not beside a running service', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await saveLarge(store.pages, 'kept');
  const [kept] = blobFiles(dataDir);
  const orphans = ['0123456789abcdef', `${kept}.tmp`];
  for (const name of orphans) writeFileSync(join(dataDir, 'blobs', kept!.slice(0, 2), name), 'x');
  const beside = await openTemporaryStore(t, { dataDir, lock: false });
  await beside.store.close();
  assert.equal(blobFiles(dataDir).length, 3);
  await store.close();
  await openTemporaryStore(t, { dataDir });
  assert.deepEqual(blobFiles(dataDir), [kept]);
});

test('a page whose file is lost or damaged counts as not cached', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const fileOf = (name: string) => join(dataDir, 'blobs', name.slice(0, 2), name);
  await saveLarge(store.pages, 'lost');
  rmSync(fileOf(blobFiles(dataDir)[0]!));
  assert.equal(await store.pages.find(queryFor('lost', { transformKey: 'other' })), undefined);
  await saveLarge(store.pages, 'damaged');
  writeFileSync(fileOf(blobFiles(dataDir)[0]!), 'not zstd');
  assert.equal(await store.pages.find(queryFor('damaged', { transformKey: 'other' })), undefined);
  assert.equal(counts(dataDir).pages, 0);
});
