// Vectors of pages in the index: which pages lack one, what happens when pages change or go, and what a restart remembers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIndex } from '../../../../src/index/create-index.ts';
import { openIndexFile } from '../../../../src/index/index-file.ts';
import type { QueryMeaning } from '../../../../src/index/page-index.ts';
import { changeOf, queryOf, type SamplePage, searchOf } from '../../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

function open(t: TestContext, folder = temporaryFolder(t)) {
  const index = openIndexFile(join(folder, 'index.db'), (database) =>
    createIndex(database, (error) => {
      throw error;
    }),
  );
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await index.close();
    isClosed = true;
  };
  t.after(close);
  return {
    ...{ index, folder, close },
    feed: (...pages: (SamplePage | string)[]) =>
      index.apply(pages.map((page, at) => changeOf(page, index.applied() + at + 1))),
    missing: () => index.missingVectors(100).pages,
    /** Each page gets the vector of its first word. */
    vectorise() {
      const { pages } = index.missingVectors(100);
      index.addVectors(
        pages.map(({ docId, text }) => ({ docId, vector: vectorOf(text.split('\n')[1]!.split(' ')[0]!) })),
      );
      return pages.length;
    },
    find: (words: string, meaning?: QueryMeaning, includeDomains: string[] = []) =>
      index.web({ ...searchOf(queryOf(words), { limit: 100, includeDomains }), meaning }).map(({ url }) => url),
  };
}

/** A vector for each word: equal words have equal vectors, others have hardly anything in common. */
function vectorOf(word: string): Int8Array {
  let state = [...word].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
  return Int8Array.from({ length: 384 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >> 24;
  });
}

const meaning = (word: string, isAlone = false): QueryMeaning => ({ vector: vectorOf(word), isAlone });
const page = (name: string, body: string, more: Partial<SamplePage> = {}): SamplePage => ({
  ...{ url: `https://${name}.example/`, title: name, body, language: 'en' },
  ...more,
});

test('English pages and those in an unknown language get a vector, once', async (t) => {
  const { feed, missing, vectorise, index } = open(t);
  await feed(page('a', 'lamps for ships'), page('b', 'Lampen und Schiffe', { language: 'de' }), page('c', 'nets'));
  assert.deepEqual(
    missing().map(({ text }) => text),
    ['a\nlamps for ships', 'c\nnets'],
  );
  assert.equal(vectorise(), 2);
  assert.deepEqual(index.missingVectors(100), { pages: [], isComplete: true });
  await feed(page('d', 'ropes'));
  assert.equal(missing().length, 1);
});

test('what lacks vectors is known after a restart, in batches of any size', async (t) => {
  const first = open(t);
  await first.feed(...Array.from({ length: 30 }, (_, at) => page(`p${at}`, `word${at} of this page`)));
  const { pages } = first.index.missingVectors(10);
  assert.equal(pages.length, 10);
  // The middle of the batch, as if the process had been killed.
  first.index.addVectors(pages.slice(3, 6).map(({ docId }) => ({ docId, vector: vectorOf('x') })));
  await first.close();
  const second = open(t, first.folder);
  assert.equal(second.missing().length, 27);
});

test('a page that is written anew keeps its vector if it begins as before, and loses it otherwise', async (t) => {
  const { feed, missing, vectorise } = open(t);
  const long = 'lamp '.repeat(1_000);
  await feed(page('a', `${long}the end`), page('b', 'nets'));
  vectorise();
  await feed(page('a', `${long}another end`), page('b', 'ropes'));
  assert.deepEqual(
    missing().map(({ text }) => text),
    ['b\nropes'],
  );
});

test('a page that is gone takes its vector along, and one that goes meanwhile gets none', async (t) => {
  const { feed, index, vectorise, find } = open(t);
  await feed(page('a', 'lamp'), page('b', 'net'));
  vectorise();
  assert.deepEqual(find('anything', meaning('lamp', true)), ['https://a.example/']);
  await feed('https://a.example/', page('c', 'rope'));
  const { pages } = index.missingVectors(10);
  await feed('https://c.example/');
  index.addVectors(pages.map(({ docId }) => ({ docId, vector: vectorOf('lamp') })));
  assert.deepEqual(find('anything', meaning('lamp', true)), []);
});

test('a query with few hits finds pages that say it in other words, below those that have its words', async (t) => {
  const { feed, vectorise, find } = open(t);
  await feed(page('a', 'lantern for ships'), page('b', 'nets and a torch'), page('c', 'ropes'));
  vectorise();
  assert.deepEqual(find('torch'), ['https://b.example/']);
  assert.deepEqual(find('torch', meaning('lantern')), ['https://b.example/', 'https://a.example/']);
  assert.deepEqual(find('torch', meaning('elephant')), ['https://b.example/']);
  assert.deepEqual(find('unheard', meaning('lantern')), ['https://a.example/']);
  assert.deepEqual(find('torch', meaning('lantern'), ['c.example']), [], 'conditions hold');
});

test('meaning orders pages with the same words, and its part of the score is explained', async (t) => {
  const { feed, vectorise, index } = open(t);
  const pages = Array.from({ length: 12 }, (_, at) => page(`p${at}`, `${at === 4 ? 'oil' : 'paper'} lamp`));
  await feed(...pages);
  vectorise();
  const found = index.find({
    ...searchOf(queryOf('lamp'), { limit: 20 }),
    ...{ meaning: meaning('oil'), offset: 0, explain: true, facets: false, setApart: [] },
  });
  assert.equal(found.hits[0]!.host, 'p4.example');
  for (const { score, parts } of found.hits) {
    const sum = parts!.reduce((total, { value }) => total + value, 0);
    assert.ok(Math.abs(sum - score!) < 0.01, `${sum} is ${score}`);
  }
  assert.ok(found.hits[0]!.parts!.some(({ part, value }) => part === 'meaning' && value > 0));
});
