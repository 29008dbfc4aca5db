// Requests to providers that take sites, times and phrases as separate parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v2 } from '../../../../src/search/providers/adapters/self-hosted/v2.ts';
import { exa } from '../../../../src/search/providers/adapters/web/exa.ts';
import { kagi } from '../../../../src/search/providers/adapters/web/kagi.ts';
import { marginalia } from '../../../../src/search/providers/adapters/web/marginalia.ts';
import { mojeek } from '../../../../src/search/providers/adapters/web/mojeek.ts';
import { tavily } from '../../../../src/search/providers/adapters/web/tavily.ts';
import { you } from '../../../../src/search/providers/adapters/web/you.ts';
import { askOnce, ASKED_KEY as KEY, NOW, question, startProvider } from '../../../support/provider-server.ts';

const DAY = 86_400_000;
const WEEK = { from: NOW - 7 * DAY, preset: 'week' } as const;
const HOUR = { from: NOW - DAY / 24, preset: 'hour' } as const;
/** The first three days of October, as read from `tbs`. */
const RANGE = { from: Date.UTC(2026, 9, 1), until: Date.UTC(2026, 9, 4) };
const SINCE = { from: NOW - 3 * DAY };

const askedBody = async (...question: Parameters<typeof askOnce>): Promise<Record<string, unknown>> =>
  (await askOnce(...question)).body as Record<string, unknown>;

test('tavily: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, tavily, 'tide "spring tide" -moon site:a.example -site:b.example', {
    count: 50,
    conditions: { country: 'GB', time: RANGE, excludeDomains: ['c.example'] },
  });
  assert.equal(`${web.method} ${web.path}`, 'POST /search');
  assert.deepEqual(web.body, {
    query: 'tide "spring tide"',
    search_depth: 'basic',
    topic: 'general',
    max_results: 20,
    start_date: '2026-10-01',
    end_date: '2026-10-03',
    include_domains: ['a.example'],
    exclude_domains: ['c.example', 'b.example'],
    country: 'united kingdom',
    exact_match: true,
  });
  const news = await askedBody(t, tavily, 'tide', { source: 'news', answer: 'full-news', conditions: { time: WEEK } });
  assert.deepEqual([news.topic, news.time_range, news.country], ['news', 'week', undefined]);
  const images = await askedBody(t, tavily, 'tide', {
    source: 'images',
    answer: 'full-images',
    conditions: { country: 'TR' },
  });
  assert.deepEqual([images.include_images, images.country], [true, undefined]);
});

test('exa: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, exa, 'tide "spring tide" -moon', {
    conditions: { time: RANGE, categories: ['research'], includeDomains: ['a.example'], safe: true },
  });
  assert.equal(`${web.method} ${web.path}`, 'POST /search');
  assert.deepEqual(web.body, {
    query: 'tide spring tide',
    type: 'auto',
    numResults: 10,
    contents: { highlights: true },
    userLocation: 'US',
    category: 'research paper',
    includeDomains: ['a.example'],
    startPublishedDate: '2026-10-01T00:00:00.000Z',
    endPublishedDate: '2026-10-03T23:59:59.999Z',
    includeText: ['spring tide'],
    excludeText: ['moon'],
    moderation: true,
  });
  const related = await askOnce(t, exa, 'related:a.example');
  assert.equal(related.path, '/findSimilar');
  const { url, excludeSourceDomain, query } = related.body as Record<string, unknown>;
  assert.deepEqual([url, excludeSourceDomain, query], ['https://a.example', true, undefined]);
  const several = await askedBody(t, exa, 'tide', { conditions: { categories: ['github', 'research'] } });
  assert.equal(several.category, undefined);
  assert.ok((several.includeDomains as string[]).includes('github.com'));
  assert.equal((await askedBody(t, exa, 'tide', { source: 'news', answer: 'full-news' })).category, 'news');
});

test('mojeek: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, mojeek, 'tide -moon site:a.example', {
    page: 2,
    conditions: { time: RANGE, safe: true },
  });
  assert.equal(`${web.method} ${web.path}`, 'GET /search');
  assert.deepEqual(web.parameters, {
    q: 'tide -moon site:a.example',
    fmt: 'json',
    s: '21',
    t: '10',
    lb: 'en',
    rb: 'US',
    safe: '1',
    since: '20261001',
    before: '20261004',
    api_key: KEY,
  });
  assert.equal((await askOnce(t, mojeek, 'tide', { conditions: { time: WEEK } })).parameters.since, '20261008');
  assert.equal((await askOnce(t, mojeek, 'tide', { conditions: { time: HOUR } })).parameters.since, 'day');
});

test('marginalia: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, marginalia, 'tide "spring tide" inurl:port', { page: 1, conditions: { safe: true } });
  assert.equal(`${web.method} ${web.path}`, 'GET /search');
  assert.deepEqual(web.parameters, { query: 'tide "spring tide" port', count: '10', page: '2', nsfw: '1', lang: 'en' });
  assert.equal((await askOnce(t, marginalia, 'tide site:a.example')).parameters.dc, '10');
});

test('kagi: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, kagi, 'tide inurl:port', { page: 1, conditions: { time: RANGE, safe: false } });
  assert.equal(`${web.method} ${web.path}`, 'POST /api/v1/search');
  assert.deepEqual(web.body, {
    query: 'tide inurl:port',
    workflow: 'search',
    page: 2,
    limit: 10,
    safe_search: false,
    filters: { region: 'us', after: '2026-10-01', before: '2026-10-03' },
  });
  assert.equal((await askedBody(t, kagi, 'tide', { source: 'images', answer: 'full-images' })).workflow, 'images');
  const server = await startProvider(t, 'kagi');
  server.answer('error');
  await assert.rejects(server.search(kagi, question('tide'), KEY), { kind: 'key' });
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    [`Bearer ${KEY}`, `Bot ${KEY}`],
  );
});

test('you: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, you, 'tide "spring tide" -moon site:a.example', {
    page: 1,
    conditions: { time: SINCE, country: 'JP', language: 'ja', excludeDomains: ['b.example'], safe: true },
  });
  assert.equal(`${web.method} ${web.path}`, 'POST /v1/search');
  assert.deepEqual(web.body, {
    query: 'tide spring tide -moon',
    count: 10,
    offset: 1,
    country: 'JP',
    language: 'JP',
    freshness: '2026-10-12to2026-10-15',
    safesearch: 'strict',
    include_domains: ['a.example'],
  });
  const pdf = await askedBody(t, you, 'tide', { conditions: { categories: ['pdf'], excludeDomains: ['b.example'] } });
  assert.deepEqual([pdf.query, pdf.exclude_domains], ['tide filetype:pdf', ['b.example']]);
});

test('v2: the query is translated into its parameters', async (t) => {
  const text = '"spring tide" -moon site:a.example allintitle:one two';
  const web = await askOnce(t, v2, text, {
    count: 500,
    conditions: { time: WEEK, sortByDate: true, categories: ['pdf'], includeDomains: ['a.example'], location: 'Dover' },
  });
  assert.equal(`${web.method} ${web.path}`, 'POST /v2/search');
  assert.deepEqual(web.body, {
    query: text,
    limit: 100,
    sources: [{ type: 'web' }],
    country: 'US',
    lang: 'en',
    location: 'Dover',
    tbs: 'qdr:w,sbd:1',
    categories: [{ type: 'pdf' }],
    includeDomains: ['a.example'],
  });
  const server = await startProvider(t, 'v2');
  await server.search(v2, question('tide'));
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});
