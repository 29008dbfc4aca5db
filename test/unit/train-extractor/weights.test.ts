// Weights: how pages, types and sets count against each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceTypes, setWeight, snippetWeights, wordWeights } from '../../../scripts/train-extractor/weights.ts';

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

test('long and short articles have about the same weight', () => {
  const page = (words: number) => wordWeights(new Float64Array(10).fill(words), new Int8Array(10), 10 * words, 1);
  assert.ok(Math.abs(sum(page(20)) / sum(page(400)) - 1) < 0.05);
});

test('a page with much boilerplate is weighted by its text, a nearly empty one by a minimum', () => {
  assert.equal(wordWeights(Float64Array.of(99.5, 1000), new Int8Array(2), 100, 1)[0], 0.5);
  assert.equal(wordWeights(Float64Array.of(4.5), new Int8Array(1), 4, 1)[0], 0.1);
});

test('unlabelled blocks have no weight', () => {
  assert.deepEqual(
    [...wordWeights(Float64Array.of(60, 60), Int8Array.of(-1, 1), 60, 1)].map((w) => w > 0),
    [false, true],
  );
});

test('rare types weigh more, but less than proportionally', () => {
  const pages = [...Array(90).fill('article'), ...Array(10).fill('forum')].map((type) => ({
    set: 'wcxb-dev' as const,
    type,
  }));
  const weight = balanceTypes(pages);
  assert.ok(weight('article') < 1 && weight('forum') > 1);
  assert.ok(Math.abs(weight('forum') / weight('article') - 9 ** 0.4) < 1e-9);
  assert.equal(weight('mixed'), 1);
});

test('sets with looser labels weigh less', () => {
  assert.ok(setWeight('magic-forum') < setWeight('wcxb-dev'));
});

test('all snippets of a page share one small weight', () => {
  const weights = snippetWeights(Int8Array.of(1, -1, 0, 1, -1));
  assert.ok(Math.abs(sum(weights) - 0.15) < 1e-12);
  assert.equal(weights[1], 0);
  assert.equal(sum(snippetWeights(Int8Array.of(-1, -1))), 0);
});
