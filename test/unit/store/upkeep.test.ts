// What stays on the disk and what goes: rows and files are counted beside the store.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PageStore } from '../../../src/store/page-store.ts';
import {
  DAY,
  HOUR,
  noise,
  pageToStore,
  queryFor,
  START,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../../conformance/samples.ts';
import { ask, blobFiles, openTemporaryStore } from './temporary-folder.ts';

const URL = 'http://site.test/';
const LARGE = 100_000;

const putLarge = (pages: PageStore, key: string, now: number = START, expiresAt: number | null = null) =>
  pages.save(pageToStore(key, URL, { ...samplePage('', now), bytes: noise(LARGE) }, expiresAt, sampleResult(key, now)));

const counts = (dataDir: string) =>
  Object.fromEntries(
    ['pages', 'results', 'bodies', 'scrapes'].map((table) => [table, ask(dataDir, `SELECT count(*) FROM ${table}`)[0]]),
  );

test('large bodies are files, small ones rows', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await putLarge(store.pages, 'large');
  await store.pages.save(pageToStore('small', URL, samplePage('x'.repeat(LARGE)), null, sampleResult('small')));
  assert.equal(blobFiles(dataDir).length, 1);
  assert.deepEqual(ask(dataDir, 'SELECT blob FROM bodies WHERE blob IS NOT NULL'), blobFiles(dataDir));
});

test('a sweep removes expired pages and scrapes with all that hung on them', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await putLarge(store.pages, 'short', START, START + HOUR);
  await store.scrapes.add({ teamId, credits: 1, now: START }, sampleScrape(teamId, { resultId }));
  await putLarge(store.pages, 'lasting');

  await store.pages.sweep(START + HOUR);
  assert.deepEqual(counts(dataDir), { pages: 1, results: 2, bodies: 3, scrapes: 1 });
  assert.equal(blobFiles(dataDir).length, 1);
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir), { pages: 1, results: 1, bodies: 2, scrapes: 0 });
});

test('a sweep gets through more than one round', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await store.pages.save({ result: sampleResult('shared') });
  for (let i = 0; i < 250; i++) {
    await store.scrapes.add({ teamId, credits: 0, now: START }, sampleScrape(teamId, { resultId }, { id: `${i}` }));
  }
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir), { pages: 0, results: 0, bodies: 0, scrapes: 0 });
});

test('closing in the middle of a sweep ends it in good order', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const resultId = await store.pages.save({ result: sampleResult('shared') });
  for (let i = 0; i < 250; i++) {
    await store.scrapes.add({ teamId, credits: 0, now: START }, sampleScrape(teamId, { resultId }, { id: `${i}` }));
  }
  const sweeps = [store.pages.sweep(START + DAY), store.pages.sweep(START + DAY)];
  await store.close();
  await Promise.all(sweeps);
});

test('the size limit holds through puts, replacements, more results and deletions', async (t) => {
  const cacheMaxBytes = 450_000;
  const { dataDir, store } = await openTemporaryStore(t, { cacheMaxBytes });
  for (let i = 0; i < 20; i++) {
    await putLarge(store.pages, `key ${i % 6}`, START + i);
    const bare = await store.pages.find(queryFor(`key ${i % 6}`, { transformKey: 'other', now: START + i }));
    assert.ok(bare && 'pageId' in bare);
    const wide = { ...sampleResult('', START + i, `t${i}`), outcome: sampleResult(String(noise(9000))).outcome };
    await store.pages.save({ result: wide, pageId: bare.pageId });
    if (i === 10) await store.pages.delete('http://elsewhere.test/');
    assert.ok((ask(dataDir, 'SELECT sum(size) FROM pages')[0] as number) <= cacheMaxBytes);
  }
  assert.ok((ask(dataDir, 'SELECT count(*) FROM pages')[0] as number) >= 3, 'and no more is evicted than needed');
  const ownSize = `size - (SELECT sum(size) FROM results WHERE page_id = pages.id)`;
  assert.deepEqual(ask(dataDir, `SELECT DISTINCT (${ownSize}) BETWEEN ${LARGE} AND ${LARGE} + 1000 FROM pages`), [1]);
});

test('a smaller limit is kept from the first sweep after the next start on', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  for (let i = 0; i < 5; i++) await putLarge(store.pages, `key ${i}`, START + i);
  await store.close();
  const { store: smaller } = await openTemporaryStore(t, { dataDir, cacheMaxBytes: 250_000 });
  await smaller.pages.sweep(START + HOUR);
  assert.deepEqual(ask(dataDir, 'SELECT key FROM pages ORDER BY key'), ['key 3', 'key 4']);
  assert.equal(blobFiles(dataDir).length, 2);
});

test('files that no row names are removed at the start, but not beside a running service', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await putLarge(store.pages, 'kept');
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
  await putLarge(store.pages, 'lost');
  rmSync(fileOf(blobFiles(dataDir)[0]!));
  assert.equal(await store.pages.find(queryFor('lost', { transformKey: 'other' })), undefined);
  await putLarge(store.pages, 'damaged');
  writeFileSync(fileOf(blobFiles(dataDir)[0]!), 'not zstd');
  assert.equal(await store.pages.find(queryFor('damaged', { transformKey: 'other' })), undefined);
  assert.equal(counts(dataDir).pages, 0);
});
