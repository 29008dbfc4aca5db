// Every PageIndex adapter obeys each operator and condition, even if the page that ranks best by words must not be shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Query } from '../../src/contracts/search/search-query.ts';
import {
  type Asking,
  DAY,
  feed,
  filetype,
  filler,
  NOW,
  type OpenIndex,
  phrase,
  queryOf,
  type SamplePage,
  searchOf,
  site,
  urlsOf,
  wordClause,
} from './page-index-samples.ts';

/** `best` wins by words alone; with the condition only `fitting` is shown. */
interface Case {
  name: string;
  best: Omit<SamplePage, 'url'> & { url?: string };
  fitting: Omit<SamplePage, 'url'> & { url?: string };
  words: string;
  query: Query;
  asking?: Asking;
}

const BEST = 'https://best.example/page';
const FITTING = 'https://fitting.example/page';
const strong = { title: 'Seal seal seal', body: 'seal seal seal' };
const weak = { body: `One seal among many other words. ${filler(80)}` };

const CASES: Case[] = [
  {
    name: 'a phrase matches exactly these words in this order',
    best: { title: 'Grey seals', body: 'the seal, grey and common; seal greying' },
    fitting: { body: `${filler(60)} there a Grey  seal, sleeps ${filler(60)}` },
    words: 'grey seal',
    query: queryOf(phrase('grey seal')),
  },
  {
    name: 'a phrase of inflected words does not match other inflections',
    best: { title: 'Running shoe', body: 'running shoe running shoe run shoes' },
    fitting: { body: `${filler(60)} she buys running shoes ${filler(60)}` },
    words: 'running shoes',
    query: queryOf(phrase('running shoes')),
  },
  {
    name: 'an excluded word',
    best: { ...strong, description: '', body: 'seal seal seal of wax' },
    fitting: weak,
    words: 'seal',
    query: queryOf('seal -wax'),
  },
  {
    name: 'an excluded word that only the title contains',
    best: { ...strong, title: 'Seal wax seal' },
    fitting: weak,
    words: 'seal',
    query: queryOf('seal -wax'),
  },
  {
    name: 'an excluded phrase',
    best: { ...strong, body: 'seal seal a wax seal seal' },
    fitting: { body: `A seal, no wax. ${filler(60)}` },
    words: 'seal',
    query: queryOf('seal', phrase('wax seal', true)),
  },
  { name: 'site:', best: strong, fitting: weak, words: 'seal', query: queryOf('seal', site('fitting.example')) },
  {
    name: 'site: includes subdomains, but not other hosts with the same ending',
    best: { ...strong, url: 'https://notfitting.example/page' },
    fitting: { ...weak, url: 'https://www.fitting.example/page' },
    words: 'seal',
    query: queryOf('seal', site('fitting.example')),
  },
  {
    name: 'site: with a path',
    best: { ...strong, url: 'https://fitting.example/docsandmore/docs-one' },
    fitting: { ...weak, url: 'https://fitting.example/docs/one' },
    words: 'seal',
    query: queryOf('seal', site('fitting.example', '/docs')),
  },
  {
    name: '-site:',
    best: strong,
    fitting: weak,
    words: 'seal',
    query: queryOf('seal', site('best.example', '', true)),
  },
  {
    name: '-site: with a path leaves the rest of the host',
    best: { ...strong, url: 'https://fitting.example/old/page' },
    fitting: { ...weak, url: 'https://fitting.example/older/page' },
    words: 'seal',
    query: queryOf('seal', site('fitting.example', '/old', true)),
  },
  {
    name: 'filetype:',
    best: strong,
    fitting: { ...weak, fileType: 'pdf' },
    words: 'seal',
    query: queryOf('seal', filetype('pdf')),
  },
  {
    name: 'filetype: by the address, where the page is served as another type',
    best: strong,
    fitting: { ...weak, url: 'https://fitting.example/seals.php' },
    words: 'seal',
    query: queryOf('seal', filetype('php')),
  },
  {
    name: '-filetype:',
    best: { ...strong, fileType: 'pdf' },
    fitting: weak,
    words: 'seal',
    query: queryOf('seal', filetype('pdf', true)),
  },
  {
    name: 'intitle:',
    best: { title: 'Seals', body: 'walrus walrus seal seal' },
    fitting: { title: 'A walrus and other animals of the north', body: filler(80) },
    words: 'seal walrus',
    query: queryOf('seal', wordClause('intitle', ['walrus'])),
  },
  {
    name: 'intitle: matches the word itself, not related forms',
    best: { title: 'Computing, computing', body: 'computer computer' },
    fitting: { title: `Computer ${filler(12)}`, body: filler(80) },
    words: 'computer',
    query: queryOf(wordClause('intitle', ['computer'])),
  },
  {
    name: 'intitle: with a quoted text',
    best: { title: 'Seal grey, grey seal coat', body: 'grey seal' },
    fitting: { title: `Where a seal coat hangs ${filler(9)}`, body: filler(80) },
    words: 'grey seal',
    query: queryOf(wordClause('intitle', ['a', 'seal', 'coat'])),
  },
  {
    name: '-intitle:',
    best: strong,
    fitting: { ...weak, title: 'Animals' },
    words: 'seal',
    query: queryOf('seal', wordClause('intitle', ['seal'], true)),
  },
  {
    name: 'allintitle:',
    best: { title: 'Seal seal', body: 'walrus walrus seal' },
    fitting: { title: 'Between walrus and other animals a seal', body: filler(80) },
    words: 'seal walrus',
    query: queryOf(wordClause('allintitle', ['seal', 'walrus'])),
  },
  {
    name: 'inurl:',
    best: strong,
    fitting: { ...weak, url: 'https://fitting.example/wildlife/one' },
    words: 'seal',
    query: queryOf('seal', wordClause('inurl', ['wildlife'])),
  },
  {
    name: '-inurl:',
    best: { ...strong, url: 'https://best.example/wildlife/one' },
    fitting: weak,
    words: 'seal',
    query: queryOf('seal', wordClause('inurl', ['wildlife'], true)),
  },
  {
    name: 'allinurl:',
    best: { ...strong, url: 'https://best.example/wildlife' },
    fitting: { ...weak, url: 'https://fitting.example/wildlife-of-the-north' },
    words: 'seal',
    query: queryOf('seal', wordClause('allinurl', ['north', 'wildlife'])),
  },
  {
    name: 'includeDomains',
    best: strong,
    fitting: { ...weak, url: 'https://sub.fitting.example/' },
    words: 'seal',
    query: queryOf('seal'),
    asking: { includeDomains: ['fitting.example', 'other.example'] },
  },
  {
    name: 'excludeDomains',
    best: { ...strong, url: 'https://sub.best.example/' },
    fitting: weak,
    words: 'seal',
    query: queryOf('seal'),
    asking: { excludeDomains: ['best.example'] },
  },
  {
    name: 'the category github',
    best: strong,
    fitting: { ...weak, url: 'https://github.com/seal/seal' },
    words: 'seal',
    query: queryOf('seal'),
    asking: { categories: ['github'] },
  },
  {
    name: 'the category research',
    best: strong,
    fitting: { ...weak, url: 'https://arxiv.org/abs/2101.00001' },
    words: 'seal',
    query: queryOf('seal'),
    asking: { categories: ['github', 'research'] },
  },
  {
    name: 'the category pdf',
    best: strong,
    fitting: { ...weak, fileType: 'pdf' },
    words: 'seal',
    query: queryOf('seal'),
    asking: { categories: ['github', 'pdf'] },
  },
  {
    name: 'a time range with a start',
    best: { ...strong, publishedAt: NOW - 8 * DAY },
    fitting: { ...weak, publishedAt: NOW - 7 * DAY },
    words: 'seal',
    query: queryOf('seal'),
    asking: { time: { from: NOW - 7 * DAY } },
  },
  {
    name: 'a time range with an end, using the first fetch of a page without a date',
    best: { ...strong, publishedAt: NOW - 7 * DAY },
    fitting: { ...weak, firstSeenAt: NOW - 7 * DAY - 1 },
    words: 'seal',
    query: queryOf('seal'),
    asking: { time: { until: NOW - 7 * DAY } },
  },
];

