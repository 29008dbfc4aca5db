// Requests to providers without keys: paths and parameters for words, operators, times and pages.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openverse } from '../../../../src/search/providers/adapters/images/openverse.ts';
import { wikimedia } from '../../../../src/search/providers/adapters/images/wikimedia.ts';
import { gdelt } from '../../../../src/search/providers/adapters/news/gdelt.ts';
import { hackernews } from '../../../../src/search/providers/adapters/news/hackernews.ts';
import { arxiv } from '../../../../src/search/providers/adapters/research/arxiv.ts';
import { crossref } from '../../../../src/search/providers/adapters/research/crossref.ts';
import { github } from '../../../../src/search/providers/adapters/research/github.ts';
import { openalex } from '../../../../src/search/providers/adapters/research/openalex.ts';
import { pubmed } from '../../../../src/search/providers/adapters/research/pubmed.ts';
import { duckduckgo } from '../../../../src/search/providers/adapters/web/duckduckgo.ts';
import { wikipedia } from '../../../../src/search/providers/adapters/web/wikipedia.ts';
import type { Provider } from '../../../../src/search/providers/provider.ts';
import { NOW, type Question, question, startProvider } from '../../../support/provider-server.ts';

const FROM = Date.UTC(2026, 7, 1);
const UNTIL = Date.UTC(2026, 8, 1);
const AUGUST = { from: FROM, until: UNTIL };
const SENTENCE = 'graph neural networks predicting molecular properties';

/** The requests that one search makes, as path and parameters. */
async function requestsOf(t: TestContext, provider: Provider, text: string, changes: Question = {}, key?: string) {
  const server = await startProvider(t, provider.name);
  await server.search(provider, question(text, changes), key).catch(() => undefined);
  return server.requests.map(({ path, parameters }): Record<string, string> => ({ path, ...parameters }));
}

test('wikipedia gets words, phrases and exclusions, and pages as offsets', async (t) => {
  const asked = await requestsOf(t, wikipedia, 'ghost "fishing net" -plastic intitle:sea', { page: 2, count: 500 });
  assert.deepEqual(asked, [
    {
      path: '/w/api.php',
      action: 'query',
      format: 'json',
      formatversion: '2',
      list: 'search',
      srsearch: '"fishing net" sea -plastic ghost',
      srlimit: '50',
      sroffset: '100',
      srprop: 'snippet',
      meta: 'siteinfo',
      siprop: 'general',
    },
  ]);
});

test('a query too long for wikipedia loses plain words, never phrases or exclusions', async (t) => {
  const [asked] = await requestsOf(t, wikipedia, `${'ocean '.repeat(70)} "fishing net" -plastic`);
  assert.ok(asked!.srsearch!.length <= 300);
  assert.match(asked!.srsearch!, /^"fishing net" -plastic ocean ocean/);
});

test('wikimedia gets the type and size of pictures as search conditions', async (t) => {
  const [asked] = await requestsOf(t, wikimedia, 'boat larger:800x600', { conditions: { language: 'de' } });
  assert.deepEqual(asked, {
    path: '/w/api.php',
    action: 'query',
    format: 'json',
    formatversion: '2',
    generator: 'search',
    gsrsearch: 'boat filetype:bitmap|drawing filew:>800 fileh:>600',
    gsrnamespace: '6',
    gsrlimit: '10',
    gsroffset: '0',
    prop: 'imageinfo',
    iiprop: 'url|size|mime|extmetadata',
    iiextmetadatafilter: 'ImageDescription',
    iiextmetadatalanguage: 'de',
  });
});

test('openverse is asked for no more results than it gives without an account', async (t) => {
  const asked = await requestsOf(t, openverse, 'oak -forest', { count: 100, page: 1 });
  assert.deepEqual(asked, [{ path: '/v1/images/', q: '-forest oak', page: '2', page_size: '20' }]);
});

test('hackernews is searched by relevance or by date, within a range of seconds', async (t) => {
  const common = {
    query: 'sqlite',
    tags: 'story',
    advancedSyntax: 'true',
    removeWordsIfNoResults: 'allOptional',
    hitsPerPage: '10',
    page: '0',
  };
  assert.deepEqual(await requestsOf(t, hackernews, 'sqlite'), [{ path: '/api/v1/search', ...common }]);
  const conditions = { time: AUGUST, sortByDate: true };
  assert.deepEqual(await requestsOf(t, hackernews, 'sqlite', { conditions }), [
    {
      path: '/api/v1/search_by_date',
      ...common,
      numericFilters: `created_at_i>=${FROM / 1000},created_at_i<${UNTIL / 1000}`,
    },
  ]);
});

