// POST /v2/map over HTTP: what it answers, what it refuses, and what the site sees of it.
import assert from 'node:assert/strict';
import { Firecrawl } from 'firecrawl';
import { fullTest, test } from '../support/full-run.ts';
import { useService } from '../support/use-service.ts';

interface Answer {
  success: boolean;
  code?: string;
  error?: string;
  id?: string;
  links?: { url: string; title?: string; description?: string }[];
  warning?: string;
  details?: { path: (string | number)[] }[];
}

const scene = useService();

async function map(host: string, options: object = {}, path = '/') {
  const url = host.includes('://') ? host : scene.web.url(host, path);
  const { status, body } = await scene.service.post<Answer>('/v2/map', { url, ...options });
  const paths = (body.links ?? []).map((link) => link.url.replace(scene.web.url(host, ''), ''));
  return { status, ...body, paths };
}

const usedCredits = async () => {
  const response = await scene.service.fetch('/v2/team/credit-usage');
  const { data } = (await response.json()) as { data: { planCredits: number; remainingCredits: number } };
  return data.planCredits - data.remainingCredits;
};

test('a catalogue without a sitemap is found completely', async () => {
  const { status, success, id, paths, links, warning } = await map('shop.test');
  assert.deepEqual([status, success, warning], [200, true, undefined]);
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  const items = Array.from({ length: 1_000 }, (_, index) => `/item/${index + 1}`);
  assert.deepEqual(paths.toSorted(), ['/', '/products', ...items].toSorted());
  assert.deepEqual(links![0], { url: scene.web.url('shop.test', '/'), title: 'The shop' });
});

test('the second map of a site reads no page again, unless the cache is ignored', async () => {
  const asked = () => scene.web.requests('load.test', '/') + scene.web.requests('load.test', '/article/0');
  const first = await map('load.test', { limit: 500 });
  assert.equal(asked(), 1);
  const second = await map('load.test', { limit: 500 });
  assert.equal(asked(), 1);
  assert.deepEqual(second.paths, first.paths);
  await map('load.test', { limit: 500, ignoreCache: true });
  assert.equal(asked(), 2);
});

test('sitemaps are read in their order', async () => {
  const { paths } = await map('sitemap-index.test', { sitemap: 'only' });
  const listed = ['article', 'product', 'note'].flatMap((name) => [1, 2, 3].map((number) => `/${name}/${number}`));
  assert.deepEqual(paths, ['/', ...listed]);
});

fullTest('a search puts matching addresses first', async () => {
  const { paths } = await map('sitemap-huge.test', { search: 'page 4711', limit: 100_000, sitemap: 'only' });
  assert.equal(paths.length, 50_001);
  assert.equal(paths[0], '/page/4711');
});

test('invalid requests get the usual error codes', async () => {
  const code = async (...request: Parameters<typeof map>) => {
    const { status, code } = await map(...request);
    return [status, code];
  };
  assert.deepEqual(await code('http://10.0.0.1/'), [403, 'UNSUPPORTED_SITE']);
  assert.deepEqual(await code('shop.test', { excludePaths: ['a(b'] }), [400, 'BAD_REQUEST']);
  assert.deepEqual(await code('shop.test', { limit: 100_001 }), [400, 'BAD_REQUEST']);
  assert.deepEqual(await code('http://no-such-host.invalid/'), [500, 'SCRAPE_DNS_RESOLUTION_ERROR']);
  assert.deepEqual(await code('fault.test', { timeout: 400 }, '/stalled-headers'), [408, 'MAP_TIMEOUT']);
  assert.deepEqual(await code('fault.test', {}, '/reset'), [500, 'SCRAPE_SITE_ERROR']);
});

test('a site closed by robots.txt is not read', async () => {
  const { status, paths, warning } = await map('closed.test');
  assert.deepEqual([status, paths, scene.web.requests('closed.test', '/')], [200, ['/'], 0]);
  assert.match(String(warning), /robots\.txt/);
});

test('a map that finds hardly anything says where more would be found', async () => {
  const hint = async (url: string, options = {}) => (await map(url, { sitemap: 'skip', ...options })).warning;
  const { port } = scene.web;
  assert.equal(
    await hint(scene.web.url('news.test', '/plain')),
    `Only 1 result(s) found. For broader coverage, try mapping the base domain: news.test:${port}`,
  );
  assert.equal(
    await hint(scene.web.url('lonely.news.test', '/')),
    `Only 1 result(s) found. For broader coverage, try mapping the base domain: news.test:${port}`,
  );
  assert.equal(await hint(scene.web.url('news.test', '/plain'), { limit: 1 }), undefined);
  assert.equal(await hint(scene.web.url('www.lonely.test', '/')), undefined);
});

test('unknown options are ignored', async () => {
  const { status } = await map('sitemap-plain.test', {
    useMock: 'x',
    useIndex: true,
    origin: 'test',
    integration: 'test',
  });
  assert.equal(status, 200);
});

test('a map costs one credit, and nothing when it fails', async () => {
  const before = await usedCredits();
  await map('sitemap-plain.test');
  await map('fault.test', {}, '/reset');
  assert.equal((await usedCredits()) - before, 1);
});

test('the public SDK reads the links', async () => {
  const client = new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });
  const { links } = await client.map(scene.web.url('sitemap-plain.test'), { limit: 3, sitemap: 'include' });
  assert.deepEqual(
    links.map(({ url }) => url),
    ['/', '/page/1', '/page/2'].map((path) => scene.web.url('sitemap-plain.test', path)),
  );
});
