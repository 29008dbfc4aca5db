// Requests to providers with a key or URL, as they arrive there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searxng } from '../../../../src/search/providers/adapters/self-hosted/searxng.ts';
import { v2 } from '../../../../src/search/providers/adapters/self-hosted/v2.ts';
import { brave } from '../../../../src/search/providers/adapters/web/brave.ts';
import { exa } from '../../../../src/search/providers/adapters/web/exa.ts';
import { google } from '../../../../src/search/providers/adapters/web/google.ts';
import { kagi } from '../../../../src/search/providers/adapters/web/kagi.ts';
import { marginalia } from '../../../../src/search/providers/adapters/web/marginalia.ts';
import { mojeek } from '../../../../src/search/providers/adapters/web/mojeek.ts';
import { serpapi } from '../../../../src/search/providers/adapters/web/serpapi.ts';
import { serper } from '../../../../src/search/providers/adapters/web/serper.ts';
import { tavily } from '../../../../src/search/providers/adapters/web/tavily.ts';
import { you } from '../../../../src/search/providers/adapters/web/you.ts';
import type { Provider } from '../../../../src/search/providers/provider.ts';
import { askOnce, ASKED_KEY as KEY, NOW, question, startProvider } from '../../../support/provider-server.ts';

const DAY = 86_400_000;
const WEEK = { from: NOW - 7 * DAY, preset: 'week' } as const;
const HOUR = { from: NOW - DAY / 24, preset: 'hour' } as const;
/** The first three days of October, as read from `tbs`. */
const RANGE = { from: Date.UTC(2026, 9, 1), until: Date.UTC(2026, 9, 4) };
const SINCE = { from: NOW - 3 * DAY };

test('the key is sent in a header, and in the URL only to providers that require it there', async (t) => {
  const headers: [Provider, string, string][] = [
    [brave, 'x-subscription-token', KEY],
    [serper, 'x-api-key', KEY],
    [tavily, 'authorization', `Bearer ${KEY}`],
    [exa, 'x-api-key', KEY],
    [marginalia, 'api-key', KEY],
    [kagi, 'authorization', `Bearer ${KEY}`],
    [you, 'x-api-key', KEY],
    [v2, 'authorization', `Bearer ${KEY}`],
    [searxng, 'authorization', `Bearer ${KEY}`],
  ];
  for (const [provider, name, value] of headers) {
    const { headers: seen, parameters, path, body } = await askOnce(t, provider, 'tide');
    assert.equal(seen[name], value, provider.name);
    assert.ok(!JSON.stringify([parameters, path, body]).includes(KEY), provider.name);
  }
  for (const [provider, name] of [
    [serpapi, 'api_key'],
    [google, 'key'],
    [mojeek, 'api_key'],
  ] as const) {
    assert.equal((await askOnce(t, provider, 'tide')).parameters[name], KEY, provider.name);
  }
});

test('searxng: the query is translated into its parameters', async (t) => {
  const plain = await askOnce(t, searxng, 'tide -moon site:a.example', {
    conditions: { country: 'AT', language: 'de' },
  });
  assert.equal(`${plain.method} ${plain.path}`, 'GET /search');
  assert.deepEqual(plain.parameters, {
    q: 'tide -moon site:a.example',
    format: 'json',
    categories: 'general',
    language: 'de-AT',
    pageno: '1',
  });
  const news = await askOnce(t, searxng, 'tide', {
    source: 'news',
    page: 2,
    answer: 'full-news',
    key: 'me:my secret',
    conditions: { time: SINCE, safe: true, includeDomains: ['a.example', 'b.example'] },
  });
  const { q, categories, pageno, time_range, safesearch } = news.parameters;
  assert.deepEqual(
    { q, categories, pageno, time_range, safesearch },
    {
      q: 'tide site:a.example OR site:b.example',
      categories: 'news',
      pageno: '3',
      time_range: 'week',
      safesearch: '2',
    },
  );
  assert.equal(news.headers.authorization, `Basic ${Buffer.from('me:my secret').toString('base64')}`);
});

