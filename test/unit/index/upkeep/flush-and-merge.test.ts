// Flushing, merging and purging: no step changes the answers of a search, even if the process ends after it.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createInvertedIndex } from '../../../../src/index/segments/create-inverted-index.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import {
  add,
  countRows,
  docOf,
  flushAndMergeAll,
  type Opened,
  open,
  remove,
  request,
  type SampleDoc,
  storedTerms,
} from '../segments/inverted-index-samples.ts';

const OPTIONS = { flushAtDocs: 8, mergeFactor: 2, stepWork: 6 };

const sampleDoc = (docId: number): SampleDoc =>
  docOf(docId, `all ${docId % 2 ? 'odd' : 'even'} third${docId % 3} own${docId} own${docId} words${docId % 5}`);

/** No step may change these answers while nothing is removed. Purging removed docs changes scores. */
const answersOf = ({ invertedIndex }: Opened) =>
  ['all', 'odd', 'third1 words2', 'own7', 'own13 even'].map((words) => invertedIndex.rank(request(words)));

const segmentsOf = ({ database }: Opened) =>
  database
    .prepare('SELECT level, lo, hi FROM segs ORDER BY lo')
    .all()
    .map(({ level, lo, hi }) => [level, lo, hi]);

/** Adds twenty docs in commits of four. */
function fill(index: Opened): void {
  for (let first = 1; first <= 20; first += 4) {
    add(index, ...[0, 1, 2, 3].map((more) => sampleDoc(first + more)));
  }
}

test('after a crash at any step, the index gives the same answers and ends in the same state', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'index.db');
  const index = open(t, OPTIONS, file);
  index.database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL');
  add(index, ...Array.from({ length: 8 }, (_, at) => sampleDoc(at + 1)));
  flushAndMergeAll(index);
  add(index, ...Array.from({ length: 9 }, (_, at) => sampleDoc(at + 9)));
  const answers = answersOf(index);

  let steps = 0;
  for (let isMore = true; isMore; steps++) {
    const copy = join(folder, `${steps}.db`);
    for (const ending of ['', '-wal']) copyFileSync(file + ending, copy + ending);
    const crashed = open(t, OPTIONS, copy);
    assert.deepEqual(answersOf(crashed), answers, `after ${steps} steps`);
    flushAndMergeAll(crashed);
    assert.deepEqual(answersOf(crashed), answers, `after ${steps} steps and all remaining ones`);
    assert.deepEqual(segmentsOf(crashed), [[1, 1, 17]]);
    assert.equal(countRows(crashed, 'post WHERE seg NOT IN (SELECT seg FROM segs)'), 0);
    assert.equal(countRows(crashed, 'tail'), 0);
    crashed.database.close();

    isMore = index.invertedIndex.flushAndMerge();
    assert.deepEqual(answersOf(index), answers, `after step ${steps}`);
  }
  assert.ok(steps > 20, `${steps} steps`);
});

test('a failed step is repeated by a later one, and nothing is lost', (t) => {
  const index = open(t, OPTIONS);
  fill(index);
  remove(index, 4);
  flushAndMergeAll(index);
  const expected = { answers: answersOf(index), segments: segmentsOf(index) };

  let left = 0;
  const failing = open(t, OPTIONS);
  const { connection } = failing;
  failing.invertedIndex = createInvertedIndex(
    {
      ...connection,
      transaction: (work) =>
        connection.transaction(() => {
          const value = work();
          if (left-- === 0) throw new Error('disk is full');
          return value;
        }),
    },
    OPTIONS,
  );
  fill(failing);
  remove(failing, 4);
  // Each round fails at another transaction.
  let failures = 0;
  for (let round = 0; round < 60; round++) {
    left = round % 12;
    try {
      flushAndMergeAll(failing);
    } catch (error) {
      assert.match(String(error), /disk is full/);
      failures += 1;
    }
    assert.equal(failing.invertedIndex.rank(request('all')).total, 19);
  }
  left = -1;
  flushAndMergeAll(failing);
  assert.ok(failures > 5, `${failures} failures`);
  assert.deepEqual(answersOf(failing), expected.answers);
  assert.deepEqual(segmentsOf(failing), expected.segments);
  assert.equal(countRows(failing, 'post WHERE seg NOT IN (SELECT seg FROM segs)'), 0);
});