test('github without a key is asked only for repositories, pushed within the time range', async (t) => {
  const common = { path: '/search/repositories', per_page: '10', page: '1' };
  assert.deepEqual(await requestsOf(t, github, 'the web crawler -java'), [{ ...common, q: 'web crawler' }]);
  const conditions = { time: AUGUST, sortByDate: true };
  assert.deepEqual(await requestsOf(t, github, 'crawler', { conditions }), [
    { ...common, q: 'crawler pushed:2026-08-01T00:00:00Z..2026-08-31T23:59:59Z', sort: 'updated', order: 'desc' },
  ]);
  const since = await requestsOf(t, github, 'crawler', { conditions: { time: { from: FROM } } });
  assert.equal(since[0]!.q, 'crawler pushed:>=2026-08-01T00:00:00Z');
  const before = await requestsOf(t, github, 'crawler', { conditions: { time: { until: UNTIL } } });
  assert.equal(before[0]!.q, 'crawler pushed:<2026-09-01T00:00:00Z');
  const [long] = await requestsOf(t, github, 'web crawler written typescript');
  assert.equal(long!.q, 'web crawler written typescript in:name,description,topics,readme');
});

test('github with a key is also asked for issues, and for code when no time is set', async (t) => {
  const asked = await requestsOf(t, github, 'crawler', {}, 'ghp_1');
  asked.sort((a, b) => (a.path! < b.path! ? -1 : 1));
  assert.deepEqual(asked, [
    { path: '/search/code', q: 'crawler', per_page: '4', page: '1' },
    { path: '/search/issues', q: 'crawler is:issue', per_page: '4', page: '1' },
    { path: '/search/repositories', q: 'crawler', per_page: '4', page: '1' },
  ]);
  const timed = await requestsOf(t, github, 'crawler', { conditions: { time: { from: FROM } } }, 'ghp_1');
  assert.deepEqual(timed.map(({ path, q }) => `${path} ${q}`).sort(), [
    '/search/issues crawler is:issue created:>=2026-08-01T00:00:00Z',
    '/search/repositories crawler pushed:>=2026-08-01T00:00:00Z',
  ]);
});

test('arxiv gets a boolean query: all of a few words, any word of a sentence', async (t) => {
  const [asked] = await requestsOf(t, arxiv, '"ghost net" [drift:] -plastic', { page: 1 });
  assert.deepEqual(asked, {
    path: '/api/query',
    search_query: 'all:"ghost net" AND all:drift ANDNOT all:plastic',
    start: '10',
    max_results: '10',
    sortBy: 'relevance',
    sortOrder: 'descending',
  });
  const [few] = await requestsOf(t, arxiv, 'graph-based networks');
  assert.equal(few!.search_query, '(all:graph AND all:based AND all:networks)');
  const [sentence] = await requestsOf(t, arxiv, SENTENCE);
  assert.equal(
    sentence!.search_query,
    '(all:graph OR all:neural OR all:networks OR all:predicting OR all:molecular OR all:properties)',
  );
  const [newest] = await requestsOf(t, arxiv, SENTENCE, { conditions: { sortByDate: true } });
  assert.match(newest!.search_query!, /^\(all:graph AND all:neural AND .*\)$/);
  assert.equal(newest!.sortBy, 'submittedDate');
});

test('arxiv gets submission dates in minutes, with both ends even for open ranges', async (t) => {
  const [closed] = await requestsOf(t, arxiv, 'net', { conditions: { time: AUGUST } });
  assert.equal(closed!.search_query, 'submittedDate:[202608010000 TO 202608312359] AND all:net');
  const [until] = await requestsOf(t, arxiv, 'net', { conditions: { time: { until: UNTIL } } });
  assert.equal(until!.search_query, 'submittedDate:[199101010000 TO 202608312359] AND all:net');
  const [from] = await requestsOf(t, arxiv, 'net', { conditions: { time: { from: FROM } } });
  assert.equal(from!.search_query, 'submittedDate:[202608010000 TO 202610151159] AND all:net');
});

test('openalex gets days, and nothing from the future when the newest come first', async (t) => {
  const select = 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index';
  const [asked] = await requestsOf(
    t,
    openalex,
    '"open access" NOT* -gold',
    { page: 2, conditions: { time: AUGUST } },
    'k1',
  );
  assert.deepEqual(asked, {
    path: '/works',
    search: '"open access" AND not NOT gold',
    page: '3',
    'per-page': '10',
    filter: 'from_publication_date:2026-08-01,to_publication_date:2026-08-31',
    select,
    api_key: 'k1',
  });
  const [newest] = await requestsOf(t, openalex, 'nets', { conditions: { sortByDate: true } });
  assert.deepEqual(newest, {
    path: '/works',
    search: 'nets',
    page: '1',
    'per-page': '10',
    filter: 'to_publication_date:2026-10-15',
    sort: 'publication_date:desc',
    select,
  });
});

