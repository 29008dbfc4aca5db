// Pages and queries that are larger than any that people write, or written to do harm, on OpenSearch.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { IndexFind } from '../../../../src/index/page-index.ts';
import { NO_OPENSEARCH, openOpenSearch } from '../../../conformance/open-opensearch.ts';
import { feed, phrase, queryOf, searchOf, urlsOf } from '../../../conformance/page-index-samples.ts';

const at = (host: string) => `https://${host}.example/page`;

function open(t: TestContext) {
  const { index, remove } = openOpenSearch();
  t.after(remove);
  return index;
}

test('words that OpenSearch could misread are only words', { skip: NO_OPENSEARCH }, async (t) => {
  const index = open(t);
  const long = 'x'.repeat(5_000);
  await feed(
    index,
    { url: at('weights'), body: 'seal|9999999 walrus|-1 a|b|c' },
    { url: at('long'), body: `${long} otter` },
    { url: at('longer'), body: `y${long} puffin` },
    { url: at('controls'), body: 'gannet\u0000 \u0001 \u2028 \ue000kelp \ue001100x100 \ufeff tern' },
    { url: at('many'), body: Array.from({ length: 40_000 }, (_, i) => `w${i}`).join(' ') },
  );
  assert.equal((await index.stats()).skipped, 0);
  assert.deepEqual(await urlsOf(index, queryOf('walrus')), [at('weights')]);
  assert.deepEqual(await urlsOf(index, queryOf(long)), [at('long')]);
  assert.deepEqual(await urlsOf(index, queryOf(phrase(`y${long} puffin`))), [at('longer')]);
  assert.deepEqual(await urlsOf(index, queryOf('gannet tern')), [at('controls')]);
  assert.deepEqual(await urlsOf(index, queryOf('w17')), [at('many')]);
});

test('a page of 16 MB is indexed as far as any other index does', { skip: NO_OPENSEARCH }, async (t) => {
  const index = open(t);
  await feed(index, { url: at('huge'), body: `walrus ${'lorem ipsum '.repeat(1_400_000)} narwhal` });
  assert.deepEqual(await urlsOf(index, queryOf('walrus')), [at('huge')]);
  assert.deepEqual(await urlsOf(index, queryOf('narwhal')), []);
});

test('a query of thousands of words and domains is answered', { skip: NO_OPENSEARCH }, async (t) => {
  const index = open(t);
  await feed(
    index,
    { url: at('all'), body: Array.from({ length: 1_500 }, (_, i) => `word${i}`).join(' ') },
    { url: at('one'), body: 'word1400 seal' },
  );
  const words = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(' ');
  assert.equal((await urlsOf(index, queryOf(words)))[0], at('all'));
  const excludeDomains = Array.from({ length: 5_000 }, (_, i) => `h${i}.example`);
  assert.deepEqual(await urlsOf(index, queryOf('seal'), { excludeDomains }), [at('one')]);
});

test('more pages than a search looks at are counted, and listed page by page', { skip: NO_OPENSEARCH }, async (t) => {
  const index = open(t);
  const pages = Array.from({ length: 1_300 }, (_, i) => ({
    url: i < 1_000 ? `https://big.example/${i}` : at(`h${i}`),
    body: `seal number${i}`,
    language: i % 2 === 0 ? 'en' : 'de',
  }));
  await feed(index, ...pages);
  const { highlights: _, ...search } = searchOf(queryOf());
  const find: IndexFind = { ...search, offset: 0, unfinished: undefined, setApart: [], explain: false, facets: true };
  const listed = await index.find(find);
  assert.deepEqual([listed.total, listed.totalIs, listed.hits.length], [1_300, 'about', 10]);
  assert.deepEqual(listed.facets!.hosts[0], { value: 'big.example', pages: 1_000 });
  assert.deepEqual(
    listed.facets!.languages.map(({ pages: count }) => count),
    [650, 650],
  );
  const german = await index.find({ ...find, languages: ['de'], setApart: ['https://big.example/1'] });
  assert.equal(german.total, 649);
  assert.equal(german.facets!.languages.length, 2);
  const deep = await index.find({ ...find, ...searchOf(queryOf('seal')), offset: 1_200, limit: 50 });
  assert.deepEqual([deep.hits.length, deep.hasMore], [50, true]);
});
