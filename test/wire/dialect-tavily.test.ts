// Tavily at /tavily: the bodies that its clients send, what they read in the answers, and bad input.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PUBLISHED = new Date('2026-08-01T10:00:00Z');
const PAGES = [
  {
    at: 'tide.test/',
    title: 'The tide',
    text: 'A tide table lists ebb and flood.\nThe harbour of Northhaven falls dry at spring tide.',
    head: '<link rel="icon" href="/tide.png">',
    html: '<a href="/a/ebb">Ebb</a> <a href="/b/flood">Flood</a><img src="/ebb.jpg" width="400" height="300" alt="Ebb">',
    published: PUBLISHED,
  },
  {
    at: 'tide.test/a/ebb',
    title: 'The ebb',
    text: 'The ebb runs for six hours.',
    html: '<a href="/a/b/neap">Neap</a>',
  },
  { at: 'tide.test/b/flood', title: 'The flood', text: 'The flood tide comes after the ebb.' },
  { at: 'tide.test/a/b/neap', title: 'The neap', text: 'A neap tide is a small one.' },
  { at: 'other.test/tide', title: 'Another tide table', text: 'A tide table of another harbour.' },
  {
    at: 'gazette.test/tide',
    title: 'Tide table stolen',
    text: 'A tide table was stolen.',
    published: new Date(),
    isNews: true as const,
  },
];
const scene = useSearch(APART, PAGES);

type Body = Record<string, unknown>;
interface Found extends Body {
  results: { url: string; title: string; content: string; score: number; raw_content: string | null }[] & Body[];
  images: unknown[];
  answer: string | null;
}
interface Pages extends Body {
  results: { url: string; title: string; raw_content: string; images: string[]; favicon?: string }[];
  failed_results: { url: string; error: string }[];
}

async function send<T = Body>(path: string, body?: unknown, { headers, ...more }: RawRequest = {}) {
  const answer = await sendRaw(scene.service.url, `/tavily${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${scene.service.key}`,
      'x-client-source': 'tavily-python',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...more,
  });
  return { ...answer, body: answer.json<T & { detail?: { error: string } }>() };
}

