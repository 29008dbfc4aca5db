// The ring of samples: the newest stay, in order, and what is not known is null.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSampleRing } from '../../../src/runtime/sample-ring.ts';

test('samples are returned in order, and the oldest are overwritten', () => {
  const ring = createSampleRing(['a', 'b'], 3);
  assert.deepEqual(ring.since(0), { at: [], series: { a: [], b: [] } });
  for (let at = 1; at <= 5; at++) ring.add(at, { a: at * 10, b: at / 3 });
  assert.deepEqual(ring.since(0), { at: [3, 4, 5], series: { a: [30, 40, 50], b: [1, 1.3333, 1.6667] } });
  assert.deepEqual(ring.since(4), { at: [5], series: { a: [50], b: [1.6667] } });
  assert.deepEqual(ring.since(5).at, []);
});

test('figures that are absent or not finite are null, also where an old sample had some', () => {
  const ring = createSampleRing(['a', 'b'], 1);
  ring.add(1, { a: 1, b: 2 });
  ring.add(2, { a: Number.POSITIVE_INFINITY });
  assert.deepEqual(ring.since(0).series, { a: [null], b: [null] });
});
