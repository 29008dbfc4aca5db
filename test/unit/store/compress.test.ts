// Compressed bytes come back unchanged, whatever their length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressBytes, decompressBytes } from '../../../src/store/encoding/compress.ts';
import { noise } from '../../conformance/samples.ts';

test('compressed bytes are restored exactly, from none to more than one chunk', () => {
  for (const length of [0, 1, 255, 256, 257, 65_535, 65_536, 65_792, 1_000_000, 17_000_000]) {
    const bytes = noise(length);
    assert.ok(decompressBytes(compressBytes(bytes)).equals(bytes), `${length} bytes of noise`);
    assert.equal(decompressBytes(compressBytes(Buffer.alloc(length, 'text '))).byteLength, length);
  }
});

test('an invalid or truncated frame is an error', () => {
  const compressed = compressBytes(noise(1_000));
  for (const broken of [
    Buffer.from('no frame at all'),
    compressed.subarray(0, 500),
    compressed.subarray(0, 3),
    Buffer.alloc(0),
  ]) {
    assert.throws(() => decompressBytes(broken));
  }
});
