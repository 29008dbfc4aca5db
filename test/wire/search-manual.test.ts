// The service's own manual: found on a fresh machine, moved when its address changes, and no way into the service itself.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { fetchPages, hostPaths, search, startSearchWeb } from '../support/search/search.ts';
import { type RunningService, startService, startServiceWith } from '../support/service.ts';

/** The one that the start message suggests; first-start.test.ts runs it as printed. */
const FIRST_SEARCH = { query: 'crawl a site by its sitemaps and links' };

let folder: string;
let service: RunningService;
const start = async (settings: Record<string, string> = {}) => {
  service = await startService({
    TRAWL_DATA_DIR: folder,
    TRAWL_INDEX_MANUAL: 'on',
    TRAWL_API_KEY: 'fc-a-key-that-stays',
    ...settings,
  });
};
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-manual-'));
  await start();
});
after(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const urls = async (more: object = {}) =>
  (await search(service, { ...FIRST_SEARCH, ...more })).data.web!.map(({ url }) => url);

test('the first search is answered without a network', async () => {
  const [first] = await until(urls, (found) => found.length > 0);
  assert.ok(first!.startsWith(`${service.url}/docs/`), first);
  const chapter = await fetch(first!);
  assert.deepEqual([chapter.status, chapter.headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
  assert.match(await chapter.text(), /crawl/i);
});

test('its results can be scraped, although the service itself cannot', async () => {
  const { data } = await search(service, { ...FIRST_SEARCH, scrapeOptions: { formats: ['markdown'] } });
  assert.match(data.web![0]!.markdown!, /crawl/i);
  const scrape = async (path: string) => (await service.scrape({ url: service.url + path })).status;
  assert.equal(await scrape('/docs/1-start.md'), 200);
  for (const path of [
    '/',
    '/docs/',
    '/docs/none.txt',
    '/docs/1-start.md?x=1',
    '/docs/1-start.md/x',
    '/docs/../v2/openapi.json',
    '/v2/openapi.json',
    '/v0/health/liveness',
    '/docs/..%2fREADME.md',
    '//docs/1-start.md',
  ]) {
    assert.equal(await scrape(path), 403, path);
  }
});

test('only its chapters are served', async () => {
  const { port } = new URL(service.url);
  /** Sends the path as it is written, without resolving it. */
  const status = (path: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });
  assert.equal(await status('/docs/1-start.md'), 200);
  const tricks = [
    '/docs/none.md',
    '/docs/../README.md',
    '/docs/..%2fREADME.md',
    '/docs/%2e%2e%2fREADME.md',
    '/docs/..%5cREADME.md',
    '/docs/openapi.json',
    '/docs/.',
    '/docs/',
    '/docs//etc/passwd',
    '/docs/1-start.md%00.md',
    '/docs/%2fetc%2fpasswd',
    `/docs/${'a'.repeat(3000)}.md`,
  ];
  for (const path of tricks) assert.ok([400, 404, 414].includes(await status(path)), path);
});

test('when the public address changes, the manual is found there and no longer under the old one', async () => {
  const old = service.url;
  await service.stop();
  await start({ TRAWL_PUBLIC_URL: 'https://trawl.example' });
  const found = await until(
    () => urls({ limit: 100 }),
    (all) => all.length > 0 && all.every((url) => url.startsWith('https://trawl.example/docs/')),
  );
  assert.ok(!found.some((url) => url.startsWith(old)));
  assert.equal(new Set(found).size, found.length);
  assert.equal((await service.scrape({ url: 'https://trawl.example/docs/1-start.md' })).status, 200);
  assert.equal((await service.scrape({ url: 'https://trawl.example/v2/openapi.json' })).status, 403);
});

test('the manual steps behind: it answers only when nothing else does, or when its host is named', async () => {
  const pages = [
    { at: 'spider.test/site', title: 'How to crawl a whole site', text: 'How to crawl a whole site, page by page.' },
    { at: 'spider.test/silk', title: 'Silk', text: 'The silk of a whole web.' },
  ];
  const web = await startSearchWeb(pages);
  const own = await startServiceWith(web, { TRAWL_INDEX_MANUAL: 'on' });
  try {
    const found = async (query: string) => hostPaths((await search(own, { query })).data.web);
    const isManual = (path: string) => path.includes('/docs/');
    await until(
      () => found('crawl a whole site'),
      (all) => all.length > 0 && all.every(isManual),
    );
    await fetchPages(own, web, pages);
    const crawled = await found('crawl a whole site');
    assert.equal(crawled[0], 'spider.test/site');
    assert.ok(!crawled.some(isManual), String(crawled));
    // Its own words, which no other page has.
    assert.ok((await found('TRAWL_KEYLESS_PROVIDERS')).every(isManual));
    assert.ok((await found(`crawl a whole site site:${new URL(own.url).hostname}`)).every(isManual));
    // A poor match comes before the manual, but does not replace it.
    const [first, ...others] = await found('silk webhook signature retries');
    assert.equal(first, 'spider.test/silk');
    assert.ok(others.length > 0 && others.every(isManual));
  } finally {
    await own.stop();
    await web.stop();
  }
});

test('the manual is left out with TRAWL_INDEX_MANUAL=off', async () => {
  const fresh = await startService({ TRAWL_INDEX_MANUAL: 'off' });
  try {
    assert.deepEqual((await search(fresh, FIRST_SEARCH)).data.web, []);
  } finally {
    await fresh.stop();
  }
});
