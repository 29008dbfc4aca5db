// What expires when: a day and five minutes pass on a clock that the test turns.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createService, type Service } from '../../src/service.ts';
import { systemClock } from '../../src/util/clock.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  data: { metadata: { scrapeId: string; cacheState?: string } };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let web: Web;
let folder: string;
let service: Service;
let ahead = 0;

before(async () => {
  web = await startWeb();
  folder = await mkdtemp(join(tmpdir(), 'trawl-retention-'));
  const config = readConfig({
    ...web.settings,
    TRAWL_DATA_DIR: folder,
    TRAWL_PORT: '0',
    TRAWL_AUTH: 'off',
    TRAWL_LOG_LEVEL: 'warn',
  });
  service = await createService(config, { clock: { ...systemClock, now: () => Date.now() + ahead } });
});
after(async () => {
  await service?.close();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
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

test('a result is readable for 24 hours, from the cache or not', async () => {
  const cached = await scrape(web.url('news.test', '/article/1'));
  const uncached = await scrape(web.url('news.test', '/article/1'), { storeInCache: false });
  ahead += 24 * HOUR - MINUTE;
  assert.ok((await readable(cached.scrapeId)) && (await readable(uncached.scrapeId)));
  ahead += 2 * MINUTE;
  assert.ok(!(await readable(cached.scrapeId)) && !(await readable(uncached.scrapeId)));
});

test('a page is served from the cache for two days, then fetched anew', async () => {
  const url = web.url('news.test', '/article/2');
  await scrape(url);
  ahead += 47 * HOUR;
  assert.equal((await scrape(url)).cacheState, 'hit');
  ahead += 2 * HOUR;
  assert.equal((await scrape(url)).cacheState, 'miss');
});

test("a target's error is served from the cache for five minutes only", async () => {
  const url = web.url('error.test', '/410');
  await scrape(url);
  ahead += 4 * MINUTE;
  assert.equal((await scrape(url)).cacheState, 'hit');
  ahead += 2 * MINUTE;
  assert.equal((await scrape(url)).cacheState, 'miss');
});
