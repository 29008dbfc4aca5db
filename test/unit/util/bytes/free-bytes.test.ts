// Buffers that are freed early, and those that must not be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeBuffersOf, freeBytes } from '../../../../src/util/bytes/free-bytes.ts';

test('bytes that own their buffer are freed, and views of a larger one are left alone', () => {
  const own = new Uint8Array(100);
  freeBytes(own);
  freeBytes(own);
  assert.ok(own.buffer.detached);
  const view = new Uint8Array(100).subarray(1);
  freeBytes(view);
  freeBytes(undefined);
  assert.equal(view.byteLength, 99);
});

test('a large buffer is freed by any of its views, and the pool of small buffers never', () => {
  const large = Buffer.alloc(100_000);
  const small = Buffer.from('small');
  freeBuffersOf([large.subarray(5, 10), large.subarray(20), small]);
  assert.ok(large.buffer.detached);
  assert.equal(small.toString(), 'small');
});
