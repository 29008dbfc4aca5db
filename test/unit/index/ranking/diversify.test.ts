// The last steps of a search: crowded hosts move back, near-duplicates are folded, and words are scored by proximity.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownTexts } from '../../../../src/index/pages/page-rows.ts';
import { diversify, isNearDuplicate } from '../../../../src/index/ranking/diversify.ts';
import { proximity } from '../../../../src/index/ranking/proximity.ts';
import { queryWords } from '../../../../src/text/words/terms.ts';

/** `a9` is a candidate of host a with score 9; candidates of host x are not shown. */
function shownOf(names: string[], limit: number, limitHosts = true): string[] {
  const candidates = names.map((name, docId) => ({ docId, score: Number(name.slice(1)), name }));
  return diversify(candidates, {
    limit,
    limitHosts,
    hostOf: ({ name }) => name.charCodeAt(0),
    open: ({ name }) => (name.startsWith('x') ? undefined : name),
  });
}

test('the fourth result of a host moves behind others with comparable scores', () => {
  assert.deepEqual(shownOf(['a9', 'a9', 'a9', 'a8', 'a8', 'b7', 'c6'], 10), ['a9', 'a9', 'a9', 'b7', 'c6', 'a8', 'a8']);
});

test('a result does not move behind others with far lower scores', () => {
  assert.deepEqual(shownOf(['a9', 'a9', 'a9', 'a8', 'b2', 'c1'], 10), ['a9', 'a9', 'a9', 'a8', 'b2', 'c1']);
});

test('the rest of the list is filled from the crowded host', () => {
  assert.deepEqual(shownOf(['a9', 'a9', 'a9', 'a8', 'b7', 'a6'], 5), ['a9', 'a9', 'a9', 'b7', 'a8']);
  assert.deepEqual(shownOf(['a9', 'a9', 'a9', 'a8', 'a7'], 4), ['a9', 'a9', 'a9', 'a8']);
});

test('without limitHosts the order stays as it is', () => {
  const names = ['a9', 'a9', 'a9', 'a8', 'b7'];
  assert.deepEqual(shownOf(names, 10, false), names);
});

test('a candidate that is not shown takes no slot, neither of the list nor of its host', () => {
  assert.deepEqual(shownOf(['x9', 'a9', 'x8', 'b7'], 2), ['a9', 'b7']);
});

const texts = (simhash: string, title: string, length: number) => ({ simhash, title, length }) as ShownTexts;

test('near-duplicates have nearly the same simhash and the same title or length', () => {
  const page = texts('00000000000000ff', 'Seals', 1000);
  assert.ok(isNearDuplicate(page, texts('00000000000000f8', 'Seals', 3000)));
  assert.ok(isNearDuplicate(page, texts('00000000000000ff', 'Other', 1050)));
  assert.ok(!isNearDuplicate(page, texts('00000000000000ff', 'Other', 3000)));
  assert.ok(!isNearDuplicate(page, texts('00000000000000fc', 'Other', 1050)));
  assert.ok(!isNearDuplicate(page, texts('00000000000000f0', 'Seals', 1000)));
  assert.ok(!isNearDuplicate(texts('', 'Seals', 1000), texts('', 'Seals', 1000)));
});

test('proximity is higher the closer the words are, in any inflection', () => {
  const words = queryWords('grey seals');
  const [adjacent, near, far, none] = [
    'A grey seal sleeps.',
    'A grey, big seal sleeps.',
    `grey ${'x '.repeat(200)} seal`,
    'Only seals.',
  ].map((text) => proximity(text, words));
  assert.ok(adjacent! > near! && near! > far! && far! > 0);
  assert.equal(adjacent, 1);
  assert.equal(none, 0);
});

test('proximity is fast for a text that repeats one word', () => {
  const words = queryWords('aa ab ac ad ae');
  assert.equal(proximity('aa '.repeat(100_000), words), 0);
  assert.ok(proximity(`ab ac ad ae ${'aa '.repeat(100_000)}`, words) > 0.9);
});
