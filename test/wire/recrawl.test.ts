// A second crawl of a site costs little: unchanged pages are confirmed by their site or by its sitemap, changed ones are
// fetched, and vanished ones leave the index.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { type Exchange, page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const HOST = 'almanac.test';
const DAY_MS = 86_400_000;

interface Served {
  text: string;
  /** Sent as ETag, or as Last-Modified if it is a date. */
  version?: string;
  status?: number;
  lastmod?: string;
  location?: string;
}

interface Document {
  markdown: string;
  metadata: { url: string; statusCode: number; cacheState?: string; cachedAt?: string };
}

const served = new Map<string, Served>();
let log: string[] = [];
let web: Web;
let service: ClockedService;

function answer(exchange: Exchange): void {
  const { path, headers } = exchange;
  const found = served.get(path);
  const { text = 'Nothing here.', version, status = 200, location } = found ?? { status: 404 };
  const isDate = version?.endsWith('GMT') ?? false;
  const known = isDate ? headers['if-modified-since'] : headers['if-none-match'];
  const validator = version === undefined ? {} : { [isDate ? 'last-modified' : 'etag']: version };
  const isKnown = version !== undefined && known === version && status === 200;
  log.push(`${path} ${isKnown ? 304 : status}`);
  if (isKnown) return void exchange.response.writeHead(304, validator).end();
  const links = path === '/' ? [...served.keys()].map((to) => `<a href="${to}">${to}</a>`).join(' ') : '';
  const paragraph = `<p>${text} ${'The almanac lists tides, moons and markets of every month. '.repeat(6)}</p>`;
  const more: Record<string, string> = location === undefined ? {} : { location };
  send(exchange, page(`Almanac ${path}`, paragraph + links), { status, headers: { ...validator, ...more } });
}

const sitemap = (exchange: Exchange) => {
  const urls = [...served].filter(([, { lastmod }]) => lastmod !== undefined);
  const entries = urls.map(
    ([path, { lastmod }]) => `<url><loc>${exchange.origin(HOST)}${path}</loc><lastmod>${lastmod}</lastmod></url>`,
  );
  send(exchange, `<urlset>${entries.join('')}</urlset>`, { type: 'application/xml' });
};

const site: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': sitemap,
  '/llms.txt': (exchange) => send(exchange, '', { status: 404 }),
  '/*': answer,
};

before(async () => {
  web = await startWeb({ [HOST]: site });
  service = await startClockedService(web);
});
beforeEach(() => {
  served.clear();
  log = [];
});
after(async () => {
  await service?.close();
  await service?.remove();
  await web?.stop();
});

async function call<T>(path: string, body?: object): Promise<T> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await (await fetch(service.url + path, body && init)).json()) as T;
}

/** Crawls the site, and returns its documents by path and the requests that were made for them. */
async function crawl(scrapeOptions: object = {}, more: object = {}) {
  log = [];
  const start = { url: web.url(HOST), scrapeOptions, ...more };
  const { id } = await call<{ id: string }>('/v2/crawl', start);
  for (;;) {
    const status = await call<{ status: string; data: Document[] }>(`/v2/crawl/${id}`);
    if (status.status !== 'scraping') {
      assert.equal(status.status, 'completed');
      const byPath = new Map(status.data.map((document) => [new URL(document.metadata.url).pathname, document]));
      return { documents: byPath, requests: log.toSorted() };
    }
    await sleep(20);
  }
}

const scrape = (path: string, options: object = {}) =>
  call<{ data: Document }>('/v2/scrape', { url: web.url(HOST, path), ...options });

async function searchPaths(query: string): Promise<string[]> {
  const { data } = await call<{ data: { web: { url: string }[] } }>('/v2/search', { query: `${query} site:${HOST}` });
  return data.web.map(({ url }) => new URL(url).pathname).sort();
}

test('a refetch asks whether the page has changed, and a page that has not is neither sent nor transformed again', async () => {
  served.set('/etag', { text: 'Spring tide.', version: '"1"' });
  served.set('/date', { text: 'Neap tide.', version: 'Sun, 01 Mar 2026 10:00:00 GMT' });
  served.set('/plain', { text: 'Slack water.' });
  for (const path of ['/etag', '/date', '/plain']) {
    log = [];
    const first = await scrape(path);
    const second = await scrape(path, { maxAge: 0 });
    assert.equal(second.data.markdown, first.data.markdown);
    assert.equal(second.data.metadata.statusCode, 200);
    // Another format is made from the copy.
    const html = await scrape(path, { maxAge: 0, formats: ['html'] });
    assert.match(JSON.stringify(html.data), /<h1/);
    const again = path === '/plain' ? 200 : 304;
    assert.deepEqual(log, [`${path} 200`, `${path} ${again}`, `${path} ${again}`]);
  }
});

