// Weights as runs of ones and what follows them: what goes in comes out, alone and joined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWeights, encodeWeights } from '../../../../../src/index/segments/postings/weight-runs.ts';

const ones = (count: number): number[] => new Array<number>(count).fill(1);

function decoded(bytes: Uint8Array, count: number): number[] {
  const weights = new Uint8Array(count + 1);
  decodeWeights(bytes, weights, 1);
  return [...weights.subarray(1)];
}

const SAMPLES = [
  [],
  [1],
  [2],
  [15, 16, 17, 255],
  ones(15),
  ones(16),
  ones(47),
  [...ones(15), 2],
  [...ones(16), 255, 1],
  [3, ...ones(31), 15, 1, 1, 16, 1],
];

test('every weight comes back', () => {
  for (const weights of SAMPLES)
    assert.deepEqual(decoded(encodeWeights(Uint8Array.from(weights)), weights.length), weights);
});

test('encoded weights can be joined', () => {
  for (const first of SAMPLES) {
    for (const second of SAMPLES) {
      const joined = Buffer.concat([first, second].map((weights) => encodeWeights(Uint8Array.from(weights))));
      assert.deepEqual(decoded(joined, first.length + second.length), [...first, ...second]);
    }
  }
});

test('weights of 1 take a byte for fifteen', () => {
  assert.equal(encodeWeights(Uint8Array.from(ones(150))).length, 10);
});
