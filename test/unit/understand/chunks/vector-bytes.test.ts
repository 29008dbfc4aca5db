// Vectors of chunks as bytes, and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ownVector,
  packVectors,
  readVectors,
  type StoredVector,
  serverVector,
  vectorNumbers,
} from '../../../../src/understand/chunks/vector-bytes.ts';
import { sha256 } from '../../../../src/util/hash.ts';

const nameOf = (at: number) => sha256(`${at}`);
const packed = (vectors: StoredVector[]) => packVectors(new Map(vectors.map((vector, at) => [nameOf(at), vector])));

test('vectors are found by the hashes of their texts, wherever the bytes begin', () => {
  for (const vectors of [
    [ownVector(Int8Array.of(1, -127, 0)), ownVector(Int8Array.of(5, 6, 7))],
    [serverVector(Float32Array.of(0.25, -1.5)), serverVector(Float32Array.of(3, 4))],
  ]) {
    const bytes = packed(vectors);
    const shifted = new Uint8Array(bytes.length + 1).subarray(1);
    shifted.set(bytes);
    const read = readVectors(shifted);
    assert.equal(read.size, 2);
    assert.deepEqual([read.get(nameOf(0)), read.get(nameOf(1))], vectors);
    assert.equal(read.has(nameOf(2)), false);
  }
  assert.equal(readVectors(undefined).size, 0);
  assert.equal(readVectors(packed([])).size, 0);
  assert.equal(readVectors(Uint8Array.of(1, 2)).size, 0);
});

test('when a model has changed, only vectors like the newest are kept, and only as many as there is room for', () => {
  const changed = readVectors(packed([serverVector(Float32Array.of(1, 2)), serverVector(Float32Array.of(1, 2, 3))]));
  assert.deepEqual([changed.has(nameOf(0)), changed.has(nameOf(1))], [false, true]);
  const large = Array.from({ length: 100 }, () => serverVector(new Float32Array(3_000)));
  const bytes = packed(large);
  assert.ok(bytes.length <= 512 * 1024);
  assert.equal(readVectors(bytes).size, 43);
});

test('our own vectors get the length 1, those of a server stay as they are', () => {
  assert.deepEqual(vectorNumbers(ownVector(Int8Array.of(3, -4))), [0.6, -0.8]);
  assert.deepEqual(vectorNumbers(ownVector(Int8Array.of(0, 0))), [0, 0]);
  assert.deepEqual(vectorNumbers(serverVector(Float32Array.of(0.5, 2))), [0.5, 2]);
});