async function fine<T = Body>(path: string, body?: unknown, more?: RawRequest): Promise<T> {
  const answer = await send<T>(path, body, more);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const url = (path: string, host = 'tide.test') => scene.web.url(host, path);
const paths = (pages: readonly { url: string }[]) => pages.map((page) => new URL(page.url).pathname).toSorted();
const keyFor = async (limits: object) =>
  (await scene.service.post<{ data: { key: string } }>('/v2/team/keys', { limits })).body.data.key;
const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describe('search', () => {
  test('has every field that clients read, with scores that fall with the rank', async () => {
    const found = await fine<Found>('/search', {
      query: 'tide table',
      max_results: 3,
      topic: 'general',
      days: 7,
      nosuch: 1,
    });
    assert.deepEqual(
      [found.query, found.follow_up_questions, found.answer, found.images],
      ['tide table', null, null, []],
    );
    assert.ok(typeof found.response_time === 'number' && typeof found.request_id === 'string');
    assert.ok(!('usage' in found));
    assert.equal(found.results.length, 3);
    for (const [rank, { url, title, content, score, raw_content }] of found.results.entries()) {
      assert.ok(url && title && content && raw_content === null);
      assert.ok(score <= (found.results[rank - 1]?.score ?? 1) && score > 0.5, String(score));
    }
    assert.ok(new Set(found.results.map(({ score }) => score)).size === 3);
    assert.deepEqual((await fine<Found>('/search', { query: 'nothingatall', include_images: true })).results, []);
    assert.deepEqual((await fine<Found>('/search', { query: 'tide', max_results: 0 })).results, []);
  });

  test('reads pages for raw content, passages and an answer, and counts the credits', async () => {
    const read = await fine<Found>('/search', {
      query: 'tide table ebb flood',
      include_domains: ['https://tide.test/', '*.tide.test'],
      search_depth: 'advanced',
      chunks_per_source: 1,
      include_raw_content: true,
      include_favicon: true,
      include_usage: true,
      include_answer: null,
      max_results: 1,
    });
    const [first] = read.results;
    assert.match(first!.raw_content!, /tide|ebb/i);
    assert.match(first!.content, /tide|ebb/i);
    assert.deepEqual(read.usage, { credits: 2 + 1 + 4 });
    const answered = await fine<Found>('/search', {
      query: 'Which harbour falls dry at spring tide?',
      include_domains: ['tide.test'],
      include_answer: 'basic',
      include_usage: true,
    });
    assert.match(answered.answer!, /Northhaven/);
    assert.ok((answered.usage as { credits: number }).credits > 2);
  });

  test('takes domains, dates, topics and countries as its clients write them', async () => {
    const hosts = async (more: object) =>
      (await fine<Found>('/search', { query: 'tide table', ...more })).results.map(
        (result) => new URL(result.url).hostname,
      );
    assert.deepEqual([...new Set(await hosts({ exclude_domains: ['tide.test', 'gazette.test'] }))], ['other.test']);
    assert.deepEqual(await hosts({ include_domains: ['tide.test', 'other.test'], exclude_domains: ['tide.test'] }), [
      'other.test',
    ]);
    const news = await fine<Found>('/search', { query: 'tide table', topic: 'news', days: 2 });
    assert.deepEqual(
      news.results.map(({ title }) => title),
      ['Tide table stolen'],
    );
    assert.match(String(news.results[0]!.published_date), /^\w{3}, \d\d \w{3} \d{4} .* GMT$/);
    assert.deepEqual(await hosts({ end_date: '2020-01-01', start_date: '2019-01-01' }), []);
    assert.ok((await hosts({ time_range: 'w' })).includes('gazette.test'));
    for (const country of ['united kingdom', 'de']) assert.ok((await hosts({ country })).length > 0);
    const exact = await fine<Found>('/search', { query: 'ebb runs for "six" hours', exact_match: true });
    assert.deepEqual(paths(exact.results), ['/a/ebb']);
    const path = await send<Found>('/search', {
      query: 'tide',
      include_domains: ['tide.test/a'],
      auto_parameters: true,
      topic: 'finance',
    });
    assert.match(path.headers['x-trawl-warning']!, /paths .* left out.*`finance`.*`auto_parameters`/);
    assert.match((await send('/search', { query: 'tide '.repeat(200) })).headers['x-trawl-warning']!, /cut after 500/);
  });

  test('has images as addresses, or with descriptions', async () => {
    const [plain, described] = await Promise.all(
      [false, true].map((include_image_descriptions) =>
        fine<Found>('/search', { query: 'ebb', include_images: true, include_image_descriptions }),
      ),
    );
    assert.ok(plain!.images.every((image) => typeof image === 'string'));
    assert.ok(described!.images.every((image) => typeof (image as Body).description === 'string'));
    assert.equal(plain!.images.length, described!.images.length);
  });
});

describe('extract', () => {
  test('answers pages under the URLs as they were sent, and names those that fail', async () => {
    const missing = 'http://no-such-host.invalid/';
    const answer = await fine<Pages>('/extract', {
      urls: [url('/'), missing, 'http://10.0.0.1/'],
      include_images: true,
      include_favicon: true,
      include_usage: true,
      extract_depth: 'advanced',
    });
    assert.deepEqual(
      answer.results.map((page) => [page.url, page.title, page.favicon]),
      [[url('/'), 'The tide', url('/tide.png')]],
    );
    assert.match(answer.results[0]!.raw_content, /ebb and flood/);
    assert.deepEqual(answer.results[0]!.images, [url('/ebb.jpg')]);
    assert.deepEqual(
      answer.failed_results.map((page) => page.url),
      [missing, 'http://10.0.0.1/'],
    );
    assert.match(answer.failed_results[1]!.error, /private/);
    assert.deepEqual(answer.usage, { credits: 1 });
    assert.ok(typeof answer.response_time === 'number' && answer.request_id);
    const none = await fine<Pages>('/extract', { urls: missing });
    assert.deepEqual([none.results, none.failed_results.length], [[], 1]);
  });

  test('with a query, answers passages', async () => {
    const answer = await send<Pages>('/extract', {
      urls: url('/'),
      query: 'spring tide',
      chunks_per_source: 1,
      format: 'text',
    });
    assert.match(answer.body.results[0]!.raw_content, /spring tide/);
    assert.doesNotMatch(answer.body.results[0]!.raw_content, /# The tide/);
    assert.deepEqual(answer.body.results[0]!.images, []);
    assert.match(answer.headers['x-trawl-warning']!, /Markdown/);
  });
});

describe('crawl', () => {
  const crawl = (body: object, more?: RawRequest) => fine<Pages>('/crawl', { url: url('/'), ...body }, more);

  test('waits for the pages, to the depth and the number that were asked for', async () => {
    const one = await crawl({ include_favicon: true, include_usage: true, max_depth: 1 });
    assert.deepEqual([one.base_url, paths(one.results)], [url('/'), ['/', '/a/ebb', '/b/flood']]);
    assert.match(one.results[0]!.raw_content, /tide/);
    assert.deepEqual([one.usage, one.results[0]!.images], [{ credits: 3 }, []]);
    assert.ok(typeof one.response_time === 'number' && one.request_id);
    assert.deepEqual(paths((await crawl({ max_depth: 2 })).results), ['/', '/a/b/neap', '/a/ebb', '/b/flood']);
    assert.equal((await crawl({ max_depth: 2, limit: 2 })).results.length, 2);
  });

  test('chooses by path and domain, and warns of what it cannot heed', async () => {
    assert.deepEqual(paths((await crawl({ max_depth: 2, exclude_paths: ['^/a/.*'] })).results), ['/', '/b/flood']);
    const both = { max_depth: 2, select_paths: ['^/a/.*$'], select_domains: ['^tide\\.test$'] };
    assert.ok(!paths((await crawl(both)).results).includes('/b/flood'));
    assert.ok(paths((await crawl(both)).results).includes('/a/ebb'));
    assert.deepEqual(paths((await crawl({ exclude_domains: ['nosuch'], exclude_paths: ['flood$'] })).results), [
      '/',
      '/a/ebb',
    ]);
    const warned = await send<Pages>('/crawl', {
      ...{ url: url('/'), instructions: 'pages on the neap', chunks_per_source: 1, max_breadth: 5, limit: 1 },
    });
    assert.equal(warned.status, 200, warned.text);
    assert.match(warned.headers['x-trawl-warning']!, /language model.*`max_breadth`/);
  });

  test('answers after the timeout what there is, and cancels the job', async () => {
    const slow = await send<Pages>('/crawl', { url: scene.web.url('fault.test', '/stalled-headers'), timeout: 1 });
    assert.deepEqual([slow.status, slow.body.results], [200, []], slow.text);
    assert.match(slow.headers['x-trawl-warning']!, /time was over/);
    assert.deepEqual(await active(), []);
  });

  test('is cancelled when its client leaves', async () => {
    const { hostname, port } = new URL(scene.service.url);
    const asked = request({
      ...{ hostname, port, path: '/tavily/crawl', method: 'POST', agent: false },
      headers: { authorization: `Bearer ${scene.service.key}`, 'content-type': 'application/json' },
    });
    asked.on('error', () => {});
    asked.end(JSON.stringify({ url: scene.web.url('fault.test', '/stalled-headers') }));
    await until(active, (crawls) => crawls.length === 1);
    asked.destroy();
    await until(active, (crawls) => crawls.length === 0);
  });

  const active = async () =>
    ((await (await scene.service.fetch('/v2/crawl/active')).json()) as { crawls: unknown[] }).crawls;
});

test('a map is a list of URLs', async () => {
  const answer = await send<{ results: string[]; base_url: string; usage: Body }>('/map', {
    ...{ url: url('/'), max_depth: 2, max_breadth: 20, instructions: 'ebb', include_usage: true },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.base_url, url('/'));
  assert.ok(answer.body.results.includes(url('/a/ebb')), String(answer.body.results));
  assert.deepEqual(answer.body.usage, { credits: 1 });
  assert.match(answer.headers['x-trawl-warning']!, /`max_breadth`.*`max_depth`/);
});

test('usage is that of the team, and research names what to use', async () => {
  const { account, key } = await fine<{ account: Body; key: Body }>('/usage');
  assert.ok(typeof account.plan_usage === 'number' && typeof account.plan_limit === 'number');
  assert.deepEqual(key, { usage: null, limit: null });
  const research = await send('/research', { input: 'tides' });
  assert.equal(research.status, 501);
  assert.match(research.body.detail!.error, /\/v2\/agent/);
});

describe('keys', () => {
  const bare = { headers: { authorization: '' } };

  test('are found in the body, where nothing else holds one', async () => {
    const { key } = scene.service;
    assert.ok((await fine<Found>('/search', { query: 'tide', api_key: key }, bare)).results.length > 0);
    for (const api_key of ['wrong', '', null, 7, { key }, undefined]) {
      const answer = await send('/search', { query: 'tide', api_key }, bare);
      assert.equal(answer.status, 401, `${JSON.stringify(api_key)}: ${answer.text}`);
      assert.equal(typeof answer.body.detail?.error, 'string');
    }
    assert.equal((await send('/search', { query: 'tide', api_key: key }, as('wrong'))).status, 401);
    const large = await send('/search', { query: 'a'.repeat(70_000), api_key: key }, bare);
    assert.equal(large.status, 413);
    for (const path of ['/v2/team/activity', '/v2/team/audit', '/metrics'])
      assert.ok(!(await (await scene.service.fetch(path)).text()).includes(key), path);
    assert.equal((await send('/usage', undefined, bare)).status, 401);
  });

  test('limits are those of the calls that are made', async () => {
    const search = await keyFor({ operations: ['search'] });
    assert.equal((await send('/search', { query: 'tide' }, as(search))).status, 200);
    for (const [path, body] of [
      ['/extract', { urls: url('/') }],
      ['/crawl', { url: url('/') }],
      ['/map', { url: url('/') }],
    ] as const)
      assert.equal((await send(path, body, as(search))).status, 403, path);
    const asked = await send<Found>('/search', { query: 'tide', include_answer: true }, as(search));
    assert.deepEqual([asked.status, asked.body.answer], [200, null]);
    assert.match(asked.headers['x-trawl-warning']!, /There is no answer: .*scrape/);
    const budget = await keyFor({ monthlyCredits: 1 });
    const refused = await send('/search', { query: 'tide' }, as(budget));
    assert.equal(refused.status, 432, refused.text);
  });
});

test('bad input is answered in the shape of Tavily', async () => {
  const bad: [path: string, body: unknown, status: number, error: RegExp][] = [
    ['/search', {}, 400, /query/],
    ['/search', '{"query"', 400, /JSON/],
    ['/search', '[]', 400, /query/],
    ['/search', { query: ' ' }, 400, /empty/],
    ['/search', { query: 'a'.repeat(20_001) }, 400, /query/],
    ['/search', { query: 'a', max_results: 21 }, 400, /max_results/],
    ['/search', { query: 'a', topic: 'sports' }, 400, /topic/],
    ['/search', { query: 'a', search_depth: 'deep' }, 400, /search_depth/],
    ['/search', { query: 'a', include_answer: 'long' }, 400, /include_answer/],
    ['/search', { query: 'a', country: 'atlantis' }, 400, /country/],
    ['/search', { query: 'a', start_date: '1.2.2026' }, 400, /YYYY-MM-DD/],
    ['/search', { query: 'a', start_date: '2026-02-31' }, 400, /valid date/],
    ['/search', { query: 'a', include_domains: ['a b'] }, 400, /hostname/],
    ['/search', { query: 'a', include_domains: 'a.test' }, 400, /include_domains/],
    ['/extract', {}, 400, /urls/],
    ['/extract', { urls: [] }, 400, /urls/],
    ['/extract', { urls: Array(21).fill('http://a.test/') }, 400, /20/],
    ['/extract', { urls: 'http://a.test/', timeout: 100 }, 400, /timeout/],
    ['/crawl', {}, 400, /url/],
    ['/crawl', { url: 'http://a.test/', max_depth: 6 }, 400, /max_depth/],
    ['/crawl', { url: 'http://a.test/', timeout: 0 }, 400, /timeout/],
    ['/crawl', { url: 'http://a.test/', select_paths: ['('] }, 400, /./],
    ['/crawl', { url: 'http://127.0.0.1:1/' }, 403, /./],
    ['/map', { url: 'http://127.0.0.1:1/' }, 403, /./],
    ['/nothing', {}, 404, /nothing at this path/i],
    ['/search', undefined, 405, /POST/],
  ];
  for (const [path, body, status, error] of bad) {
    const answer = await send(path, body);
    assert.equal(answer.status, status, `${path} ${JSON.stringify(body)?.slice(0, 80)}: ${answer.text}`);
    assert.match(answer.body.detail!.error, error, path);
  }
});
