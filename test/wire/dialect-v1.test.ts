// Version 1 of the wire at /v1: the bodies that its clients send, the same jobs under both versions, and bad input.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { until } from '../support/jobs.ts';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PAGES = [
  { at: 'shelf.test/', title: 'The shelf', text: 'A shelf of herbals.', html: '<a href="/a/herbal">The herbal</a>' },
  {
    at: 'shelf.test/a/herbal',
    title: 'The herbal',
    text: 'Lovage is in the herbal.',
    html: '<a href="/a/b/c/deep">Deep</a>',
  },
  { at: 'shelf.test/a/b/c/deep', title: 'Deep', text: 'Deep in the shelf.' },
];
const scene = useSearch(APART, PAGES);
const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';

type Body = Record<string, unknown>;
interface Job extends Body {
  id: string;
  status: string;
  data: { markdown?: string; metadata: { url: string } }[];
  next?: string;
}

async function send<T = Body>(path: string, body?: unknown, { headers, ...more }: RawRequest = {}) {
  const answer = await sendRaw(scene.service.url, path.startsWith('//') ? path : `/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${scene.service.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...more,
  });
  return { ...answer, body: answer.json<T & { success?: boolean; error?: string; code?: string }>() };
}

async function fine<T = Body>(path: string, body?: unknown, more?: RawRequest): Promise<T> {
  const answer = await send<T>(path, body, more);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const url = (path: string) => scene.web.url('shelf.test', path);
const ended = (path: string) =>
  until(
    () => fine<Job>(path),
    ({ status }) => status !== 'scraping' && status !== 'processing',
  );

describe('scrape', () => {
  test('formats are names, with their options beside them', async () => {
    interface Page {
      data: Record<string, unknown> & { metadata: Record<string, unknown> };
    }
    const plain = await fine<Page>('/scrape', { url: url('/'), integration: 'flowise', nosuch: 1, extract: null });
    assert.match(String(plain.data.markdown), /shelf of herbals/);
    assert.equal(plain.data.metadata.statusCode, 200);
    const without = url('/').replace('http://', '');
    assert.equal((await fine<Page>('/scrape', { url: without })).data.metadata.statusCode, 200);
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const article = scene.web.url('news.test', '/article/1');
    const both = { url: article, jsonOptions: { schema }, extract: { schema } };
    const json = await fine<Page>('/scrape', { ...both, formats: ['markdown', 'json', 'extract'] });
    assert.ok((json.data.json as Body).title);
    assert.ok(!('extract' in json.data));
    const extract = await fine<Page>('/scrape', {
      url: article,
      formats: ['extract'],
      extract: { schema, mode: 'llm' },
    });
    assert.ok((extract.data.extract as Body).title);
    assert.ok(!('json' in extract.data));
    const tracked = {
      url: url('/'),
      formats: ['markdown', 'changeTracking'],
      changeTrackingOptions: { modes: ['git-diff'] },
    };
    assert.ok('changeTracking' in (await fine<Page>('/scrape', tracked)).data);
    const agent = await send('/scrape', { url: url('/'), agent: { model: 'FIRE-1', prompt: 'x' } });
    assert.match(agent.headers['x-trawl-warning']!, /`agent` was ignored/);
  });

  test('an earlier scrape is found under both versions', async () => {
    const { data } = await fine<{ data: { metadata: { scrapeId: string } } }>('/scrape', { url: url('/') });
    const path = `/scrape/${data.metadata.scrapeId}`;
    assert.match(JSON.stringify(await fine(path)), /shelf of herbals/);
    assert.equal((await scene.service.fetch(`/v2${path}`)).status, 200);
  });
});

describe('crawl', () => {
  test('the same jobs are read under both versions, with links that stay in theirs', async () => {
    const started = await fine<Job & { url: string }>('/crawl', { url: url('/'), limit: 3, ignoreSitemap: true });
    assert.equal(started.url, `${scene.service.url}/v1/crawl/${started.id}`);
    const job = await ended(`/crawl/${started.id}`);
    assert.deepEqual([job.status, job.data.length], ['completed', 3]);
    const page = await fine<Job>(`/crawl/${started.id}?limit=2`);
    assert.equal(page.next, `${started.url}?skip=2&limit=2`);
    assert.equal((await fine<Job>(page.next!.slice(`${scene.service.url}/v1`.length))).data.length, 1);
    const { body } = { body: (await (await scene.service.fetch(`/v2/crawl/${started.id}`)).json()) as Job };
    assert.equal(body.data.length, 3);
    assert.deepEqual(await fine(`/crawl/${started.id}/errors`), { errors: [], robotsBlocked: [] });
  });

  test('`maxDepth` counts the parts of a path; a start page below it is refused', async () => {
    const { id } = await fine<Job>('/crawl', { url: url('/'), maxDepth: 2, ignoreSitemap: true });
    const { data } = await ended(`/crawl/${id}`);
    assert.deepEqual(data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted(), ['/', '/a/herbal']);
    const refused = await send('/crawl', { url: url('/a/b/c/deep'), maxDepth: 2 });
    assert.deepEqual([refused.status, refused.body.success], [400, false]);
    assert.match(refused.body.error!, /maxDepth/);
    for (const maxDepth of [-1, 1.5, 'x'])
      assert.equal((await send('/crawl', { url: url('/'), maxDepth })).status, 400);
  });

  test("Dify's test call is answered, and a repeated key is not", async () => {
    const body = {
      url: url('/'),
      includePaths: [],
      excludePaths: [],
      limit: 1,
      scrapeOptions: { onlyMainContent: true },
    };
    const once = { headers: { 'idempotency-key': `dify-${Math.random()}` } };
    const { id } = await fine<Job>('/crawl', body, once);
    assert.equal((await send('/crawl', body, once)).status, 409);
    await ended(`/crawl/${id}`);
    assert.ok(Array.isArray((await fine('/crawl/active')).crawls));
    assert.ok(Array.isArray((await fine('/crawl/ongoing')).crawls));
  });

  test('is cancelled, and followed by a socket', async () => {
    const { id } = await fine<Job>('/crawl', { url: scene.web.url('fault.test', '/stalled-headers') });
    assert.deepEqual(await fine(`/crawl/${id}`, undefined, { method: 'DELETE' }), { status: 'cancelled' });
    const { id: other } = await fine<Job>('/crawl', { url: url('/'), limit: 2 });
    const socket = new WebSocket(`${scene.service.url.replace('http', 'ws')}/v1/crawl/${other}`, scene.service.key);
    const types: string[] = [];
    socket.on('message', (data) => types.push((JSON.parse(String(data)) as { type: string }).type));
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    assert.deepEqual([types[0], code, reason.toString()], ['catchup', 1000, '{"type":"done"}']);
  });
});

test('a batch refuses unusable URLs unless they are to be ignored', async () => {
  const urls = [url('/'), 'http://'];
  assert.equal((await send('/batch/scrape', { urls })).status, 400);
  const started = await fine<Job & { invalidURLs: string[]; url: string }>('/batch/scrape', {
    urls,
    ignoreInvalidURLs: true,
    formats: ['markdown'],
  });
  assert.equal(started.invalidURLs.length, 1);
  assert.match(started.url, /\/v1\/batch\/scrape\//);
  const job = await ended(`/batch/scrape/${started.id}`);
  assert.match(job.data[0]!.markdown!, /shelf/);
  assert.ok(Array.isArray((await fine(`/batch/scrape/${started.id}/errors`)).errors));
  // As the SDK of v1 asks.
  assert.equal((await fine<Job>(`/crawl/${started.id}`)).status, 'completed');
  const read = await fine(`/batch/scrape/${started.id}/errors`, undefined, { method: 'DELETE' });
  assert.ok(Array.isArray(read.errors));
});

test('a map is a list of texts', async () => {
  const { links } = await fine<{ links: string[] }>('/map', { url: url('/'), ignoreSitemap: true, search: null });
  assert.ok(links.includes(url('/a/herbal')), String(links));
});

describe('search', () => {
  interface Found {
    data: { url: string; title: string; description: string; markdown?: string }[];
    warning?: string;
  }

  test('is a flat list, also with slashes that a base URL leaves behind', async () => {
    for (const path of ['//v1/search', '/search/']) {
      const { data } = await fine<Found>(path, { query: 'herbal lovage' });
      assert.equal(data[0]!.title, 'The herbal');
      assert.match(data[0]!.description, /Lovage/);
    }
    const none = await fine<Found>('/search', { query: 'nothingatall' });
    assert.deepEqual([none.data, /No search results/.test(none.warning!)], [[], true]);
  });

  test('scrapes results, and reads other sources', async () => {
    const read = {
      query: 'herbal lovage',
      limit: 1,
      tbs: '',
      origin: 'api',
      scrapeOptions: { formats: ['markdown'] },
      timeout: 60_000,
    };
    assert.match((await fine<Found>('/search', read)).data[0]!.markdown!, /Lovage is in/);
    assert.deepEqual((await fine<Found>('/search', { query: 'herbal', sources: ['images'] })).data, []);
    const cut = await fine<Found>('/search', { query: `herbal ${'lovage '.repeat(100)}` });
    assert.match(cut.warning!, /cut after 500/);
  });
});

test('an extraction is started and ends', async () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const { id, urlTrace } = await fine<Job>('/extract', {
    urls: [scene.web.url('news.test', '/article/1')],
    schema,
    agent: { model: 'x' },
    scrapeOptions: null,
  });
  assert.deepEqual(urlTrace, []);
  const { status, data } = await ended(`/extract/${id}`);
  assert.equal(status, 'completed');
  assert.ok((data as unknown as Body).title);
});

describe('llms.txt', () => {
  interface Listed extends Job {
    data: Job['data'] & { llmstxt: string; llmsfulltxt?: string };
    error?: string;
    expiresAt: string;
  }
  const listed = (path: string) =>
    until(
      () => fine<Listed>(path),
      ({ status }) => status !== 'processing',
    );

  test('is made of the documents of a crawl, with the full text where it was asked for', async () => {
    const { id } = await fine<Job>('/llmstxt', { url: url('/'), maxUrls: 3, showFullText: true, origin: 'python-sdk' });
    assert.match(id, /^[0-9a-f-]{36}\.full$/);
    const { status, data, expiresAt } = await listed(`/llmstxt/${id}`);
    assert.equal(status, 'completed');
    const lines = data.llmstxt.trimEnd().split('\n');
    assert.deepEqual([lines[0], lines[1], lines.length], ['# The shelf', '', 5]);
    assert.ok(lines.includes(`- [The herbal](${url('/a/herbal')}): Lovage is in the herbal.`), data.llmstxt);
    assert.match(data.llmsfulltxt!, /^# The shelf\n\n## \[/);
    assert.match(data.llmsfulltxt!, /Deep in the shelf\./);
    assert.ok(Date.parse(expiresAt) > 0);
    // The same crawl, under its own id.
    const crawl = id.replace('.full', '');
    assert.deepEqual((await fine<Listed>(`/llmstxt/${crawl}`)).data, { llmstxt: data.llmstxt });
    assert.equal((await fine<Job>(`/crawl/${crawl}`)).data.length, 3);
  });

  test('one without a page is failed, and says why', async () => {
    const { id: missing } = await fine<Job>('/llmstxt', { url: scene.web.url('fault.test', '/status/404') });
    const { status, data, error } = await listed(`/llmstxt/${missing}`);
    assert.deepEqual([status, data], ['failed', { llmstxt: '' }]);
    assert.match(error!, /\/status\/404.* status 404/);
    const { id } = await fine<Job>('/llmstxt', { url: scene.web.url('fault.test', '/stalled-headers') });
    assert.deepEqual([(await fine<Listed>(`/llmstxt/${id}`)).status], ['processing']);
    await fine(`/crawl/${id}`, undefined, { method: 'DELETE' });
    assert.match((await listed(`/llmstxt/${id}`)).error!, /cancelled/);
  });
});

test('deep research is a run of an agent', async () => {
  interface Research extends Body {
    status: string;
    data: { finalAnalysis: string; json?: Body; activities: Body[]; sources: { url: string; title?: string }[] };
  }
  const asked = await send<Job>('/deep-research', { query: 'herbal lovage', maxDepth: 7, timeLimit: 270, maxUrls: 20 });
  assert.match(asked.headers['x-trawl-warning']!, /maxDepth, timeLimit, maxUrls/);
  const withSchema = await fine<Job>('/deep-research', {
    topic: 'The title of the article',
    formats: ['markdown', 'json'],
    jsonOptions: {
      prompt: scene.web.url('news.test', '/article/1'),
      schema: { type: 'object', properties: { title: { type: 'string' } } },
    },
  });
  const researched = ({ id }: Job) =>
    until(
      () => fine<Research>(`/deep-research/${id}`),
      (state) => state.status !== 'processing',
    );
  const { status, data, sources, activities, totalUrls } = await researched(asked.body);
  assert.equal(status, 'completed', JSON.stringify(data));
  assert.match(data.finalAnalysis, /Lovage is in the herbal/);
  assert.deepEqual([sources, activities, totalUrls], [data.sources, data.activities, data.sources.length]);
  assert.deepEqual(
    data.sources.map((source) => [source.url, source.title]),
    [[url('/a/herbal'), 'The herbal']],
  );
  assert.ok(data.activities.some(({ type, status }) => type === 'search' && status === 'complete'));
  const { json } = (await researched(withSchema)).data;
  assert.ok('title' in Object(json), JSON.stringify(json));
  assert.equal((await scene.service.fetch(`/v2/agent/${asked.body.id}`)).status, 200);
});

test('a key that may only search starts neither', async () => {
  const limits = { operations: ['search'] };
  const made = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', { limits });
  const headers = { authorization: `Bearer ${made.body.data.key}` };
  for (const [path, body] of [
    ['/deep-research', { query: 'a' }],
    ['/llmstxt', { url: url('/') }],
    [`/deep-research/${UNKNOWN}`, undefined],
    [`/llmstxt/${UNKNOWN}`, undefined],
  ] as const) {
    const { status, body: answer } = await send(path, body, { headers });
    assert.deepEqual([status, answer.code], [403, 'KEY_RESTRICTED'], path);
  }
});

test('usage is told in the words of v1', async () => {
  const credits = await fine<{ data: Body }>('/team/credit-usage');
  assert.deepEqual(Object.keys(credits.data), [
    'remaining_credits',
    'plan_credits',
    'billing_period_start',
    'billing_period_end',
  ]);
  assert.equal(typeof (await fine<{ data: Body }>('/team/token-usage')).data.remaining_tokens, 'number');
  assert.ok(Array.isArray((await fine('/team/credit-usage/historical?byApiKey=true')).periods));
  assert.ok(Array.isArray((await fine('/team/token-usage/historical')).periods));
  assert.equal(typeof (await fine('/team/queue-status')).jobsInQueue, 'number');
  assert.equal(typeof (await fine('/concurrency-check')).maxConcurrency, 'number');
});

test('bad input is answered in the shape of v1', async () => {
  const bad: [path: string, body: unknown, status: number, error: RegExp][] = [
    ['/scrape', {}, 400, /url/],
    ['/scrape', { url: 7 }, 400, /url/],
    ['/scrape', '{"url"', 400, /JSON/],
    ['/scrape', { url: 'http://' }, 400, /URL|url/],
    ['/scrape', { url: 'a.test', formats: 'markdown' }, 400, /formats/],
    ['/scrape', { url: 'a.test', formats: ['nosuch'] }, 400, /formats/],
    ['/scrape', { url: 'a.test', formats: ['json'] }, 400, /needs `jsonOptions`/],
    ['/scrape', { url: 'a.test', jsonOptions: {} }, 400, /needs the format `json`/],
    ['/scrape', { url: 'a.test', formats: ['changeTracking'] }, 400, /markdown/],
    ['/scrape', { url: 'http://127.0.0.1:1/' }, 403, /refused/],
    ['/crawl', { url: 'a.test', excludePaths: 'x' }, 400, /excludePaths/],
    ['/map', [], 400, /url/],
    ['/search', { query: '' }, 400, /Invalid request body/],
    ['/search', { query: 'a', limit: 101 }, 400, /limit/],
    ['/batch/scrape', { urls: 'a.test' }, 400, /urls/],
    ['/deep-research', {}, 400, /`query`/],
    ['/deep-research', { query: 7 }, 400, /query/],
    ['/deep-research', { query: 'a'.repeat(10_001) }, 400, /10000/],
    ['/deep-research', { query: 'a', formats: ['html'] }, 400, /formats/],
    ['/deep-research', { query: 'a', formats: ['json'], jsonOptions: { schema: { type: 7 } } }, 400, /schema/],
    [`/deep-research/${UNKNOWN}`, undefined, 404, /not found/],
    ['/deep-research', undefined, 405, /POST/],
    ['/llmstxt', {}, 400, /`url`/],
    ['/llmstxt', { url: 'http://' }, 400, /URL|url/],
    ['/llmstxt', { url: 'a.test', maxUrls: 0 }, 400, /maxUrls/],
    ['/llmstxt', { url: 'a.test', maxUrls: 5001 }, 400, /maxUrls/],
    ['/llmstxt', { url: 'a.test', showFullText: 'often' }, 400, /showFullText/],
    ['/llmstxt', { url: 'http://127.0.0.1:1/' }, 403, /refused/],
    [`/llmstxt/${UNKNOWN}`, undefined, 404, /./],
    [`/llmstxt/${UNKNOWN}.full`, undefined, 404, /./],
    ['/llmstxt/none', undefined, 400, /./],
    ['/nothing', {}, 404, /nothing at this path/i],
    [`/crawl/${UNKNOWN}`, undefined, 404, /./],
    ['/crawl/none', undefined, 400, /./],
    ['/scrape', undefined, 405, /POST/],
  ];
  for (const [path, body, status, error] of bad) {
    const answer = await send(path, body);
    assert.equal(answer.status, status, `${path} ${JSON.stringify(body)}: ${answer.text}`);
    assert.equal(answer.body.success, false);
    assert.match(answer.body.error!, error, path);
  }
  for (const path of ['/scrape', '/deep-research', '/llmstxt']) {
    const body = { url: 'a.test', query: 'a' };
    const keyless = await send(path, body, { headers: { authorization: 'Bearer fc-wrong' } });
    assert.deepEqual([keyless.status, keyless.body.success], [401, false]);
  }
  const socket = new WebSocket(`${scene.service.url.replace('http', 'ws')}/v1/crawl/${UNKNOWN}`, 'fc-wrong');
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 3000);
});

test('version 0 is gone, which is said without a key', async () => {
  for (const path of ['/v0/scrape', '/v0/crawl/status/x', '//v0/search']) {
    const answer = await sendRaw(scene.service.url, path, { method: 'POST' });
    assert.equal(answer.status, 410, path);
    assert.match(String(answer.json().error), /\/v1 or \/v2/);
  }
  assert.equal((await sendRaw(scene.service.url, '/v0/health/liveness')).status, 200);
});
