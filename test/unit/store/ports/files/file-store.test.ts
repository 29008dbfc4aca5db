// What stored files leave on disk, checked outside the store.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { DAY, HOUR, noise, START } from '../../../../conformance/samples.ts';
import { blobFiles, openTemporaryStore, queryDatabase } from '../../temporary-folder.ts';

const LARGE = 100_000;

const add = ({ files }: Store, id: string, size: number, createdAt = START) =>
  files.add({ id, bytes: noise(size), type: 'image/png', createdAt, expiresAt: createdAt + DAY });

const pathOf = (dataDir: string, blob: string) => join(dataDir, 'blobs', blob.slice(0, 2), blob);

const rows = (dataDir: string) =>
  queryDatabase(dataDir, 'SELECT count(*) FROM files UNION ALL SELECT count(*) FROM bodies').concat(
    blobFiles(dataDir).length,
  );

test('a large file is stored unchanged on disk, readable by its owner only; a small one in its row', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await add(store, 'large', LARGE);
  await add(store, 'small', 1_000);
  const [blob, ...others] = blobFiles(dataDir);
  assert.deepEqual(others, []);
  assert.ok(readFileSync(pathOf(dataDir, blob!)).equals(noise(LARGE)));
  assert.equal(statSync(pathOf(dataDir, blob!)).mode & 0o777, 0o600);
});

test('a sweep deletes expired files in several rounds', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await add(store, 'large', LARGE);
  await add(store, 'later', LARGE, START + HOUR);
  for (let i = 0; i < 120; i++) await add(store, `small ${i}`, 10);
  await store.pages.sweep(START + DAY);
  assert.deepEqual(rows(dataDir), [1, 1, 1]);
  assert.ok(await store.files.find('later', START + DAY));
});

test('evicted files are deleted from disk', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t, { filesMaxBytes: 2 * LARGE });
  for (let i = 0; i < 5; i++) await add(store, `${i}`, LARGE, START + i);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT id FROM files ORDER BY id'), ['3', '4']);
  assert.deepEqual(rows(dataDir), [2, 2, 2]);
});

test('a lowered size limit is enforced by the first sweep after a restart', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  for (let i = 0; i < 5; i++) await add(store, `${i}`, LARGE, START + i);
  await store.close();
  const { store: smaller } = await openTemporaryStore(t, { dataDir, filesMaxBytes: 2.5 * LARGE });
  await smaller.pages.sweep(START + HOUR);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT id FROM files ORDER BY id'), ['3', '4']);
});

test('files survive a restart, and files without a row are deleted', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await add(store, 'large', LARGE);
  await store.close();
  const [blob] = blobFiles(dataDir);
  writeFileSync(`${pathOf(dataDir, blob!)}.tmp`, 'of a write that was cut off');
  const { store: again } = await openTemporaryStore(t, { dataDir });
  assert.deepEqual(blobFiles(dataDir), [blob]);
  assert.ok((await buffer((await again.files.find('large', START))!.read())).equals(noise(LARGE)));
});

test('a truncated or missing file is not found, and is swept like any other', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await add(store, 'large', LARGE);
  const [blob] = blobFiles(dataDir);
  truncateSync(pathOf(dataDir, blob!), 100);
  assert.equal(await store.files.find('large', START), undefined);
  rmSync(pathOf(dataDir, blob!));
  assert.equal(await store.files.find('large', START), undefined);
  await store.pages.sweep(START + DAY);
  assert.deepEqual(rows(dataDir), [0, 0, 0]);
});

test('an adopted file is readable by its owner only, and adopting a missing file leaves no row', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const path = join(dataDir, 'made-elsewhere');
  writeFileSync(path, noise(LARGE), { mode: 0o644 });
  const facts = { type: 'video/mp4', createdAt: START, expiresAt: START + DAY };
  await store.files.adopt({ ...facts, id: 'adopted', path });
  const [blob] = blobFiles(dataDir);
  assert.equal(statSync(pathOf(dataDir, blob!)).mode & 0o777, 0o600);
  await assert.rejects(store.files.adopt({ ...facts, id: 'lost', path }));
  assert.deepEqual(rows(dataDir), [1, 1, 1]);
});

test('a file that cannot be written leaves no row and does not count towards the size limit', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t, { filesMaxBytes: LARGE + 1_000 });
  await add(store, 'small', 1_000);
  await assert.rejects(add(store, 'small', LARGE));
  assert.deepEqual(rows(dataDir), [1, 1, 0]);
  await add(store, 'large', LARGE);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT id FROM files ORDER BY id'), ['large', 'small']);
});