test('brave: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, brave, 'tide "spring tide" intitle:port related:a.example', { count: 50, page: 3 });
  assert.equal(`${web.method} ${web.path}`, 'GET /res/v1/web/search');
  assert.deepEqual(web.parameters, {
    q: 'tide "spring tide" intitle:port',
    count: '20',
    offset: '3',
    country: 'US',
    search_lang: 'en',
    text_decorations: 'false',
  });
  const conditions = { time: RANGE, country: 'BR', language: 'pt', safe: false };
  const news = await askOnce(t, brave, 'tide', { source: 'news', answer: 'full-news', conditions });
  assert.equal(news.path, '/res/v1/news/search');
  const { freshness, country, search_lang, safesearch } = news.parameters;
  assert.deepEqual([freshness, country, search_lang, safesearch], ['2026-10-01to2026-10-03', 'BR', 'pt-br', 'off']);
  const images = await askOnce(t, brave, 'tide', {
    source: 'images',
    answer: 'full-images',
    conditions: { time: WEEK, country: 'IS', language: 'xx' },
  });
  assert.equal(images.path, '/res/v1/images/search');
  assert.deepEqual(images.parameters, { q: 'tide', count: '10', country: 'ALL' });
  assert.equal((await askOnce(t, brave, 'tide', { conditions: { time: HOUR } })).parameters.freshness, 'pd');
});

test('serper: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, serper, 'tide filetype:pdf allintitle:spring neap', {
    page: 1,
    conditions: { location: 'Dover,England,United Kingdom', country: 'GB', time: RANGE, sortByDate: true },
  });
  assert.equal(`${web.method} ${web.path}`, 'POST /search');
  assert.deepEqual(web.body, {
    q: 'tide filetype:pdf allintitle:spring neap',
    gl: 'gb',
    hl: 'en',
    location: 'Dover,England,United Kingdom',
    tbs: 'cdr:1,cd_min:10/01/2026,cd_max:10/03/2026,sbd:1',
    num: 10,
    page: 2,
  });
  const news = await askOnce(t, serper, 'tide', { source: 'news', answer: 'full-news', conditions: { time: WEEK } });
  assert.equal(news.path, '/news');
  assert.equal((news.body as { tbs: string }).tbs, 'qdr:w');
  const images = await askOnce(t, serper, 'tide larger:800x600', {
    source: 'images',
    answer: 'full-images',
    count: 30,
  });
  assert.equal(images.path, '/images');
  assert.deepEqual(images.body, { q: 'tide larger:800x600', gl: 'us', hl: 'en', num: 100, page: 1 });
});

test('serpapi: the query is translated into its parameters', async (t) => {
  const conditions = { time: SINCE, safe: true, location: 'Dover' };
  const web = await askOnce(t, serpapi, 'tide related:a.example', { page: 2, conditions });
  assert.equal(`${web.method} ${web.path}`, 'GET /search.json');
  assert.deepEqual(web.parameters, {
    engine: 'google',
    q: 'tide related:a.example',
    gl: 'us',
    hl: 'en',
    location: 'Dover',
    tbs: 'cdr:1,cd_min:10/12/2026',
    safe: 'active',
    start: '20',
    api_key: KEY,
  });
  const news = await askOnce(t, serpapi, 'tide', { source: 'news', answer: 'full-news' });
  assert.deepEqual([news.parameters.engine, news.parameters.tbm], ['google', 'nws']);
  const images = await askOnce(t, serpapi, 'tide', { source: 'images', page: 1, answer: 'full-images' });
  assert.deepEqual([images.parameters.engine, images.parameters.ijn], ['google_images', '1']);
});

test('google: the query is translated into its parameters', async (t) => {
  const web = await askOnce(t, google, 'tide -moon', {
    page: 2,
    count: 30,
    conditions: { time: RANGE, safe: false },
  });
  assert.equal(`${web.method} ${web.path}`, 'GET /customsearch/v1');
  assert.deepEqual(web.parameters, {
    q: 'tide -moon',
    cx: 'engine:1',
    num: '10',
    start: '21',
    gl: 'us',
    hl: 'en',
    safe: 'off',
    sort: 'date:r:20261001:20261003',
    key: KEY,
  });
  const images = await askOnce(t, google, 'tide', {
    source: 'images',
    answer: 'full-images',
    conditions: { time: WEEK },
  });
  assert.deepEqual([images.parameters.searchType, images.parameters.dateRestrict], ['image', 'w1']);
  assert.equal((await askOnce(t, google, 'tide', { conditions: { sortByDate: true } })).parameters.sort, 'date');
});

test('google: without an engine id it names the setting and sends no request', async (t) => {
  const server = await startProvider(t, 'google');
  const context = { url: server.url, key: KEY, ask: server.ask, signal: AbortSignal.timeout(60_000) };
  await assert.rejects(google.search(question('tide'), context), { kind: 'key', message: /TRAWL_GOOGLE_CX/ });
  assert.equal(server.requests.length, 0);
});
