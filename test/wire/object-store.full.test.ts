// A service whose large contents are in an object store: links work as before, or lead to the object store if that is set.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createFileLinks } from '../../src/operations/files.ts';
import { readSecret } from '../../src/store/data-folder/data-secret.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { noise } from '../conformance/samples.ts';
import { BATCH, runBatch } from '../support/jobs.ts';
import { startService, startServiceWith } from '../support/service.ts';
import { startWeb } from '../support/web.ts';
import { startMemoryBucket } from '../unit/store/blobs/s3/object-server.ts';
import { blobFiles } from '../unit/store/temporary-folder.ts';

const BYTES = noise(200_000);
const JSON_TYPE = { 'content-type': 'application/json' };

/** A service with a large picture that has been moved, and the link to it. */
async function scene(t: TestContext, parameters: string) {
  const bucket = await startMemoryBucket(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-objects-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1 });
  const links = createFileLinks({ files: store.files, secret: readSecret(dataDir), clock: { now: () => Date.now() } });
  const { url: link } = await links.store({ bytes: BYTES, type: 'image/png' }, '', 86_400_000);
  await store.close();
  const { host } = new URL(bucket.settings.origin);
  const service = await startService({
    TRAWL_DATA_DIR: dataDir,
    TRAWL_BLOBS_URL: `s3://key:hidden-value@${host}/bucket/p?tls=off${parameters}`,
  });
  t.after(() => service.stop());
  const moved = () => [...bucket.objects.keys()].some((key) => key.startsWith('p/blobs/'));
  while (!moved()) await wait(20);
  await service.stop();
  // The copy that stays for a while goes with the next start.
  const next = await startService({
    TRAWL_DATA_DIR: dataDir,
    TRAWL_BLOBS_URL: `s3://key:hidden-value@${host}/bucket/p?tls=off${parameters}`,
  });
  t.after(() => next.stop());
  assert.deepEqual(blobFiles(dataDir), []);
  const get = (path: string, init?: RequestInit) => fetch(new URL(path, next.url), { redirect: 'manual', ...init });
  return { bucket, link, get };
}

test('a link is answered with what the object store holds, whole or in part', async (t) => {
  const { link, get, bucket } = await scene(t, '');
  const whole = await get(link);
  assert.deepEqual([whole.status, whole.headers.get('content-length')], [200, '200000']);
  assert.deepEqual(await whole.bytes(), BYTES);
  const part = await get(link, { headers: { range: 'bytes=100-149999' } });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 100-149999/200000']);
  assert.deepEqual(await part.bytes(), BYTES.subarray(100, 150_000));
  bucket.isDown = true;
  const failed = await get(link);
  const { code } = (await failed.json()) as { code: string };
  assert.deepEqual([failed.status, code], [503, 'STORAGE_UNAVAILABLE']);
});

test('with presigned links, a valid link leads to the object store, and no other does', async (t) => {
  const { link, get } = await scene(t, '&links=presigned');
  const answer = await get(link);
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [302, 'no-store']);
  assert.equal(await answer.text(), '');
  const target = new URL(answer.headers.get('location')!);
  assert.match(target.pathname, /^\/bucket\/p\/blobs\/[\da-f]{32}$/);
  assert.equal(target.searchParams.get('response-content-type'), 'image/png');
  assert.equal(target.searchParams.get('response-content-disposition'), 'inline; filename="screenshot.png"');
  assert.ok(Number(target.searchParams.get('X-Amz-Expires')) <= 60);
  assert.ok(!target.href.includes('hidden-value'));
  assert.deepEqual(await (await fetch(target)).bytes(), BYTES);

  const head = await get(link, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '200000']);
  const forged = await get(link.replace(/sig=./, (text) => (text === 'sig=A' ? 'sig=B' : 'sig=A')));
  assert.equal(forged.status, 404);
  const prolonged = await get(link.replace(/expires=\d/, 'expires=9'));
  assert.equal(prolonged.status, 404);
});

test('a job is exported to the bucket of the service, under its team', async (t) => {
  const bucket = await startMemoryBucket(t);
  const web = await startWeb();
  t.after(() => web.stop());
  const { host } = new URL(bucket.settings.origin);
  const service = await startServiceWith(web, { TRAWL_BLOBS_URL: `s3://key:hidden-value@${host}/bucket/p?tls=off` });
  t.after(() => service.stop());
  const { id } = await runBatch(service, { urls: [web.url('news.test', '/plain')] });
  const send = (job: string, body: object) =>
    service.fetch(`${BATCH}/${job}/export`, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });
  const response = await send(id, { format: 'jsonl', destination: 's3' });
  const { key, ...answer } = (await response.json()) as { key: string };
  const content = bucket.objects.get(key)!;
  assert.match(key, new RegExp(`^p/exports/[^/]+/batch-${id}\\.jsonl$`));
  const facts = { success: true, id, status: 'completed', format: 'jsonl', bucket: 'bucket', documents: 1 };
  assert.deepEqual(answer, { ...facts, size: content.byteLength });
  assert.equal(content.toString(), await (await service.fetch(`${BATCH}/${id}/export`)).text());
  const secret = await runBatch(service, { urls: [web.url('news.test', '/plain')], zeroDataRetention: true });
  const refused = await send(secret.id, { destination: 's3' });
  assert.equal(((await refused.json()) as { code: string }).code, 'EXPORT_NOT_STORED');
  bucket.isDown = true;
  assert.equal((await send(id, { destination: 's3' })).status, 503);
});
