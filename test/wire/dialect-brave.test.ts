// Brave's wire at /brave: the parameters of its searches, the sections of its answers, and its errors.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-request.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { startWeb, type Web } from '../support/web.ts';

let web: Web;
let provider: ProviderStandIn;
let service: RunningService;

before(async () => {
  [web, provider] = await Promise.all([startWeb(), startProviderStandIn('searxng')]);
  service = await startServiceHereWith(web, { TRAWL_SEARXNG_URL: provider.url });
});
after(async () => {
  await Promise.all([service?.stop(), provider?.stop()]);
  await web?.stop();
});
beforeEach(() => {
  provider.give();
  provider.asked.length = 0;
});

// Answers are cached, so each test uses queries of its own.
let questions = 0;
const fresh = (words = 'query') => `${words} q${questions++}`;
const page = (path: string, more: object = {}) => ({ url: `https://far.test/${path}`, ...more });
const send = (path: string, { headers, ...more }: RawRequest = {}): Promise<RawAnswer> =>
  sendRaw(service.url, path, { headers: { 'x-subscription-token': service.key, ...headers }, ...more });

interface Result {
  type: string;
  title: string;
  url: string;
  description: string;
  page_age?: string;
  age?: string;
  meta_url: { scheme: string; netloc: string; hostname: string; path: string };
  properties: { url: string };
  thumbnail?: { src: string };
}
interface Answer {
  type: string;
  query: { original: string; more_results_available: boolean };
  web?: { results: Result[] };
  news?: { results: Result[] };
  results: Result[];
}

async function ask(path: string, parameters: Record<string, string> = {}, q = fresh()): Promise<Answer> {
  const answer = await send(`/brave${path}?${new URLSearchParams({ q, ...parameters })}`);
  assert.equal(answer.status, 200, answer.text);
  const body = answer.json<Answer>();
  if (body.query) assert.equal(body.query.original, q);
  return body;
}

describe('the web search', () => {
  test('has the sections that are asked for, and an empty list where nothing was found', async () => {
    provider.give(page('a?b=c', { title: 'A', description: 'About a' }));
    const { type, query, web: section, news } = await ask('/res/v1/web/search');
    assert.deepEqual([type, query.more_results_available, news], ['search', false, undefined]);
    const [first] = section!.results;
    assert.deepEqual(
      [first!.type, first!.title, first!.url, first!.description],
      ['search_result', 'A', 'https://far.test/a?b=c', 'About a'],
    );
    assert.deepEqual(first!.meta_url, { scheme: 'https', netloc: 'far.test', hostname: 'far.test', path: '/a' });
    const both = await ask('/v1/web/search', { result_filter: 'web, news,videos' });
    assert.ok(both.web && both.news);
    const none = await ask('/res/v1/web/search', { result_filter: 'videos' });
    assert.deepEqual([none.web, none.news], [undefined, undefined]);
    provider.give();
    assert.deepEqual((await ask('/res/v1/web/search')).web!.results, []);
  });

  test('has pages, the first hundred results at most', async () => {
    provider.give(...Array.from({ length: 45 }, (_, at) => page(`p${at}`)));
    const q = fresh();
    const urls = async (offset: string, count = '20') =>
      (await ask('/res/v1/web/search', { offset, count }, q)).web!.results.map(({ url }) => url);
    const [first, second, sixth] = [await urls('0'), await urls('1'), await urls('6')];
    assert.deepEqual([first.length, second.length, sixth.length], [20, 20, 0]);
    assert.equal(new Set([...first, ...second]).size, 40);
    assert.equal((await urls('0', '99')).length, 20);
    assert.equal((await ask('/res/v1/web/search', {}, q)).query.more_results_available, true);
  });

  test('translates country, language, time and safety, and names what it ignores', async () => {
    await ask(
      '/res/v1/web/search',
      { search_lang: 'de', country: 'ALL', freshness: 'pw', safesearch: 'strict' },
      fresh('laterne'),
    );
    const { parameters } = provider.asked[0]!;
    assert.deepEqual(
      [parameters.get('language')!.slice(0, 2), parameters.get('time_range'), parameters.get('safesearch') !== '0'],
      ['de', 'week', true],
    );
    await ask('/res/v1/web/search', {
      freshness: '2026-01-01to2026-01-31',
      ui_lang: 'en-US',
      units: 'metric',
      country: 'DE',
    });
    const sent = `/brave/res/v1/web/search?q=${fresh('a')}&extra_snippets=True&include_fetch_metadata=True&summary=false`;
    const answer = await send(sent.replaceAll(' ', '%20'));
    assert.match(answer.headers['x-trawl-warning']!, /ignored: extra_snippets, include_fetch_metadata\./);
  });
});

