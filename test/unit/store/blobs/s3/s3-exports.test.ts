// Files that are written to a bucket as they are made, in parts of one size, and that leave nothing when they fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createS3Exports } from '../../../../../src/store/blobs/s3/s3-exports.ts';
import { noise } from '../../../../conformance/samples.ts';
import { startMemoryBucket } from './object-server.ts';

const SIZES = { fromBytes: 100, partBytes: 40 };

async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

test('content of any size, in chunks of any size, arrives as it is', async (t) => {
  const bucket = await startMemoryBucket(t);
  const exports = createS3Exports(bucket.settings, SIZES);
  for (const [size, chunk] of [
    [0, 1],
    [39, 7],
    [40, 40],
    [41, 100],
    [400, 33],
    [123, 123],
  ] as const) {
    const bytes = noise(size);
    const written = await exports.write(`team/${size}.jsonl`, chunked(bytes, chunk));
    assert.deepEqual(written, { bucket: 'bucket', key: `p/exports/team/${size}.jsonl`, size });
    assert.ok(bucket.objects.get(written.key)!.equals(bytes), `${size} bytes`);
  }
  assert.equal(bucket.parts.size, 0);
});

test('content that fails in the middle leaves neither an object nor parts', async (t) => {
  const bucket = await startMemoryBucket(t);
  const exports = createS3Exports(bucket.settings, SIZES);
  const failing = async function* () {
    yield noise(90);
    throw new Error('the job is gone');
  };
  await assert.rejects(exports.write('team/a.jsonl', failing()));
  assert.deepEqual([bucket.objects.size, bucket.parts.size], [0, 0]);
});
