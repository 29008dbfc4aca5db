// The ranking part of the index: what is seen when, and the edges of its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../store/temporary-folder.ts';
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
} from './inverted-index-samples.ts';

test('documents are found once their transaction is committed, and never when it was rolled back', (t) => {
  const index = open(t);
  const { connection, invertedIndex } = index;
  connection.transaction(() => {
    invertedIndex.add([newDocument(documentOf(1, 'red apple'))]);
    assert.deepEqual(numbersFor(index, 'apple'), []);
    assert.equal(invertedIndex.docCount, 0);
    assert.equal(invertedIndex.lastDocId, 1);
  });
  invertedIndex.committed();
  assert.deepEqual(numbersFor(index, 'apple'), [1]);

  const failing = () =>
    connection.transaction(() => {
      invertedIndex.add([newDocument(documentOf(2, 'green apple'))]);
      invertedIndex.remove(1);
      throw new Error('stop');
    });
  assert.throws(failing, /stop/);
  invertedIndex.rolledBack();
  assert.deepEqual(numbersFor(index, 'apple green'), [1]);
  assert.equal(invertedIndex.docCount, 1);
  assert.equal(invertedIndex.lastDocId, 1);
});

test('a removed document is gone at once, also when it was added in the same transaction', (t) => {
  const index = open(t, { flushAtDocs: 3 });
  add(index, documentOf(1, 'apple'), documentOf(2, 'apple pie'), documentOf(3, 'pie'));
  tidyAll(index);
  remove(index, 2, 2, 99);
  assert.deepEqual(numbersFor(index, 'apple'), [1]);
  assert.equal(index.invertedIndex.rank(request('pie')).total, 1);
  assert.equal(index.invertedIndex.docCount, 2);

  index.connection.transaction(() => {
    index.invertedIndex.add([documentOf(4, 'apple cake'), documentOf(5, 'cake')].map(newDocument));
    index.invertedIndex.remove(4);
  });
  index.invertedIndex.committed();
  assert.deepEqual(numbersFor(index, 'cake'), [5]);
  assert.equal(index.invertedIndex.docCount, 3);
});

test('a number that is not above all before it is refused', (t) => {
  const index = open(t);
  add(index, documentOf(5, 'apple'));
  for (const numbers of [[5], [3], [7, 7]]) {
    const documents = numbers.map((docId) => documentOf(docId, 'pear'));
    assert.throws(
      () => index.connection.transaction(() => index.invertedIndex.add(documents.map(newDocument))),
      /is not above the last one/,
    );
    index.invertedIndex.rolledBack();
  }
  assert.equal(index.invertedIndex.lastDocId, 5);
});

test('the highest number is remembered when its document is long purged', (t) => {
  const file = join(temporaryFolder(t), 'index.db');
  const options = { flushAtDocs: 2, mergeFactor: 2 };
  const index = open(t, options, file);
  add(index, documentOf(1, 'apple'), documentOf(9, 'pear'));
  remove(index, 1, 9);
  tidyAll(index);
  assert.equal(countRows(index, 'dead'), 0);
  assert.equal(countRows(index, 'post'), 0);
  index.database.close();
  const again = open(t, options, file);
  assert.equal(again.invertedIndex.lastDocId, 9);
  assert.equal(again.invertedIndex.docCount, 0);
});

test('of equal scores the higher number comes first, whatever the depth', (t) => {
  const index = open(t, { flushAtDocs: 40 });
  add(index, ...Array.from({ length: 50 }, (_, at) => documentOf(at + 1, 'apple tree')));
  tidyAll(index);
  add(index, documentOf(60, 'apple tree'));
  assert.deepEqual(numbersFor(index, 'apple', { depth: 3 }), [60, 50, 49]);
  assert.deepEqual(numbersFor(index, 'apple', { depth: 0 }), []);
  assert.equal(index.invertedIndex.rank(request('apple', { depth: 0 })).total, 51);
  assert.equal(numbersFor(index, 'apple', { depth: 1_000 }).length, 51);
});

test('the mask leaves documents out, and whatever lies beyond its end', (t) => {
  const index = open(t);
  add(index, ...[1, 2, 3, 4].map((docId) => documentOf(docId, 'apple')));
  const ranking = index.invertedIndex.rank(request('apple', { filter: Uint8Array.of(1, 1, 0, 1) }));
  assert.deepEqual([ranking.hits.map(({ docId }) => docId), ranking.total], [[3, 1], 2]);
});

test('the bonus is added once however many words a document has, and only to those that have one', (t) => {
  const index = open(t);
  add(index, documentOf(1, 'apple pie'), documentOf(2, 'apple pie'), documentOf(3, 'nothing'));
  const plain = index.invertedIndex.rank(request('apple pie'));
  const { hits } = index.invertedIndex.rank(request('apple pie', { boosts: Float32Array.of(0, 2) }));
  assert.deepEqual(
    hits.map(({ docId, score }) => [docId, score]),
    [
      [1, plain.hits[1]!.score + 2],
      [2, plain.hits[0]!.score],
    ],
  );
});

test('forms of one word count as one word, up to the weight of 255', (t) => {
  const index = open(t);
  const heavy = { docId: 1, terms: new Map([['run', 200], ['running', 100]]), length: 300 }; // biome-ignore format: short
  const capped = { docId: 2, terms: new Map([['run', 255]]), length: 300 };
  add(index, heavy, capped, documentOf(3, 'walk'));
  const { hits } = index.invertedIndex.rank(request('run|running|run'));
  assert.deepEqual(
    hits.map(({ docId, covered }) => [docId, covered]),
    [
      [2, 1],
      [1, 1],
    ],
  );
  assert.equal(hits[0]!.score, hits[1]!.score);
  assert.equal(index.invertedIndex.docFrequency('run'), 2);
  assert.equal(index.invertedIndex.docFrequency('running'), 1);
});

test('a term that every document has still counts for a document', (t) => {
  const index = open(t);
  add(index, documentOf(1, 'the'), documentOf(2, 'the the the'), documentOf(3, 'the'));
  const { hits, total } = index.invertedIndex.rank(request('the'));
  assert.equal(total, 3);
  assert.ok(hits.every(({ score }) => score > 0));
  assert.equal(hits[0]!.docId, 2);
});

test('documents without a term are counted and never found', (t) => {
  const index = open(t, { flushAtDocs: 2 });
  add(index, documentOf(1, ''), documentOf(2, ''));
  tidyAll(index);
  add(index, documentOf(3, ''));
  assert.equal(index.invertedIndex.docCount, 3);
  assert.deepEqual(index.invertedIndex.rank(request('apple')), { hits: [], total: 0 });
  assert.deepEqual(index.invertedIndex.rank({ words: [], depth: 10 }), { hits: [], total: 0 });
});

test('numbers may have large gaps', (t) => {
  const index = open(t, { flushAtDocs: 2, mergeFactor: 2 });
  const numbers = [1, 300, 70_000, 1_500_000, 1_500_001];
  for (const docId of numbers) {
    add(index, documentOf(docId, `apple n${docId}`));
    tidyAll(index);
    assert.deepEqual(numbersFor(index, `n${docId}`), [docId]);
  }
  assert.deepEqual(numbersFor(index, 'apple'), numbers.toReversed());
});

test('a document may have a hundred thousand terms', (t) => {
  const index = open(t, { flushAtDocs: 1 });
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
  assert.equal(index.invertedIndex.rank(request(words)).hits[0]?.covered, 300);
});
