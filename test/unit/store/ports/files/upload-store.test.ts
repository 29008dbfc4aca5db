// What uploads leave on disk, checked outside the store.
import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { NewUpload, UploadContent } from '../../../../../src/store/ports/files/upload-store.ts';
import { DAY, noise, START } from '../../../../conformance/samples.ts';
import { blobFiles, openTemporaryStore, queryDatabase } from '../../temporary-folder.ts';

const LIMIT = 10;

async function* once(bytes: Uint8Array, before?: Promise<unknown>): UploadContent {
  await before;
  yield bytes;
}

async function scene(t: TestContext) {
  const opened = await openTemporaryStore(t);
  const { id: teamId } = await opened.store.teams.ensureTeam('own', START);
  const upload = (id: string): NewUpload => ({
    id,
    teamId,
    name: 'a.pdf',
    type: 'application/pdf',
    createdAt: START,
    openUntil: START + 1_000,
    expiresAt: START + DAY,
  });
  const incoming = () => readdirSync(join(opened.dataDir, 'incoming'));
  return { ...opened, upload, incoming };
}

test('a received file is readable by its owner only, and is removed with its upload', async (t) => {
  const { store, dataDir, upload, incoming } = await scene(t);
  for (const id of ['removed', 'expired']) {
    await store.uploads.add(upload(id), LIMIT);
    await store.uploads.receive(id, once(noise(10)));
  }
  const [name] = blobFiles(dataDir);
  assert.equal(statSync(join(dataDir, 'blobs', name!.slice(0, 2), name!)).mode & 0o777, 0o600);
  assert.deepEqual([blobFiles(dataDir).length, incoming()], [2, []]);
  await store.uploads.remove('removed');
  assert.equal(blobFiles(dataDir).length, 1);
  await store.pages.sweep(START + DAY);
  assert.deepEqual([blobFiles(dataDir), queryDatabase(dataDir, 'SELECT count(*) FROM bodies')], [[], [0]]);
});

test('when two files arrive at once, one is stored and the other leaves nothing behind', async (t) => {
  const { store, dataDir, upload, incoming } = await scene(t);
  await store.uploads.add(upload('a'), LIMIT);
  const { promise, resolve } = Promise.withResolvers<void>();
  const both = Promise.all([1_000, 2_000].map((size) => store.uploads.receive('a', once(noise(size), promise))));
  resolve();
  assert.deepEqual((await both).sort(), [false, true]);
  assert.deepEqual([blobFiles(dataDir).length, incoming()], [1, []]);
});

test('a held file has no name, and an aborted upload leaves nothing behind', async (t) => {
  const { store, upload, incoming } = await scene(t);
  const held = await store.uploads.hold(once(noise(100_000)));
  assert.deepEqual(incoming(), []);
  await held.release();
  await store.uploads.add(upload('a'), LIMIT);
  const broken = (async function* () {
    yield noise(1_000);
    throw new Error('cut');
  })();
  await assert.rejects(store.uploads.receive('a', broken), /cut/);
  assert.deepEqual(incoming(), []);
});

test('a start removes partial files and keeps complete ones', async (t) => {
  const { store, dataDir, upload, incoming } = await scene(t);
  await store.uploads.add(upload('a'), LIMIT);
  await store.uploads.receive('a', once(noise(1_000)));
  await store.close();
  writeFileSync(join(dataDir, 'incoming', 'half'), 'half');
  const { store: again } = await openTemporaryStore(t, { dataDir });
  assert.deepEqual(incoming(), []);
  assert.deepEqual(new Uint8Array((await again.uploads.read('a', START))!), noise(1_000));
});

test('a truncated file is not found', async (t) => {
  const { store, dataDir, upload } = await scene(t);
  await store.uploads.add(upload('a'), LIMIT);
  await store.uploads.receive('a', once(noise(1_000)));
  const [name] = blobFiles(dataDir);
  truncateSync(join(dataDir, 'blobs', name!.slice(0, 2), name!), 500);
  assert.equal(await store.uploads.read('a', START), undefined);
});
