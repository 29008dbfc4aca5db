// Large bodies of the embedded store move to an object store after their commit, and are read, removed and swept there.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SHARED } from '../../../../src/page/page-owner.ts';
import { openS3 } from '../../../../src/store/blobs/s3/open-s3.ts';
import { readSecret } from '../../../../src/store/data-folder/data-secret.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import type { SqliteStoreOptions } from '../../../../src/store/sqlite/sqlite-store.ts';
import { makeBackup } from '../../../../src/store/tools/backup/backup.ts';
import { inspectFolder } from '../../../../src/store/tools/inspect/inspect-folder.ts';
import { completePage, startJob, webhookFor } from '../../../conformance/job-samples.ts';
import { DAY, noise, pageToStore, queryFor, START, samplePage, sampleResult } from '../../../conformance/samples.ts';
import { type MemoryBucket, startMemoryBucket } from '../blobs/s3/object-server.ts';
import { blobFiles, OWN_THREAD, openTemporaryStore, queryDatabase, temporaryFolder } from '../temporary-folder.ts';

const FAST = { pauseMs: 1, retryMs: 1, keepMs: 0, sweepMs: 3_600_000 };

interface Scene {
  bucket: MemoryBucket;
  dataDir: string;
  problems: (string | undefined)[];
  /** Opens the folder with the bucket, as the next start of a service does. */
  open(more?: Partial<SqliteStoreOptions>, times?: typeof FAST): Promise<Store>;
  stored(): string[];
}

async function scene(t: TestContext): Promise<Scene> {
  const bucket = await startMemoryBucket(t);
  const { settings } = bucket;
  const dataDir = temporaryFolder(t);
  const problems: (string | undefined)[] = [];
  const open: Scene['open'] = async (more, times = FAST) => {
    const objects = {
      settings,
      open: (isInUse: boolean) => openS3(settings, { owner: 'me', isInUse }),
      onProblem: (problem: string | undefined) => void problems.push(problem),
      times,
    };
    return (await openTemporaryStore(t, { dataDir, objects, ...OWN_THREAD, ...more })).store;
  };
  const stored = () => [...bucket.objects.keys()].filter((key) => key.startsWith('p/blobs/'));
  return { bucket, dataDir, problems, open, stored };
}

