// Ids come back from the bits of their gaps, however uneven these are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeGaps, encodeGaps } from '../../../../../src/index/segments/postings/gap-bits.ts';

const idsWith = (gaps: readonly number[], first: number): Int32Array => {
  let docId = first;
  return Int32Array.from([0, ...gaps], (gap) => (docId += gap));
};

const SAMPLES: number[][] = [
  [],
  [1],
  [300_000_000],
  new Array<number>(100).fill(1),
  [...new Array<number>(100).fill(1), 1_000_000, 1, 1],
  Array.from({ length: 1_000 }, (_, at) => 1 + ((at * 7919) % 293)),
  Array.from({ length: 25 }, (_, at) => 2 ** at),
];

test('ids come back', () => {
  for (const gaps of SAMPLES) {
    for (const first of [1, 5_000]) {
      const docIds = idsWith(gaps, first);
      const found = new Int32Array(docIds.length + 1);
      decodeGaps(encodeGaps(docIds), { first, last: docIds.at(-1)!, df: docIds.length }, found, 1);
      assert.deepEqual([...found.subarray(1)], [...docIds]);
    }
  }
});

test('uneven gaps take three bits more than even ones at most', () => {
  for (const gaps of SAMPLES.filter(({ length }) => length > 0)) {
    const docIds = idsWith(gaps, 1);
    const mean = (docIds.at(-1)! - 1) / gaps.length;
    assert.ok(encodeGaps(docIds).length <= (gaps.length * (Math.log2(mean) + 4) + 7) / 8);
  }
});
