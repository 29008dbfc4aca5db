// Which pages train and which validate, and how labels and weights change after validation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SetName } from '../../../scripts/train-extractor/data.ts';
import type { ExamplePage } from '../../../scripts/train-extractor/examples.ts';
import { createMatrix } from '../../../scripts/train-extractor/matrix.ts';
import { isHeldBack, splitPages } from '../../../scripts/train-extractor/split.ts';
import { makeTargets } from '../../../scripts/train-extractor/targets.ts';

const BLOCKS = 3;

function page(index: number, set: SetName, changes: Partial<ExamplePage> = {}): ExamplePage {
  const domain = `site${index}.example`;
  return {
    set,
    id: String(index),
    type: 'article',
    url: `https://${domain}/${index}`,
    domain,
    truth: `text of page ${index}`,
    truthWords: 100,
    wanted: [],
    unwanted: [],
    firstRow: index * BLOCKS,
    texts: ['a', 'b', 'c'],
    words: Float64Array.of(60, 40, 20),
    flags: new Int32Array(BLOCKS),
    hashes: Int32Array.of(1, 2, 3),
    paths: Int32Array.of(1, 1, 2),
    parents: new Int32Array(BLOCKS),
    roles: new Uint8Array(BLOCKS),
    labels: Int8Array.of(1, 1, 0),
    page: new Float32Array(1),
    ...changes,
  };
}

test('a page is in the training set of every fold but its own, and held-back pages in none', () => {
  const sets: SetName[] = ['wcxb-dev', 'trafi', 'magic-article', 'magic-forum'];
  const pages = Array.from({ length: 80 }, (_, i) => page(i, sets[i % 4]!));
  const { fold, training, allowed } = splitPages(pages, 3);
  assert.ok(pages.some(isHeldBack));
  for (const [i, one] of pages.entries()) {
    assert.equal(allowed[i], isHeldBack(one) ? 0 : 1);
    for (const [k, marks] of training.entries()) assert.equal(marks[i], fold[i] === k || isHeldBack(one) ? 0 : 1);
  }
});

test('a page that repeats a validation page is not trained on', () => {
  const pages = Array.from({ length: 12 }, (_, i) => page(i, 'wcxb-dev'));
  const { fold } = splitPages(pages, 2);
  const [first, second] = [0, 1].map((k) => fold.indexOf(k));
  pages[second!] = { ...pages[second!]!, url: pages[first!]!.url };
  const { training, overlaps } = splitPages(pages, 2);
  assert.equal(training[0]![second!], 0);
  assert.equal(training[1]![first!], 0);
  assert.deepEqual(
    overlaps.map(({ byAddress }) => byAddress),
    [1, 1, 0],
  );
});

test('blocks weigh by words', () => {
  const examples = { pages: [page(0, 'wcxb-dev'), page(1, 'wcxb-dev')], blocks: createMatrix(2 * BLOCKS, 1) };
  const before = makeTargets(examples);
  assert.deepEqual([...before.labels], [1, 1, 0, 1, 1, 0]);
  assert.ok(before.weights[0]! > before.weights[1]!);
});
