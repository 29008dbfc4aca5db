// Vectors of one byte a number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosine, roundVector } from '../../../src/text/text-vectors.ts';

test('a rounded vector keeps its direction, whatever its length', () => {
  const one = Float32Array.from([0.3, -0.6, 0.1, 0]);
  const rounded = roundVector(one);
  assert.deepEqual([...rounded], [64, -127, 21, 0]);
  assert.deepEqual(roundVector(one.map((number) => number * 50)), rounded);
});

test('a cosine is 1 for equal, -1 for opposite and 0 for unrelated directions, and 0 for a text without words', () => {
  const [one, opposite, other, none] = [
    [5, -3],
    [-10, 6],
    [3, 5],
    [0, 0],
  ].map((numbers) => Int8Array.from(numbers));
  assert.ok(Math.abs(cosine(one!, one!) - 1) < 1e-9);
  assert.ok(Math.abs(cosine(one!, opposite!) + 1) < 1e-9);
  assert.equal(cosine(one!, other!), 0);
  assert.equal(cosine(one!, none!), 0);
});