test('docs added during a flush are found, and flushed later', (t) => {
  const index = open(t, OPTIONS);
  add(index, ...Array.from({ length: 8 }, (_, at) => sampleDoc(at + 1)));
  for (let docId = 9; docId <= 30; docId++) {
    index.invertedIndex.flushAndMerge();
    add(index, sampleDoc(docId));
    assert.equal(index.invertedIndex.rank(request('all')).total, docId);
    assert.equal(index.invertedIndex.docFrequency('all'), docId);
  }
  flushAndMergeAll(index);
  assert.equal(index.invertedIndex.rank(request('all', { depth: 100 })).hits.length, 30);
});

test('docs removed during a flush leave the answers at once and the tables later', (t) => {
  const index = open(t, { ...OPTIONS, mergeFactor: 100 });
  add(index, ...Array.from({ length: 8 }, (_, at) => sampleDoc(at + 1)));
  for (let step = 0; step < 4; step++) index.invertedIndex.flushAndMerge();
  remove(index, 3);
  assert.equal(index.invertedIndex.rank(request('all')).total, 7);
  flushAndMergeAll(index);
  assert.equal(countRows(index, 'dead'), 1);
  assert.equal(index.invertedIndex.rank(request('all')).total, 7);
  assert.equal(index.invertedIndex.docFrequency('all'), 8);
  remove(index, 5, 7);
  flushAndMergeAll(index);
  assert.equal(countRows(index, 'dead'), 0, 'a segment with many removed docs is rewritten');
  assert.equal(index.invertedIndex.docFrequency('all'), 5);
  assert.equal(storedTerms(index).includes('own5'), false);
  assert.deepEqual(segmentsOf(index), [[0, 1, 8]]);
});

test('segments of one level are merged into one of the next', (t) => {
  const index = open(t, { flushAtDocs: 2, mergeFactor: 3 });
  for (let docId = 1; docId <= 26; docId++) {
    add(index, sampleDoc(docId));
    flushAndMergeAll(index);
  }
  assert.deepEqual(segmentsOf(index), [
    [2, 1, 18],
    [1, 19, 24],
    [0, 25, 26],
  ]);
});

test('one step writes at most stepWork rows, and what one block had waiting', (t) => {
  const stepWork = 50;
  const rowsOfBlock = 200;
  const index = open(t, { flushAtDocs: 100, mergeFactor: 2, stepWork });
  for (let docId = 1; docId <= 400; docId++) {
    add(index, docOf(docId, Array.from({ length: 30 }, (_, at) => `own${docId}part${at}`).join(' ')));
    if (docId % 100 !== 0) continue;
    for (let isMore = true, before = storedTerms(index).length; isMore; ) {
      isMore = index.invertedIndex.flushAndMerge();
      const after = storedTerms(index).length;
      assert.ok(after - before <= stepWork + rowsOfBlock, `${after - before} rows`);
      before = after;
    }
  }
  assert.deepEqual(segmentsOf(index), [[2, 1, 400]]);
});

test('merged segments leave nothing behind, however many terms they had', (t) => {
  const index = open(t, { flushAtDocs: 1, mergeFactor: 2 });
  const words = Array.from({ length: 1_800 }, (_, at) => `w${at}`).join(' ');
  for (const docId of [1, 2]) {
    add(index, docOf(docId, words));
    flushAndMergeAll(index);
  }
  assert.deepEqual(segmentsOf(index), [[1, 1, 2]]);
  assert.equal(storedTerms(index).length, 1_800);
});