export function testIndexOperators(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: operators and conditions`, () => {
    for (const { name, words, query, asking, ...pages } of CASES) {
      test(`only matching pages are shown: ${name}`, async (t) => {
        const index = await open(t);
        const best = { url: BEST, ...pages.best };
        const fitting = { url: FITTING, ...pages.fitting };
        await feed(index, best, fitting);
        const [first] = await urlsOf(index, queryOf(words));
        assert.equal(first, best.url, 'without the condition the other page is first');
        assert.deepEqual(await urlsOf(index, query, asking), [fitting.url]);
        assert.deepEqual(await urlsOf(index, query, { ...asking, sortByDate: true }), [fitting.url], 'sorted by date');
      });
    }

    test('with several sites or file types, matching one is enough', async (t) => {
      const index = await open(t);
      const pages = ['https://a.example/x', 'https://b.example/docs/x', 'https://b.example/x', 'https://c.example/x'];
      await feed(index, ...pages.map((url) => ({ url, body: 'seal' })));
      const found = await urlsOf(index, queryOf('seal', site('a.example'), site('b.example', '/docs')));
      assert.deepEqual(found.sort(), pages.slice(0, 2));
      await feed(index, { url: 'https://d.example/y', body: 'seal', fileType: 'pdf' });
      await feed(index, { url: 'https://e.example/y', body: 'seal', fileType: 'docx' });
      const files = await urlsOf(index, queryOf('seal', filetype('pdf'), filetype('docx')));
      assert.deepEqual(files.sort(), ['https://d.example/y', 'https://e.example/y']);
    });

    test('excluding a word does not exclude its other forms', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: 'https://a.example/1', body: 'seal runs' },
        { url: 'https://b.example/2', body: 'seal running' },
      );
      assert.deepEqual(await urlsOf(index, queryOf('seal -running')), ['https://a.example/1']);
    });

    test('conditions alone list all matching pages, better and newer ones first', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: 'https://a.example/poor', body: 'one', quality: 0.1, publishedAt: NOW - 2_000 * DAY },
        { url: 'https://a.example/good', body: 'two', quality: 0.9, publishedAt: NOW },
        { url: 'https://b.example/other', body: 'three', quality: 1 },
      );
      assert.deepEqual(await urlsOf(index, queryOf(site('a.example'))), [
        'https://a.example/good',
        'https://a.example/poor',
      ]);
      assert.deepEqual(await urlsOf(index, queryOf('-two')), ['https://b.example/other', 'https://a.example/poor']);
    });

    test('a phrase is found in any script', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: 'https://a.example/zh', language: 'zh', body: '我们在北京大学学习历史。' },
        { url: 'https://a.example/ru', language: 'ru', body: 'Он читает новую книгу каждый день.' },
        { url: 'https://a.example/de', language: 'de', body: 'Die Häuser am Hang sind schön.' },
        { url: 'https://a.example/tr', language: 'tr', body: 'Kitapları okuyorum her gün.' },
      );
      assert.deepEqual(await urlsOf(index, queryOf(phrase('北京大学'))), ['https://a.example/zh']);
      assert.deepEqual(await urlsOf(index, queryOf(phrase('новую книгу'))), ['https://a.example/ru']);
      assert.deepEqual(await urlsOf(index, queryOf(phrase('häuser am hang'))), ['https://a.example/de']);
      assert.deepEqual(await urlsOf(index, queryOf(phrase('kitapları okuyorum'))), ['https://a.example/tr']);
      assert.deepEqual(await urlsOf(index, queryOf(phrase('大学北京'))), []);
    });

    test('the index answers even the oddest queries', async (t) => {
      const index = await open(t);
      await feed(index, { url: 'https://a.example/', title: 'Seal', body: 'a seal AND a walrus NEAR the sea' });
      const odd = [
        '"',
        '*',
        'a" OR "b',
        'title:seal',
        'NEAR(',
        ') OR (',
        '{title} : x',
        '^seal',
        '\u0000',
        '++--',
        "';--",
        '🦭',
        'é'.repeat(250),
        `${'x'.repeat(499)}"`,
        'AND',
        'NOT NOT',
      ];
      for (const text of odd) {
        for (const clause of [
          phrase(text),
          phrase(text, true),
          wordClause('intitle', [text]),
          wordClause('allinurl', [text, text], true),
          site(text, `/${text}`),
          { kind: 'word', text, negated: true } as const,
        ]) {
          const query = { text, clauses: [{ kind: 'word', text, negated: false } as const, clause] };
          const found = await Promise.all([
            index.web(searchOf(query, { highlights: true })),
            index.web(searchOf(query, { sortByDate: true })),
            index.news(searchOf(query)),
            index.images(searchOf(query)),
          ]);
          assert.ok(found.every(Array.isArray), text);
        }
      }
    });
  });
}
