// The cache, stored results, and requests with zero data retention.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';

interface Scraped {
  success: boolean;
  code?: string;
  data: { markdown: string; html?: string; metadata: Record<string, unknown> };
}

const scene = useService({ TRAWL_LOG_LEVEL: 'debug' });

let fresh = 0;
/** A page that no other test has requested. */
const newPage = () => {
  fresh += 1;
  return `/article/${fresh}`;
};

async function scrape(path: string, options: object = {}) {
  const { status, body } = await scene.service.scrape<Scraped>({ url: scene.web.url('news.test', path), ...options });
  return { status, ...body, state: body.data?.metadata.cacheState };
}
const read = async (id: unknown) => scene.service.fetch(`/v2/scrape/${id}`);

test('the second scrape comes from the cache and says when it was fetched', async () => {
  const path = newPage();
  const first = await scrape(path);
  assert.equal(first.state, 'miss');
  const second = await scrape(path);
  assert.equal(second.state, 'hit');
  assert.match(String(second.data.metadata.cachedAt), /^\d{4}-.*Z$/);
  assert.equal(second.data.markdown, first.data.markdown);
  assert.notEqual(second.data.metadata.scrapeId, first.data.metadata.scrapeId);
  assert.equal(scene.web.requests('news.test', path), 1);
});

test('another format of a cached page needs no second request', async () => {
  const path = newPage();
  await scrape(path);
  const html = await scrape(path, { formats: ['html'] });
  assert.equal(html.state, 'hit');
  assert.match(String(html.data.html), /<h1/);
  assert.equal(scene.web.requests('news.test', path), 1);
});

test('another variant is cached separately', async () => {
  const path = newPage();
  await scrape(path);
  assert.equal((await scrape(path, { mobile: true })).state, 'miss');
  assert.equal((await scrape(path, { location: { country: 'DE' } })).state, 'miss');
  assert.equal(scene.web.requests('news.test', path), 3);
});

test('maxAge limits the age; 0 fetches anew', async () => {
  const path = newPage();
  await scrape(path);
  assert.equal((await scrape(path, { maxAge: 0 })).state, undefined);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal((await scrape(path, { maxAge: 20 })).state, 'miss');
  assert.equal((await scrape(path, { maxAge: 60_000 })).state, 'hit');
});

test('minAge uses only the cache', async () => {
  const path = newPage();
  const miss = await scrape(path, { minAge: 1 });
  assert.deepEqual([miss.status, miss.code], [404, 'SCRAPE_NO_CACHED_DATA']);
  assert.equal(scene.web.requests('news.test', path), 0);
  await scrape(path);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await scrape(path, { minAge: 1 })).state, 'hit');
  assert.equal((await scrape(path, { minAge: 3_600_000 })).code, 'SCRAPE_NO_CACHED_DATA');
});

test('requests with storeInCache false or custom headers bypass the cache', async () => {
  const path = newPage();
  await scrape(path, { storeInCache: false });
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  const own = await scrape(path, { headers: { Cookie: 'me=1' } });
  assert.equal(own.state, undefined);
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  await scrape(path);
  await scrape(path, { headers: { Cookie: 'me=1' } });
  assert.equal(scene.web.requests('news.test', path), 4, 'a page with custom headers is never served from the cache');
});

test('lockdown answers only from the cache, at its own price, and stores nothing', async () => {
  const path = newPage();
  const miss = await scrape(path, { lockdown: true });
  assert.deepEqual([miss.status, miss.code], [404, 'SCRAPE_LOCKDOWN_CACHE_MISS']);
  assert.equal(scene.web.requests('news.test', path), 0);
  await scrape(path);
  const hit = await scrape(path, { lockdown: true });
  assert.deepEqual([hit.state, hit.data.metadata.creditsUsed], ['hit', 5]);
  assert.equal((await read(hit.data.metadata.scrapeId)).status, 404);
  assert.equal(scene.web.requests('news.test', path), 1);
});

test('a page with an error status is cached, too', async () => {
  const url = scene.web.url('error.test', '/404');
  await scene.service.scrape({ url });
  assert.equal((await scene.service.scrape<Scraped>({ url })).body.data.metadata.cacheState, 'hit');
});

test('a scrape can be read again by its id', async () => {
  const { data } = await scrape(newPage(), { formats: ['markdown', 'html'] });
  const response = await read(data.metadata.scrapeId);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { success: true, data });
});

test('unknown and malformed ids get different errors', async () => {
  const unknown = await read('01890a5d-ac96-774b-bcce-b302099a8057');
  assert.equal(unknown.status, 404);
  assert.deepEqual(await unknown.json(), { success: false, code: 'JOB_NOT_FOUND', error: 'Job not found.' });
  const malformed = await read('nonsense');
  assert.equal(malformed.status, 400);
  assert.match(
    ((await malformed.json()) as { error: string }).error,
    /^Invalid job ID format\. Job ID must be a valid UUID\.$/,
  );
});

test('a zero-data-retention request leaves nothing behind', async () => {
  const path = '/article/987654321';
  const { data } = await scrape(path, { zeroDataRetention: true });
  assert.equal(data.metadata.creditsUsed, 2);
  assert.equal((await read(data.metadata.scrapeId)).status, 404);
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  await scrape('/article/987654322', { lockdown: true });
  const traces = readdirSync(scene.service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('98765432'));
  assert.deepEqual(
    traces.map(({ name }) => name),
    [],
  );
  const { stdout, stderr } = scene.service.output();
  assert.ok(!(stdout + stderr).includes('98765432'));
});
