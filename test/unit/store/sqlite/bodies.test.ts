// Bytes come back as they were, whatever their length says about the frame around them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressBytes, decompressBytes } from '../../../../src/store/sqlite/bodies.ts';
import { noise } from '../../../conformance/samples.ts';

test('what was packed is unpacked byte for byte, from nothing to more than one chunk', () => {
  for (const length of [0, 1, 255, 256, 257, 65_535, 65_536, 65_792, 1_000_000, 17_000_000]) {
    const bytes = noise(length);
    assert.ok(decompressBytes(compressBytes(bytes)).equals(bytes), `${length} bytes of noise`);
    assert.equal(decompressBytes(compressBytes(Buffer.alloc(length, 'text '))).byteLength, length);
  }
});

test('what is no frame, or only a part of one, is an error and not other bytes', () => {
  const packed = compressBytes(noise(1_000));
  for (const broken of [
    Buffer.from('no frame at all'),
    packed.subarray(0, 500),
    packed.subarray(0, 3),
    Buffer.alloc(0),
  ]) {
    assert.throws(() => decompressBytes(broken));
  }
});
