// Gaps come back whatever their length, and most take one byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VarintReader, writeGap } from '../../../../../src/index/segments/postings/varint.ts';

const MAX_GAP_BYTES = 6;
const GAPS = [1, 127, 128, 239, 240, 241, 495, 496, 4_079, 4_080, 4_081, 16_384, 2_097_152, 300_000_000];

test('gaps come back', () => {
  const bytes = new Uint8Array(GAPS.length * MAX_GAP_BYTES);
  const end = GAPS.reduce((at, gap) => writeGap(bytes, at, gap), 0);
  const reader = new VarintReader(bytes.subarray(0, end));
  assert.deepEqual(
    GAPS.map(() => reader.gap()),
    GAPS,
  );
  assert.ok(reader.isAtEnd);
});

test('a gap takes one byte below 240, two below 4,080', () => {
  const lengthOf = (gap: number) => writeGap(new Uint8Array(MAX_GAP_BYTES), 0, gap);
  assert.deepEqual([239, 240, 4_079, 4_080].map(lengthOf), [1, 2, 2, 3]);
});