test('news, images, videos and context have the shapes of Brave', async () => {
  provider.give(
    page('n', { title: 'N', description: 'New', date: '2026-08-01T10:00:00Z', imageUrl: 'https://far.test/i.png' }),
  );
  const [news] = (await ask('/res/v1/news/search')).results;
  assert.deepEqual([news!.type, news!.age, news!.page_age], ['news_result', 'August 1, 2026', '2026-08-01T10:00:00']);
  const images = await ask('/v1/images/search', { count: '200' });
  assert.deepEqual(
    [images.type, images.results[0]!.properties.url, images.results[0]!.thumbnail!.src],
    ['images', 'https://far.test/i.png', 'https://far.test/i.png'],
  );
  assert.deepEqual((await ask('/res/v1/videos/search')).results, []);
  const q = fresh();
  const answer = await send(
    `/brave/res/v1/llm/context?${new URLSearchParams({ q, maximum_number_of_tokens: '1000' })}`,
  );
  const context = answer.json<{ grounding: { generic: { url: string; snippets: string[] }[] }; sources: object }>();
  assert.deepEqual(
    context.grounding.generic.map(({ url, snippets }) => [url, snippets]),
    [['https://far.test/n', ['New']]],
  );
  assert.deepEqual(context.sources, { 'https://far.test/n': { title: 'N', hostname: 'far.test' } });
});

test('errors have the codes that clients act on', async () => {
  const base = '/brave/res/v1/web/search';
  const bad: [Promise<RawAnswer>, number, string][] = [
    [send(base), 422, 'VALIDATION'],
    [send(`${base}?q=%20`), 422, 'VALIDATION'],
    [send(`${base}?q=a&count=x`), 422, 'VALIDATION'],
    [send(`${base}?q=a&offset=10`), 422, 'VALIDATION'],
    [send(`${base}?q=a&freshness=soon`), 422, 'VALIDATION'],
    [send(`${base}?q=a&safesearch=perhaps`), 422, 'VALIDATION'],
    [send(`${base}?q=a&country=Nowhere`), 422, 'VALIDATION'],
    [send(`${base}?q=a`, { headers: { 'x-subscription-token': 'wrong' } }), 401, 'SUBSCRIPTION_TOKEN_INVALID'],
    [sendRaw(service.url, `${base}?q=a`), 401, 'SUBSCRIPTION_TOKEN_INVALID'],
    [send('/brave/nothing'), 404, 'NOT_FOUND'],
  ];
  for (const [at, [sending, status, code]] of bad.entries()) {
    const answer = await sending;
    const { type, error } = answer.json<{ type: string; error: Record<string, unknown> }>();
    assert.deepEqual(
      [answer.status, type, error.status, error.code],
      [status, 'ErrorResponse', status, code],
      `${at} ${answer.text}`,
    );
    assert.ok(String(error.id).length === 36 && String(error.detail).length > 0);
  }
  assert.equal((await send(`${base}?q=${'x+'.repeat(3_000)}`)).status, 200);
  const made = await service.post<{ data: { key: string } }>('/v2/team/keys', { limits: { operations: ['scrape'] } });
  const refused = await sendRaw(service.url, `/brave/key/${made.body.data.key}/res/v1/web/search?q=a`);
  assert.equal(refused.status, 403);
});
