// The ranking part of the index: what is seen when, and the edges of its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  add,
  countRows,
  documentOf,
  newDocument,
  numbersFor,
  open,
  remove,
  request,
  tidyAll,
} from './index-postings-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('documents are found once their transaction is committed, and never when it was rolled back', (t) => {
  const index = open(t);
  const { connection, postings } = index;
  connection.transaction(() => {
    postings.add([newDocument(documentOf(1, 'red apple'))]);
    assert.deepEqual(numbersFor(index, 'apple'), []);
    assert.equal(postings.count, 0);
    assert.equal(postings.last, 1);
  });
  postings.committed();
  assert.deepEqual(numbersFor(index, 'apple'), [1]);

  const failing = () =>
    connection.transaction(() => {
      postings.add([newDocument(documentOf(2, 'green apple'))]);
      postings.remove(1);
      throw new Error('stop');
    });
  assert.throws(failing, /stop/);
  postings.rolledBack();
  assert.deepEqual(numbersFor(index, 'apple green'), [1]);
  assert.equal(postings.count, 1);
  assert.equal(postings.last, 1);
});

test('a removed document is gone at once, also when it was added in the same transaction', (t) => {
  const index = open(t, { sealAt: 3 });
  add(index, documentOf(1, 'apple'), documentOf(2, 'apple pie'), documentOf(3, 'pie'));
  tidyAll(index);
  remove(index, 2, 2, 99);
  assert.deepEqual(numbersFor(index, 'apple'), [1]);
  assert.equal(index.postings.rank(request('pie')).total, 1);
  assert.equal(index.postings.count, 2);

  index.connection.transaction(() => {
    index.postings.add([documentOf(4, 'apple cake'), documentOf(5, 'cake')].map(newDocument));
    index.postings.remove(4);
  });
  index.postings.committed();
  assert.deepEqual(numbersFor(index, 'cake'), [5]);
  assert.equal(index.postings.count, 3);
});

test('a number that is not above all before it is refused', (t) => {
  const index = open(t);
  add(index, documentOf(5, 'apple'));
  for (const numbers of [[5], [3], [7, 7]]) {
    const documents = numbers.map((number) => documentOf(number, 'pear'));
    assert.throws(() => index.connection.transaction(() => index.postings.add(documents.map(newDocument))), RangeError);
    index.postings.rolledBack();
  }
  assert.equal(index.postings.last, 5);
});

test('the highest number is remembered when its document is long purged', (t) => {
  const file = join(temporaryFolder(t), 'index.db');
  const options = { sealAt: 2, fanIn: 2 };
  const index = open(t, options, file);
  add(index, documentOf(1, 'apple'), documentOf(9, 'pear'));
  remove(index, 1, 9);
  tidyAll(index);
  assert.equal(countRows(index, 'dead'), 0);
  assert.equal(countRows(index, 'post'), 0);
  index.database.close();
  const again = open(t, options, file);
  assert.equal(again.postings.last, 9);
  assert.equal(again.postings.count, 0);
});

test('of equal scores the higher number comes first, whatever the depth', (t) => {
  const index = open(t, { sealAt: 40 });
  add(index, ...Array.from({ length: 50 }, (_, at) => documentOf(at + 1, 'apple tree')));
  tidyAll(index);
  add(index, documentOf(60, 'apple tree'));
  assert.deepEqual(numbersFor(index, 'apple', { depth: 3 }), [60, 50, 49]);
  assert.deepEqual(numbersFor(index, 'apple', { depth: 0 }), []);
  assert.equal(index.postings.rank(request('apple', { depth: 0 })).total, 51);
  assert.equal(numbersFor(index, 'apple', { depth: 1_000 }).length, 51);
});

test('the mask leaves documents out, and whatever lies beyond its end', (t) => {
  const index = open(t);
  add(index, ...[1, 2, 3, 4].map((number) => documentOf(number, 'apple')));
  const ranking = index.postings.rank(request('apple', { admitted: Uint8Array.of(1, 1, 0, 1) }));
  assert.deepEqual([ranking.hits.map(({ number }) => number), ranking.total], [[3, 1], 2]);
});

test('the bonus is added once however many words a document has, and only to those that have one', (t) => {
  const index = open(t);
  add(index, documentOf(1, 'apple pie'), documentOf(2, 'apple pie'), documentOf(3, 'nothing'));
  const plain = index.postings.rank(request('apple pie'));
  const { hits } = index.postings.rank(request('apple pie', { bonus: Float32Array.of(0, 2) }));
  assert.deepEqual(
    hits.map(({ number, score }) => [number, score]),
    [
      [1, plain.hits[1]!.score + 2],
      [2, plain.hits[0]!.score],
    ],
  );
});

test('forms of one word count as one word, up to the weight of 255', (t) => {
  const index = open(t);
  const heavy = { number: 1, terms: new Map([['run', 200], ['running', 100]]), length: 300 }; // biome-ignore format: short
  const capped = { number: 2, terms: new Map([['run', 255]]), length: 300 };
  add(index, heavy, capped, documentOf(3, 'walk'));
  const { hits } = index.postings.rank(request('run|running|run'));
  assert.deepEqual(
    hits.map(({ number, covered }) => [number, covered]),
    [
      [2, 1],
      [1, 1],
    ],
  );
  assert.equal(hits[0]!.score, hits[1]!.score);
  assert.equal(index.postings.frequency('run'), 2);
  assert.equal(index.postings.frequency('running'), 1);
});

test('a term that every document has still counts for a document', (t) => {
  const index = open(t);
  add(index, documentOf(1, 'the'), documentOf(2, 'the the the'), documentOf(3, 'the'));
  const { hits, total } = index.postings.rank(request('the'));
  assert.equal(total, 3);
  assert.ok(hits.every(({ score }) => score > 0));
  assert.equal(hits[0]!.number, 2);
});

test('documents without a term are counted and never found', (t) => {
  const index = open(t, { sealAt: 2 });
  add(index, documentOf(1, ''), documentOf(2, ''));
  tidyAll(index);
  add(index, documentOf(3, ''));
  assert.equal(index.postings.count, 3);
  assert.deepEqual(index.postings.rank(request('apple')), { hits: [], total: 0 });
  assert.deepEqual(index.postings.rank({ words: [], depth: 10 }), { hits: [], total: 0 });
});

test('numbers may have large gaps', (t) => {
  const index = open(t, { sealAt: 2, fanIn: 2 });
  const numbers = [1, 300, 70_000, 1_500_000, 1_500_001];
  for (const number of numbers) {
    add(index, documentOf(number, `apple n${number}`));
    tidyAll(index);
    assert.deepEqual(numbersFor(index, `n${number}`), [number]);
  }
  assert.deepEqual(numbersFor(index, 'apple'), numbers.toReversed());
});

test('a document may have a hundred thousand terms', (t) => {
  const index = open(t, { sealAt: 1 });
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}`);
  add(index, documentOf(1, words.join(' ')), documentOf(2, 'word0'));
  assert.deepEqual(numbersFor(index, 'word255r'), [1]);
  tidyAll(index);
  assert.equal(countRows(index, 'post'), 100_000);
  assert.deepEqual(numbersFor(index, 'word255r'), [1]);
  assert.deepEqual(numbersFor(index, 'word0'), [2, 1]);
});

test('more words than a byte can count are all counted', (t) => {
  const index = open(t);
  const words = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
  add(index, documentOf(1, words));
  assert.equal(index.postings.rank(request(words)).hits[0]?.covered, 300);
});