test('crossref gets bare words, days and offsets', async (t) => {
  const select = 'DOI,title,abstract,published,container-title';
  const [asked] = await requestsOf(t, crossref, 'drift "ghost net" -plastic', { page: 1, count: 20 });
  assert.deepEqual(asked, { path: '/works', query: 'drift ghost net', rows: '20', offset: '20', select });
  const conditions = { time: { from: FROM }, sortByDate: true };
  const [newest] = await requestsOf(t, crossref, 'net', { conditions });
  assert.deepEqual(newest, {
    path: '/works',
    query: 'net',
    rows: '10',
    offset: '0',
    filter: 'from-pub-date:2026-08-01,until-pub-date:2026-10-15',
    sort: 'published',
    order: 'desc',
    select,
  });
});

test('pubmed is asked for ids and then for their summaries, both at the configured URL', async (t) => {
  const server = await startProvider(t, 'pubmed');
  server.answer({ 'esearch.fcgi': 'full', 'esummary.fcgi': 'full-summary' });
  const conditions = { time: { until: UNTIL }, sortByDate: true };
  await server.search(pubmed, question('drift "ghost net" -plastic', { page: 1, conditions }), 'k1');
  const common = { db: 'pubmed', retmode: 'json', tool: 'trawl', api_key: 'k1' };
  assert.deepEqual(
    server.requests.map(({ path, parameters }) => ({ path, ...parameters })),
    [
      {
        path: '/entrez/eutils/esearch.fcgi',
        ...common,
        term: '"ghost net"[tiab] AND drift NOT plastic',
        retstart: '10',
        retmax: '10',
        sort: 'pub_date',
        datetype: 'pdat',
        mindate: '1700',
        maxdate: '2026/08/31',
      },
      { path: '/entrez/eutils/esummary.fcgi', ...common, id: '39000001,39000002,39000003' },
    ],
  );
});

test('gdelt gets its own operators, and no words that it would refuse', async (t) => {
  const conditions = { time: { from: FROM }, excludeDomains: ['spam.example'] };
  const text = 'covid-19 in EU "test site" -flu site:a.example OR site:b.example';
  const [asked] = await requestsOf(t, gdelt, text, { source: 'news', conditions });
  assert.deepEqual(asked, {
    path: '/api/v2/doc/doc',
    query:
      '"covid-19" "test site" -flu (domain:a.example OR domain:b.example) sourcelang:english -domainis:spam.example',
    mode: 'artlist',
    format: 'json',
    maxrecords: '10',
    sort: 'hybridrel',
    startdatetime: '20260801000000',
    enddatetime: '20261015120000',
  });
  const [sentence] = await requestsOf(t, gdelt, SENTENCE, { source: 'news', conditions: { language: 'xx' } });
  assert.equal(sentence!.query, '(graph OR neural OR networks OR predicting OR molecular OR properties)');
  const hosts = Array.from({ length: 50 }, (_, at) => `site${at}.example`);
  const [long] = await requestsOf(t, gdelt, 'longword '.repeat(50), { conditions: { sortByDate: true } });
  const [many] = await requestsOf(t, gdelt, 'nets', { conditions: { includeDomains: hosts } });
  assert.match(many!.query!, /^nets \(domain:site0\.example OR .*\) sourcelang:english$/);
  const [without] = await requestsOf(t, gdelt, 'nets', { conditions: { excludeDomains: hosts } });
  assert.match(without!.query!, /^nets sourcelang:english -domainis:site0\.example -domainis/);
  assert.ok(many!.query!.length <= 250 && without!.query!.length <= 250);
  assert.ok(long!.query!.length <= 250);
  assert.equal(long!.sort, 'datedesc');
});

test('duckduckgo gets operators, region, safe search and time', async (t) => {
  const conditions = { country: 'GB', safe: true, time: AUGUST, includeDomains: ['a.example', 'b.example'] };
  const [asked] = await requestsOf(t, duckduckgo, 'nets filetype:pdf', { conditions });
  assert.deepEqual(asked, {
    path: '/html/',
    q: 'nets filetype:pdf site:a.example OR site:b.example',
    kl: 'uk-en',
    kp: '1',
    df: '2026-08-01..2026-08-31',
  });
  const time = { from: NOW - 7 * 86_400_000, preset: 'week' } as const;
  const [week] = await requestsOf(t, duckduckgo, 'nets', { conditions: { time, safe: false } });
  assert.deepEqual([week!.df, week!.kp], ['w', '-2']);
  assert.deepEqual(await requestsOf(t, duckduckgo, 'nets', { page: 1 }), []);
});
