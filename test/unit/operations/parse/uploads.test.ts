// Files uploaded before they are parsed: ownership, size limits and expiry.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ErrorCode, ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createUploads } from '../../../../src/operations/parse/uploads.ts';
import type { UploadContent } from '../../../../src/store/ports/files/upload-store.ts';
import { DAY, MINUTE, noise, START } from '../../../conformance/samples.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

const MAX = 1024 * 1024;

async function* pieces(bytes: Uint8Array): UploadContent {
  for (let at = 0; at < bytes.byteLength; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

async function desk(t: TestContext) {
  const { store, dataDir } = await openTemporaryStore(t);
  const [own, other] = await Promise.all(['own', 'other'].map((name) => store.teams.ensureTeam(name, START)));
  let now = START;
  const secret = new Uint8Array(32).fill(7);
  const deps = { uploads: store.uploads, secret, maxUploadBytes: MAX, clock: { now: () => now } };
  const uploads = createUploads(deps);
  const open = (more: object = {}) => uploads.open(own!.id, { filename: 'report.pdf', ...more }, 'http://trawl.test');
  const send = (ref: string, bytes: Uint8Array, length?: number) =>
    uploads.receive(ref.split('.')[0]!, ref, { accept: () => pieces(bytes), ...(length !== undefined && { length }) });
  const pass = (ms: number) => {
    now += ms;
  };
  return { uploads, deps, own: own!.id, other: other!.id, dataDir, open, send, pass };
}

const refused = (attempt: Promise<unknown>, code: ErrorCode, message: RegExp) =>
  assert.rejects(attempt, (error: ServiceError) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('an upload URL says where, how and until when to send the file', async (t) => {
  const { open } = await desk(t);
  const { uploadUrl, uploadRef, ...rest } = await open({ filename: '../a/b.pdf', contentType: 'application/pdf' });
  assert.match(uploadUrl, /^http:\/\/trawl\.test\/v2\/parse\/upload\/[0-9a-f-]{36}\?uploadRef=/);
  assert.equal(new URL(uploadUrl).searchParams.get('uploadRef'), uploadRef);
  assert.deepEqual(rest, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/pdf' },
    expiresAt: new Date(START + 10 * MINUTE).toISOString(),
    maxSizeBytes: MAX,
  });
});

test('an uploaded file is found by its reference, by its own team only', async (t) => {
  const { uploads, own, other, open, send } = await desk(t);
  const { uploadRef } = await open({ filename: '../a/b.pdf', contentType: 'application/pdf' });
  await refused(uploads.find(own, uploadRef), 'BAD_REQUEST', /No file has been uploaded/);
  await send(uploadRef, noise(90_000), 90_000);
  const file = await uploads.find(own, uploadRef);
  assert.deepEqual([file.name, file.type, file.size], ['b.pdf', 'application/pdf', 90_000]);
  assert.deepEqual(new Uint8Array(await file.read()), noise(90_000));
  await refused(uploads.find(other, uploadRef), 'NOT_FOUND', /does not exist or has expired/);
  await refused(send(uploadRef, noise(10)), 'BAD_REQUEST', /already uploaded to this URL/);
  await uploads.remove(uploadRef);
  await refused(uploads.find(own, uploadRef), 'NOT_FOUND', /does not exist or has expired/);
});

test('a reference cannot be forged, changed, or used for another upload', async (t) => {
  const { uploads, deps, own, open, send } = await desk(t);
  const [{ uploadRef: one }, { uploadRef: two }] = [await open(), await open()];
  const [id, signature] = one.split('.') as [string, string];
  const [otherId] = two.split('.') as [string];
  const foreign = createUploads({ ...deps, secret: new Uint8Array(32) });
  for (const ref of [
    '',
    id,
    `${id}.`,
    `${otherId}.${signature}`,
    `${id}.${signature.slice(1)}`,
    one.toUpperCase(),
    `${one}.x`,
  ]) {
    await refused(send(ref, noise(10)), 'NOT_FOUND', /does not exist or has expired/);
    await refused(uploads.find(own, ref), 'NOT_FOUND', /does not exist or has expired/);
  }
  await refused(foreign.find(own, one), 'NOT_FOUND', /does not exist or has expired/);
  await refused(
    uploads.receive(otherId, one, { accept: () => pieces(noise(10)) }),
    'NOT_FOUND',
    /does not exist or has expired/,
  );
  await send(one, noise(10));
});

test('a file that is too large is refused by its announced size or while it arrives, and leaves nothing behind', async (t) => {
  const { open, send, dataDir } = await desk(t);
  await refused(open({ declaredSizeBytes: MAX + 1 }), 'BAD_REQUEST', /larger than 1 MB/);
  const { uploadRef } = await open();
  await refused(send(uploadRef, noise(10), MAX + 1), 'BAD_REQUEST', /larger than 1 MB/);
  await refused(send(uploadRef, noise(MAX + 1)), 'BAD_REQUEST', /larger than 1 MB/);
  assert.deepEqual(readdirSync(join(dataDir, 'incoming')), []);
  assert.deepEqual(readdirSync(join(dataDir, 'blobs')), []);
  await send(uploadRef, noise(MAX));
});

test('the file must have exactly the declared size', async (t) => {
  const { open, send } = await desk(t);
  const { uploadRef, maxSizeBytes } = await open({ declaredSizeBytes: 50_000 });
  assert.equal(maxSizeBytes, 50_000);
  for (const size of [49_999, 50_001]) {
    await refused(send(uploadRef, noise(size)), 'BAD_REQUEST', /50000 bytes that `declaredSizeBytes` announced/);
    await refused(send(uploadRef, noise(size), size), 'BAD_REQUEST', /50000 bytes/);
  }
  await send(uploadRef, noise(50_000), 50_000);
});

test('an upload URL is valid for ten minutes, and an uploaded file for a day', async (t) => {
  const { uploads, own, open, send, pass } = await desk(t);
  const [{ uploadRef: unused }, { uploadRef: used }] = [await open(), await open()];
  pass(10 * MINUTE - 1);
  await send(used, noise(10));
  pass(1);
  await refused(send(unused, noise(10)), 'NOT_FOUND', /within 10 minutes/);
  pass(DAY - 10 * MINUTE - 1);
  assert.equal((await uploads.find(own, used)).size, 10);
  pass(1);
  await refused(uploads.find(own, used), 'NOT_FOUND', /24 hours/);
});

test('a team has at most ten pending uploads, and a parsed one makes room for another', async (t) => {
  const { uploads, other, open, send } = await desk(t);
  const refs = [];
  for (let nth = 0; nth < 10; nth++) refs.push((await open()).uploadRef);
  const attempt = open();
  await assert.rejects(attempt, (error: ServiceError) => {
    assert.deepEqual([error.code, error.status], ['PARSE_UPLOAD_UNPARSED_LIMIT_REACHED', 429]);
    assert.ok(error.retryAfter! > 0);
    return true;
  });
  await uploads.open(other, { filename: 'theirs.pdf' }, '');
  await send(refs[0]!, noise(10));
  await refused(open(), 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED', /Parse one of them/);
  await uploads.remove(refs[0]!);
  await open();
});
