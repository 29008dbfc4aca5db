// The inverted index: when docs become visible, and edge cases of ids, weights and scores.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import {
  add,
  countRows,
  docIdsFor,
  docOf,
  flushAndMergeAll,
  open,
  remove,
  request,
  storedTerms,
  toNewDoc,
} from './inverted-index-samples.ts';

test('docs are found after their transaction is committed, and never after a rollback', (t) => {
  const index = open(t);
  const { connection, invertedIndex } = index;
  connection.transaction(() => {
    invertedIndex.add([toNewDoc(docOf(1, 'red apple'))]);
    assert.deepEqual(docIdsFor(index, 'apple'), []);
    assert.equal(invertedIndex.docCount, 0);
    assert.equal(invertedIndex.lastDocId, 1);
  });
  invertedIndex.committed();
  assert.deepEqual(docIdsFor(index, 'apple'), [1]);

  const failing = () =>
    connection.transaction(() => {
      invertedIndex.add([toNewDoc(docOf(2, 'green apple'))]);
      invertedIndex.remove(1);
      throw new Error('stop');
    });
  assert.throws(failing, /stop/);
  invertedIndex.rolledBack();
  assert.deepEqual(docIdsFor(index, 'apple green'), [1]);
  assert.equal(invertedIndex.docCount, 1);
  assert.equal(invertedIndex.lastDocId, 1);
});

test('a removed doc is gone at once, even if it was added in the same transaction', (t) => {
  const index = open(t, { flushAtDocs: 3 });
  add(index, docOf(1, 'apple'), docOf(2, 'apple pie'), docOf(3, 'pie'));
  flushAndMergeAll(index);
  remove(index, 2, 2, 99);
  assert.deepEqual(docIdsFor(index, 'apple'), [1]);
  assert.equal(index.invertedIndex.rank(request('pie')).total, 1);
  assert.equal(index.invertedIndex.docCount, 2);

  index.connection.transaction(() => {
    index.invertedIndex.add([docOf(4, 'apple cake'), docOf(5, 'cake')].map(toNewDoc));
    index.invertedIndex.remove(4);
  });
  index.invertedIndex.committed();
  assert.deepEqual(docIdsFor(index, 'cake'), [5]);
  assert.equal(index.invertedIndex.docCount, 3);
});

test('a doc id must be higher than all before it', (t) => {
  const index = open(t);
  add(index, docOf(5, 'apple'));
  for (const docIds of [[5], [3], [7, 7]]) {
    const docs = docIds.map((docId) => docOf(docId, 'pear'));
    assert.throws(
      () => index.connection.transaction(() => index.invertedIndex.add(docs.map(toNewDoc))),
      /is not above the last one/,
    );
    index.invertedIndex.rolledBack();
  }
  assert.equal(index.invertedIndex.lastDocId, 5);
});

test('the highest doc id is remembered after its doc was purged', (t) => {
  const file = join(temporaryFolder(t), 'index.db');
  const options = { flushAtDocs: 2, mergeFactor: 2 };
  const index = open(t, options, file);
  add(index, docOf(1, 'apple'), docOf(9, 'pear'));
  remove(index, 1, 9);
  flushAndMergeAll(index);
  assert.equal(countRows(index, 'dead'), 0);
  assert.equal(countRows(index, 'post'), 0);
  index.database.close();
  const again = open(t, options, file);
  assert.equal(again.invertedIndex.lastDocId, 9);
  assert.equal(again.invertedIndex.docCount, 0);
});

test('among equal scores the higher doc id comes first, whatever the depth', (t) => {
  const index = open(t, { flushAtDocs: 40 });
  add(index, ...Array.from({ length: 50 }, (_, at) => docOf(at + 1, 'apple tree')));
  flushAndMergeAll(index);
  add(index, docOf(60, 'apple tree'));
  assert.deepEqual(docIdsFor(index, 'apple', { depth: 3 }), [60, 50, 49]);
  assert.deepEqual(docIdsFor(index, 'apple', { depth: 0 }), []);
  assert.equal(index.invertedIndex.rank(request('apple', { depth: 0 })).total, 51);
  assert.equal(docIdsFor(index, 'apple', { depth: 1_000 }).length, 51);
});

test('the filter excludes docs, including all beyond its end', (t) => {
  const index = open(t);
  add(index, ...[1, 2, 3, 4].map((docId) => docOf(docId, 'apple')));
  const ranking = index.invertedIndex.rank(request('apple', { filter: Uint8Array.of(1, 1, 0, 1) }));
  assert.deepEqual([ranking.hits.map(({ docId }) => docId), ranking.total], [[3, 1], 2]);
});

test('a boost is added once per doc, and only to docs that match', (t) => {
  const index = open(t);
  add(index, docOf(1, 'apple pie'), docOf(2, 'apple pie'), docOf(3, 'nothing'));
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

test('forms of a word count as one word, with a weight of at most 255', (t) => {
  const index = open(t);
  const heavy = { docId: 1, terms: new Map([['run', 200], ['running', 100]]), length: 300 }; // biome-ignore format: short
  const capped = { docId: 2, terms: new Map([['run', 255]]), length: 300 };
  add(index, heavy, capped, docOf(3, 'walk'));
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

test('a term that every doc contains still scores above zero', (t) => {
  const index = open(t);
  add(index, docOf(1, 'the'), docOf(2, 'the the the'), docOf(3, 'the'));
  const { hits, total } = index.invertedIndex.rank(request('the'));
  assert.equal(total, 3);
  assert.ok(hits.every(({ score }) => score > 0));
  assert.equal(hits[0]!.docId, 2);
});

test('docs without terms are counted and never found', (t) => {
  const index = open(t, { flushAtDocs: 2 });
  add(index, docOf(1, ''), docOf(2, ''));
  flushAndMergeAll(index);
  add(index, docOf(3, ''));
  assert.equal(index.invertedIndex.docCount, 3);
  assert.deepEqual(index.invertedIndex.rank(request('apple')), { hits: [], total: 0 });
  assert.deepEqual(index.invertedIndex.rank({ words: [], depth: 10 }), { hits: [], total: 0 });
});

test('doc ids may have large gaps', (t) => {
  const index = open(t, { flushAtDocs: 2, mergeFactor: 2 });
  const docIds = [1, 300, 70_000, 1_500_000, 1_500_001];
  for (const docId of docIds) {
    add(index, docOf(docId, `apple n${docId}`));
    flushAndMergeAll(index);
    assert.deepEqual(docIdsFor(index, `n${docId}`), [docId]);
  }
  assert.deepEqual(docIdsFor(index, 'apple'), docIds.toReversed());
});

test('a doc may have 100,000 terms', (t) => {
  const index = open(t, { flushAtDocs: 1 });
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}`);
  add(index, docOf(1, words.join(' ')), docOf(2, 'word0'));
  assert.deepEqual(docIdsFor(index, 'word255r'), [1]);
  flushAndMergeAll(index);
  assert.equal(storedTerms(index).length, 100_000);
  assert.deepEqual(docIdsFor(index, 'word255r'), [1]);
  assert.deepEqual(docIdsFor(index, 'word0'), [2, 1]);
});

test('coverage counts more than 255 words', (t) => {
  const index = open(t);
  const words = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
  add(index, docOf(1, words));
  assert.equal(index.invertedIndex.rank(request(words)).hits[0]?.covered, 300);
});