/** The mover runs beside the store: it is done at some time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}

const page = (key: string, seed = 1) =>
  pageToStore(
    key,
    `http://site.test/${key}`,
    samplePage(Buffer.from(noise(200_000, seed)).toString('base64')),
    null,
    sampleResult('short'),
  );
const bytesOf = async (store: Store, key: string) => {
  const found = await store.pages.find(queryFor(key, { transformKey: 'none' }));
  return found && 'bytes' in found ? found.bytes.byteLength : undefined;
};
const file = (id: string, bytes: Uint8Array) => ({
  id,
  bytes,
  type: 'image/png',
  createdAt: START,
  expiresAt: START + DAY,
});

test('large bodies leave the folder, small ones stay in their rows', async (t) => {
  const { dataDir, open, stored } = await scene(t);
  const store = await open();
  await store.files.add(file('small', noise(1_000)));
  await store.files.add(file('large', noise(300_000)));
  await store.pages.save(page('a'));
  await until(() => stored().length === 2 && blobFiles(dataDir).length === 0);
  const large = await store.files.find('large', START);
  assert.ok((await buffer(large!.read())).equals(noise(300_000)));
  assert.ok((await buffer(large!.read({ start: 9, end: 99_999 }))).equals(noise(300_000).subarray(9, 100_000)));
  assert.ok((await buffer((await store.files.find('small', START))!.read())).equals(noise(1_000)));
  assert.deepEqual(await store.files.renew('large', { createdAt: START, expiresAt: START + DAY }), {
    type: 'image/png',
  });
  assert.equal(await bytesOf(store, 'a'), Buffer.from(noise(200_000)).toString('base64').length);
});

test('a webhook call is handed out once, with its page from the object store', async (t) => {
  const { dataDir, open, stored } = await scene(t);
  const store = await open({ largestRowBytes: 0 });
  const running = await startJob(store, { webhook: webhookFor('page') });
  await completePage(running, '/', { text: 'Read from elsewhere.' });
  await until(() => stored().length > 0 && blobFiles(dataDir).length === 0);
  const [call] = await store.deliveries.due(START, 10);
  assert.match(Buffer.from(call!.body).toString(), /Read from elsewhere\./);
  assert.deepEqual(await store.deliveries.due(START, 10), []);
});

test('what is removed leaves the object store, too, also if it was on its way', async (t) => {
  const { dataDir, open, stored } = await scene(t);
  const store = await open();
  for (let number = 0; number < 12; number++) {
    await store.pages.save(page(`p${number}`, number + 1));
    if (number % 3 === 0) await wait(number);
    await store.pages.delete(`http://site.test/p${number}`, SHARED);
  }
  await store.pages.save(page('last'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  assert.equal(await bytesOf(store, 'p3'), undefined);
  assert.ok(await bytesOf(store, 'last'));
  await until(() => queryDatabase(dataDir, 'SELECT removed FROM objects').every((removed) => removed === 0));
});

test('a folder from before is moved, and is not opened without its object store', async (t) => {
  const { dataDir, open, stored } = await scene(t);
  const before = await openTemporaryStore(t, { dataDir, ...OWN_THREAD });
  await before.store.pages.save(page('old'));
  await before.store.close();
  assert.equal(blobFiles(dataDir).length, 1);

  const store = await open();
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  await store.pages.save(page('new', 2));
  assert.ok(await bytesOf(store, 'old'));
  assert.ok(await bytesOf(store, 'new'));
  await store.close();
  await assert.rejects(
    openTemporaryStore(t, { dataDir, ...OWN_THREAD }),
    /are in an object store\. Set TRAWL_BLOBS_URL/,
  );
  assert.ok(await bytesOf(await open(), 'old'));
});

test('copies that stay for a while are read without the object store, and go with the next start', async (t) => {
  const { bucket, dataDir, open, stored } = await scene(t);
  const store = await open({}, { ...FAST, keepMs: 3_600_000 });
  await store.pages.save(page('a'));
  await until(() => queryDatabase(dataDir, 'SELECT count(*) FROM objects')[0] === 1);
  bucket.isDown = true;
  assert.ok(await bytesOf(store, 'a'));
  bucket.isDown = false;
  await store.close();
  assert.equal(blobFiles(dataDir).length, 1);
  const next = await open();
  assert.deepEqual([blobFiles(dataDir).length, stored().length], [0, 1]);
  assert.ok(await bytesOf(next, 'a'));
});

test('without the object store everything is written, nothing counts as lost, and all goes on when it is back', async (t) => {
  const { bucket, dataDir, problems, open, stored } = await scene(t);
  const store = await open();
  await store.pages.save(page('before'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  bucket.isDown = true;
  await store.pages.save(page('during', 2));
  assert.ok(await bytesOf(store, 'during'));
  await assert.rejects(bytesOf(store, 'before'), { code: 'STORAGE_UNAVAILABLE', message: /object store/ });
  assert.equal(store.health.problem(), undefined, 'the disk is well');
  await until(() => problems.length === 1);
  assert.match(problems[0]!, /AccessDenied/);
  bucket.isDown = false;
  await until(() => problems.length === 2 && stored().length === 2);
  assert.equal(problems[1], undefined);
  assert.ok(await bytesOf(store, 'before'));
});

test('an object that is lost counts as a missing body', async (t) => {
  const { bucket, dataDir, open, stored } = await scene(t);
  const store = await open();
  await store.pages.save(page('a'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  bucket.objects.delete(stored()[0]!);
  assert.equal(await bytesOf(store, 'a'), undefined);
});

test('objects that nothing refers to are removed at the next start', async (t) => {
  const { bucket, dataDir, open, stored } = await scene(t);
  const store = await open();
  await store.pages.save(page('a'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  await store.close();
  bucket.objects.set(`p/blobs/${'0'.repeat(32)}`, Buffer.from('left by a killed process'));
  bucket.objects.set('other/blobs/a', Buffer.from('of somebody else'));
  const next = await open();
  await until(() => stored().length === 1);
  assert.ok(await bytesOf(next, 'a'));
  assert.ok(bucket.objects.has('other/blobs/a'));
});

test('a bucket of another installation, or an empty one, is refused', async (t) => {
  const { bucket, dataDir, open, stored } = await scene(t);
  const store = await open();
  await store.pages.save(page('a'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  await store.close();
  bucket.objects.set('p/owner', Buffer.from('somebody else'));
  await assert.rejects(open(), /belongs to another installation/);
  bucket.objects.clear();
  await assert.rejects(open(), /already has objects, but not in/);
});

test('a backup and the doctor know that contents are elsewhere', async (t) => {
  const { dataDir, open, stored } = await scene(t);
  const store = await open();
  await store.pages.save(page('a'));
  await until(() => stored().length === 1 && blobFiles(dataDir).length === 0);
  await store.close();
  readSecret(dataDir);
  const target = join(temporaryFolder(t), 'backup');
  const { lost, moved } = await makeBackup({ dataDir, target, now: START });
  assert.deepEqual([lost, moved], [0, 1]);
  const findings = inspectFolder({ dataDir, minFreeBytes: 0, now: START });
  const { state, text } = findings.find(({ check }) => check === 'blobs')!;
  assert.deepEqual([state, text], ['ok', 'all 0 large contents are there; 1 more are in the object store']);
});
