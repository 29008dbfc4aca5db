// asyncScraping: results at once, their scrapes afterwards, each readable by an ID that the answer names.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { read, until } from '../support/jobs.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { search, type WebItem } from '../support/search/search.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

let isHeld = true;
const site: Site = {
  '/buoy': (exchange) => send(exchange, page('Buoy', '<p>A buoy marks the channel.</p>')),
  // Silent until it is released.
  '/held': (exchange) => {
    if (!isHeld) send(exchange, page('Held', '<p>Held until now.</p>'));
  },
};

let web: Web;
let provider: ProviderStandIn;
let folder: string;
let service: RunningProgram;
const start = async () => {
  service = await startServiceWith(web, {
    TRAWL_DATA_DIR: folder,
    TRAWL_API_KEY: 'fc-a-key-that-stays',
    TRAWL_SEARXNG_URL: provider.url,
    TRAWL_TEAM_FEATURES: 'zdr',
  });
};
before(async () => {
  [web, provider] = await Promise.all([startWeb({ 'async.test': site }), startProviderStandIn('searxng')]);
  folder = await mkdtemp(join(tmpdir(), 'trawl-async-'));
  await start();
});
after(async () => {
  await service?.stop();
  await Promise.all([web?.stop(), provider?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

interface Scrape {
  success: boolean;
  data: WebItem;
  code: string;
  error: string;
}
const scrape = (id: string) => read<Scrape>(service, `/v2/scrape/${id}`);
const finished = (id: string) =>
  until(
    () => scrape(id),
    ({ status, body }) => status !== 404 || !/not finished/.test(body.error),
  );
const credits = async () =>
  (await read<{ data: { remainingCredits: number } }>(service, '/v2/team/credit-usage')).body.data.remainingCredits;
const LATER = { asyncScraping: true, scrapeOptions: { formats: ['markdown'] } };

test('results come at once, and each scrape can be read by its ID when it has finished', async () => {
  const urls = ['/buoy', '/held'].map((path) => web.url('async.test', path));
  provider.give(...urls.map((url) => ({ url })), { url: 'http://10.0.0.1/' });
  const before = await credits();
  const { data, scrapeIds, creditsUsed } = await search(service, {
    query: 'buoy',
    sources: ['web', 'images'],
    ...LATER,
  });
  assert.deepEqual(Object.keys(scrapeIds!), ['web']);
  assert.equal(scrapeIds!.web!.length, data.web!.length);
  assert.ok(data.web!.every((item) => !('markdown' in item) && !('metadata' in item)));
  assert.equal(creditsUsed, 2);
  const idOf = (url: string) => scrapeIds!.web![data.web!.findIndex((item) => item.url === url)]!;

  const done = await finished(idOf(urls[0]!));
  assert.equal(done.status, 200);
  assert.match(done.body.data.markdown!, /A buoy marks the channel/);
  assert.equal(done.body.data.metadata!.scrapeId, idOf(urls[0]!));

  const refused = await finished(idOf('http://10.0.0.1/'));
  assert.deepEqual([refused.status, refused.body.code], [403, 'UNSUPPORTED_SITE']);

  const held = await scrape(idOf(urls[1]!));
  assert.deepEqual([held.status, held.body.code], [404, 'JOB_NOT_FOUND']);
  assert.match(held.body.error, /^The scrape has not finished yet\. Ask again/);

  await service.kill();
  isHeld = false;
  await start();
  const late = await finished(idOf(urls[1]!));
  assert.match(late.body.data.markdown!, /Held until now/);
  assert.equal(before - (await credits()), 2 + 2);
});

test('a page that is a result of two sources is scraped once', async () => {
  provider.give({ url: web.url('async.test', '/buoy'), date: new Date().toISOString() });
  const { data, scrapeIds } = await search(service, { query: 'buoy two', sources: ['web', 'news'], ...LATER });
  const url = web.url('async.test', '/buoy');
  const at = (items: { url: string }[]) => items.findIndex((item) => item.url === url);
  assert.equal(scrapeIds!.web![at(data.web!)], scrapeIds!.news![at(data.news!)]);
});

test('nothing is scraped without formats, and what may not be stored is scraped at once', async () => {
  provider.give({ url: web.url('async.test', '/buoy') });
  const plain = await search(service, { query: 'buoy three', asyncScraping: true });
  assert.equal(plain.scrapeIds, undefined);
  for (const more of [{ enterprise: ['zdr'] }, { scrapeOptions: { formats: ['markdown'], lockdown: true } }]) {
    const { data, scrapeIds, warning } = await search(service, { query: 'buoy four', ...LATER, ...more });
    assert.match(data.web!.find(({ url }) => url.endsWith('/buoy'))!.markdown!, /A buoy/);
    assert.deepEqual([scrapeIds, /^`asyncScraping` needs stored results/.test(warning!)], [undefined, true]);
  }
});

test('unknown IDs are not found', async () => {
  const { status, body } = await scrape('01a1e1dd-c451-7011-99e7-ca520eab0102');
  assert.deepEqual([status, body.error], [404, 'Job not found.']);
});