test('a confirmed copy counts as fetched when it was confirmed', async () => {
  served.set('/young', { text: 'Ebb.', version: '"1"' });
  await scrape('/young');
  service.turnAhead(3 * DAY_MS);
  assert.equal((await scrape('/young')).data.metadata.cacheState, 'miss');
  const confirmedAt = service.now();
  const { metadata } = (await scrape('/young')).data;
  assert.equal(metadata.cacheState, 'hit');
  assert.ok(Math.abs(Date.parse(metadata.cachedAt!) - confirmedAt) < DAY_MS / 24);
  assert.deepEqual(log, ['/young 200', '/young 304']);
  // It was the same all the time since it was first fetched.
  const old = await scrape('/young', { minAge: 2 * DAY_MS });
  assert.equal(old.data.metadata.cacheState, 'hit');
});

test('a changed page replaces its copy', async () => {
  served.set('/changing', { text: 'Low water at nine.', version: '"1"' });
  await scrape('/changing');
  served.set('/changing', { text: 'Low water at ten.', version: '"2"' });
  assert.match((await scrape('/changing', { maxAge: 0 })).data.markdown, /at ten/);
  assert.match((await scrape('/changing')).data.markdown, /at ten/);
});

test('callers with headers of their own get no confirmation of the shared copy', async () => {
  served.set('/private', { text: 'For all.', version: '"1"' });
  await scrape('/private');
  await scrape('/private', { maxAge: 0, headers: { cookie: 'a=b' } });
  assert.deepEqual(log, ['/private 200', '/private 200']);
});

test('the sitemap spares requests for unchanged pages, and reveals changed ones', async () => {
  const now = service.now();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
  served.set('/', { text: 'Contents.' });
  for (const name of ['a', 'b', 'c']) served.set(`/${name}`, { text: `Chapter ${name}.`, lastmod: daysAgo(90) });
  // Pages that links lead to may be read before the sitemap is.
  const dated = { sitemap: 'only' };
  const first = await crawl({}, dated);
  assert.deepEqual(first.requests, ['/ 200', '/a 200', '/b 200', '/c 200']);

  // Later than a copy may be by default: the front page is not in the sitemap, and one chapter has changed.
  service.turnAhead(5 * DAY_MS);
  served.set('/b', { text: 'Chapter b, second edition.', lastmod: new Date(service.now() - DAY_MS).toISOString() });
  const second = await crawl({}, dated);
  assert.deepEqual(second.requests, ['/ 200', '/b 200']);
  assert.equal(second.documents.size, 4);
  assert.match(second.documents.get('/b')!.markdown, /second edition/);
  assert.equal(second.documents.get('/a')!.metadata.cacheState, 'hit');

  // The caller's own limit counts, whatever the sitemap says.
  service.turnAhead(DAY_MS);
  assert.deepEqual((await crawl({ maxAge: DAY_MS / 2 }, dated)).requests, ['/ 200', '/a 200', '/b 200', '/c 200']);
  // And at any time the sitemap reveals a change that a young copy would hide.
  served.set('/c', { text: 'Chapter c, corrected.', lastmod: new Date(service.now() + 1_000).toISOString() });
  service.turnAhead(10_000);
  assert.deepEqual((await crawl({}, dated)).requests, ['/c 200']);
});

test('pages that vanish or lead elsewhere leave the index', async () => {
  served.set('/', { text: 'Contents.' });
  for (const name of ['gone', 'moved', 'stays']) served.set(`/${name}`, { text: `Perigean ${name}.` });
  await crawl({ maxAge: 0 });
  assert.deepEqual(await searchPaths('perigean'), ['/gone', '/moved', '/stays']);
  served.set('/gone', { text: 'Gone.', status: 410 });
  served.set('/moved', { text: 'Moved.', status: 301, location: '/stays' });
  await crawl({ maxAge: 0 });
  assert.deepEqual(await searchPaths('perigean'), ['/stays']);
});
