// Ranking by meaning: the best by words anew, and the nearest of all pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createByMeaning } from '../../../../src/index/meaning/by-meaning.ts';
import { nearestBySigns } from '../../../../src/index/meaning/nearest-signs.ts';
import {
  differingSigns,
  type SignBits,
  signBits,
  signWords,
  WORDS_OF_SIGNS,
} from '../../../../src/index/meaning/sign-bits.ts';
import { cosine, type TextVector } from '../../../../src/text/text-vectors.ts';
import { createRandom } from '../../../support/hostile/hostile-file.ts';

const below = createRandom(7);
const random = () => below(1_000_000) / 1_000_000;
const vector = (): TextVector => Int8Array.from({ length: 384 }, () => Math.round((random() - 0.5) * 254));
/** Near to another: `share` of its numbers are the same. */
const near = (one: TextVector, share: number): TextVector =>
  one.map((number) => (random() < share ? number : Math.round((random() - 0.5) * 254)));

function pagesWith(vectors: Record<number, TextVector>) {
  const eachSigns = (row: (first: number, signs: SignBits) => void) => {
    const signs = new Uint32Array(64 * WORDS_OF_SIGNS);
    for (const [docId, one] of Object.entries(vectors)) signs.set(signBits(one), Number(docId) * WORDS_OF_SIGNS);
    row(0, signs);
  };
  return createByMeaning({
    vectorOf: (docId) => vectors[docId],
    near: (query, { filter }, most) => nearestBySigns(eachSigns, query, filter, most),
  });
}

test('signs differ in as many places as the numbers of the vectors', () => {
  for (let round = 0; round < 50; round++) {
    const [one, other] = [vector(), vector()];
    const expected = one.filter((number, at) => number > 0 !== other[at]! > 0).length;
    const many = new Uint32Array(3 * WORDS_OF_SIGNS);
    many.set(signBits(other), WORDS_OF_SIGNS);
    assert.equal(differingSigns(signBits(one), many, WORDS_OF_SIGNS), expected);
  }
});

test('vectors that are alike have words of signs in common, others hardly any', () => {
  const query = vector();
  const common = (other: TextVector) => signWords(query).filter((word) => signWords(other).includes(word)).length;
  assert.equal(common(query), 64);
  assert.ok(common(near(query, 0.6)) > 10);
  assert.ok(common(vector()) < 6);
});

test('of pages with like scores, the one that means the same comes first', () => {
  const query = vector();
  const list = [9, 8.9, 8.8, 2].map((score, at) => ({ docId: at + 1, score }));
  const weighed = pagesWith({ 1: vector(), 2: vector(), 3: near(query, 0.8), 4: vector() }).weigh(list, query);
  assert.equal(weighed[0]!.docId, 3);
  assert.equal(weighed.at(-1)!.docId, 4);
  for (const { docId, score, meaning } of weighed) {
    assert.ok(meaning! >= 0);
    assert.ok(Math.abs(score - meaning! - list[docId - 1]!.score) < 1e-9, 'the parts add up');
  }
});

test('a page without a vector keeps its place among those that mean as much as their words say', () => {
  const query = vector();
  const list = [10, 8, 6, 4].map((score, at) => ({ docId: at + 1, score }));
  const order = (vectors: Record<number, TextVector>) =>
    pagesWith(vectors)
      .weigh(list, query)
      .map(({ docId }) => docId);
  assert.deepEqual(order({}), [1, 2, 3, 4]);
  assert.deepEqual(order({ 2: near(query, 0.9) }), [1, 2, 3, 4], 'one vector alone can be compared with nothing');
  const [near1, near3] = [near(query, 0.7), near(query, 0.3)];
  assert.deepEqual(order({ 1: near1, 4: near3 }), [1, 2, 3, 4]);
});

test('the nearest pages are found among all that may be found, best first', () => {
  const query = vector();
  const vectors = { 3: near(query, 0.5), 7: near(query, 0.9), 11: vector(), 20: near(query, 0.7), 30: query };
  const nearest = pagesWith(vectors).nearest;
  const found = nearest(query, {}, { most: 10, atLeast: 0.3 });
  assert.deepEqual(
    found.map(({ docId }) => docId),
    [30, 7, 20, 3],
  );
  for (const { docId, score } of found) assert.equal(score, cosine(query, vectors[docId as keyof typeof vectors]));
  const filter = new Uint8Array(64);
  filter[7] = filter[11] = 1;
  assert.deepEqual(
    nearest(query, { filter }, { most: 10, atLeast: 0.3 }).map(({ docId }) => docId),
    [7],
  );
  assert.equal(nearest(query, {}, { most: 2, atLeast: 0.3 }).length, 2);
});
