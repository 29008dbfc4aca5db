// Fusing several ranked lists into one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse, type RankedList } from '../../../src/search/fuse.ts';
import type { ProviderResult } from '../../../src/search/providers/provider.ts';
import { runs, seedOr } from '../../support/runs.ts';

const page = (name: string, more: Partial<ProviderResult> = {}): ProviderResult => ({
  url: `https://${name}.example/`,
  title: name,
  description: '',
  ...more,
});

const listOf = (provider: string, results: ProviderResult[], weight?: number): RankedList<ProviderResult> => ({
  provider,
  items: results.map((result, index) => ({ result, rank: index + 1 })),
  ...(weight !== undefined && { weight }),
});

const keyOf = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '');
const titles = (fused: { result: ProviderResult }[]) => fused.map(({ result }) => result.title).join(' ');

test('results in several lists rank above results higher up in one list, and each lists its sources', () => {
  const lists = [listOf('one', [page('a'), page('b'), page('c')]), listOf('two', [page('d'), page('c')])];
  const fused = fuse(lists, { keyOf, limit: 10 });
  assert.equal(titles(fused), 'c a d b');
  assert.deepEqual(fused[0]!.given, [
    { provider: 'one', rank: 3 },
    { provider: 'two', rank: 2 },
  ]);
  assert.equal(fused[0]!.score, 1 / 63 + 1 / 62);
  assert.equal(titles(fuse(lists, { keyOf, limit: 2 })), 'c a');
});

test('ranks are those of the provider, not positions in the list', () => {
  const late = { provider: 'late', items: [{ result: page('x'), rank: 40 }] };
  assert.equal(titles(fuse([late, listOf('early', [page('a'), page('b')])], { keyOf, limit: 9 })), 'a b x');
});

test('a list with a higher weight counts more', () => {
  const lists = [listOf('one', [page('a')]), listOf('index', [page('b')], 2)];
  assert.equal(titles(fuse(lists, { keyOf, limit: 9 })), 'b a');
});

test('URLs of one page are one result, which a list counts once with its best rank', () => {
  const twice = listOf('one', [page('a'), page('a', { url: 'http://www.a.example/' }), page('b')]);
  const fused = fuse([twice], { keyOf, limit: 9 });
  assert.equal(titles(fused), 'a b');
  assert.deepEqual([fused[0]!.score, fused[0]!.given.length], [1 / 61, 1]);
});

test('a result has the text of the list that ranks it highest, and missing fields from the others', () => {
  const best = page('a', { url: 'http://a.example/', description: '' });
  const second = page('a', { title: 'other', description: 'words', date: 5, imageUrl: 'https://i.example/' });
  const [fused] = fuse([listOf('two', [page('z'), second]), listOf('one', [best])], { keyOf, limit: 1 });
  assert.deepEqual(fused!.result, {
    url: 'https://a.example/',
    title: 'a',
    description: 'words',
    date: 5,
    imageUrl: 'https://i.example/',
  });
});

test('the text of the preferred list wins, however low it ranks the result', () => {
  const own = page('a', { title: 'own', description: 'a passage for the query' });
  const lists = [listOf('one', [page('a', { description: 'snippet', date: 7 })]), listOf('index', [page('z'), own])];
  const [fused] = fuse(lists, { keyOf, limit: 1, preferred: 'index' });
  assert.deepEqual(
    [fused!.result.title, fused!.result.description, fused!.result.date],
    ['own', 'a passage for the query', 7],
  );
});

test('pictures are identified by the picture, not by the page', () => {
  const picture = (name: string, imageUrl: string) => page(name, { imageUrl });
  const lists = [
    listOf('one', [picture('a', 'https://i.example/1.png'), picture('a', 'https://i.example/2.png')]),
    listOf('two', [picture('b', 'https://i.example/1.png')]),
  ];
  assert.equal(fuse(lists, { keyOf, limit: 9 }).length, 2);
  const fused = fuse(lists, { keyOf, limit: 9, by: 'imageUrl' });
  assert.deepEqual(
    fused.map(({ result, given }) => [result.imageUrl, given.length]),
    [
      ['https://i.example/1.png', 2],
      ['https://i.example/2.png', 1],
    ],
  );
});

test('by date the newest come first and undated results last, before the limit applies', () => {
  const results = [page('none'), page('old', { date: 1 }), page('new', { date: 3 }), page('same', { date: 1 })];
  assert.equal(titles(fuse([listOf('one', results)], { keyOf, limit: 9, sortByDate: true })), 'new old same none');
  assert.equal(titles(fuse([listOf('one', results)], { keyOf, limit: 1, sortByDate: true })), 'new');
});

test('no lists give no results', () => assert.deepEqual(fuse([], { keyOf, limit: 9 }), []));

test('every page appears exactly once, ordered by score, and the input lists are not changed', () => {
  const names = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 });
  fc.assert(
    fc.property(fc.array(names, { maxLength: 5 }), (contents) => {
      const lists = contents.map((list, index) =>
        listOf(
          `p${index}`,
          list.map((name) => page(name)),
        ),
      );
      const before = JSON.stringify(lists);
      const fused = fuse(lists, { keyOf, limit: 100 });
      assert.equal(JSON.stringify(lists), before);
      assert.deepEqual(fused.map(({ result }) => result.title).sort(), [...new Set(contents.flat())].sort());
      for (const { result, score } of fused) {
        const expected = contents.reduce((sum, list) => {
          const at = list.indexOf(result.title as 'a');
          return at === -1 ? sum : sum + 1 / (61 + at);
        }, 0);
        assert.ok(Math.abs(score - expected) < 1e-12);
      }
      assert.ok(fused.every(({ score }, index) => index === 0 || score <= fused[index - 1]!.score));
    }),
    { seed: seedOr(5), numRuns: runs(300, 6_000) },
  );
});
