// When results and cached pages expire, on a clock set by the test.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { filesOf, findInFolder } from '../support/found-bytes.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  data: { metadata: { scrapeId: string; cacheState?: string } };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let web: Web;
let service: ClockedService;

before(async () => {
  web = await startWeb();
  service = await startClockedService(web);
});
after(async () => {
  await service?.remove();
  await web?.stop();
});

async function scrape(url: string, options: object = {}) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, ...options }),
  };
  return ((await (await fetch(`${service.url}/v2/scrape`, init)).json()) as Scraped).data.metadata;
}
const readable = async (id: string) => (await fetch(`${service.url}/v2/scrape/${id}`)).status === 200;

test('a result is readable for 24 hours, whether it came from the cache or not', async () => {
  const cached = await scrape(web.url('news.test', '/article/1'));
  const uncached = await scrape(web.url('news.test', '/article/1'), { storeInCache: false });
  service.turnAhead(24 * HOUR - MINUTE);
  assert.ok((await readable(cached.scrapeId)) && (await readable(uncached.scrapeId)));
  service.turnAhead(2 * MINUTE);
  assert.ok(!(await readable(cached.scrapeId)) && !(await readable(uncached.scrapeId)));
});

test('a page is served from the cache for two days, then fetched anew', async () => {
  const url = web.url('news.test', '/article/2');
  await scrape(url);
  service.turnAhead(47 * HOUR);
  assert.equal((await scrape(url)).cacheState, 'hit');
  service.turnAhead(2 * HOUR);
  assert.equal((await scrape(url)).cacheState, 'miss');
});

test('an error of the site is served from the cache for five minutes only', async () => {
  const url = web.url('error.test', '/410');
  await scrape(url);
  service.turnAhead(4 * MINUTE);
  assert.equal((await scrape(url)).cacheState, 'hit');
  service.turnAhead(2 * MINUTE);
  assert.equal((await scrape(url)).cacheState, 'miss');
});

test('headers of a caller cannot be read in the data folder', async () => {
  const secret = 'open-sesame-4711';
  const headers = { authorization: `Bearer ${secret}` };
  await scrape(web.url('news.test', '/article/3'), { headers });
  const crawl = { url: web.url('news.test', '/plain'), limit: 1, scrapeOptions: { headers } };
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(crawl) };
  assert.equal((await fetch(`${service.url}/v2/crawl`, init)).status, 200);
  assert.ok(filesOf(service.dataDir).length > 0);
  assert.deepEqual(findInFolder(service.dataDir, [secret]), []);
});
