// What judging costs: two credits for each URL of a scope, in the answer and in the ledger, whether it blocks or not.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { batchRequest } from '../../../../src/contracts/crawl/batch.ts';
import { crawlRequest } from '../../../../src/contracts/crawl/crawl.ts';
import { mapRequest } from '../../../../src/contracts/crawl/map.ts';
import { scrapeRequest } from '../../../../src/contracts/scrape/scrape.ts';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import { startBatch } from '../../../../src/operations/batch.ts';
import { startCrawl } from '../../../../src/operations/crawl/crawl.ts';
import { map } from '../../../../src/operations/map/map.ts';
import { scrapePage } from '../../../../src/operations/scrape.ts';
import { search } from '../../../../src/operations/search/search.ts';
import { creditsSince } from '../../../conformance/samples.ts';
import { callOf } from '../../../support/call.ts';
import { until } from '../../../support/jobs.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { judgeWithout } from '../../../support/threats.ts';
import { page, type Site, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const TEXT = `<p>${'Gardeners compare ladders of many sizes before they climb a tree. '.repeat(8)}</p>`;
const site: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/': (exchange) => send(exchange, page('Ladders', `${TEXT}<a href="/one">one</a> <a href="/two">two</a>`)),
  '/moved': (exchange) => send(exchange, '', { status: 302, headers: { location: '/one' } }),
  '/away': (exchange) => send(exchange, '', { status: 302, headers: { location: `${exchange.origin('evil.test')}/` } }),
  '/one': (exchange) =>
    send(
      exchange,
      page('Ladders of wood', `${TEXT}<p>${'Wood is warm and light, but it rots in the rain. '.repeat(9)}</p>`),
    ),
  '/two': (exchange) =>
    send(
      exchange,
      page('Ladders of steel', `${TEXT}<p>${'Steel is heavy and strong, and it lasts for decades. '.repeat(9)}</p>`),
    ),
};

let web: Web;
let opened: OpenOperations;
/** What was charged before. */
let base: number;

before(async () => {
  web = await startWeb({ 'good.test': site, 'evil.test': site });
  // A judge for each scope, as the real one.
  const threats = { checkFor: () => judgeWithout('evil.test') };
  opened = await openOperations(web.settings, { threats, security: { record() {} } });
});
after(async () => {
  await opened?.close();
  await web?.stop();
});
beforeEach(async () => {
  base = await total();
});

const good = (path = '/') => web.url('good.test', path);
const caller = () => ({ ...opened.caller, signal: AbortSignal.timeout(120_000) });
const total = () => creditsSince(opened.store, opened.caller.team.id, 0);
const charged = async () => (await total()) - base;
const scrape = (url: string) =>
  scrapePage(opened.deps, caller(), scrapeRequest.parse({ url, maxAge: 0 }), web.url('x.test'));

test('a page costs its fee, and each redirect another one', async () => {
  assert.equal((await scrape(good('/one'))).metadata.creditsUsed, 3);
  assert.equal((await scrape(good('/moved'))).metadata.creditsUsed, 5);
  assert.equal(await charged(), 8);
});

test('a page that is blocked costs what it took to find out', async () => {
  await assert.rejects(scrape(web.url('evil.test')), { code: 'unsafe_domain_blocked' });
  assert.equal(await charged(), 2);
  await assert.rejects(scrape(good('/away')), { code: 'unsafe_domain_blocked' });
  assert.equal(await charged(), 6);
  assert.equal(web.requests('evil.test'), 0);
});

test('a map costs one fee for each host', async () => {
  await map(opened.deps, callOf<'map'>(caller(), { body: mapRequest.parse({ url: good() }) }));
  assert.equal(await charged(), 3);
});

test('a search is one scope with the pages that it scrapes', async () => {
  await scrape(good('/one'));
  await scrape(good('/two'));
  base = await total();
  const formats = ['markdown'];
  const asked = searchRequest.parse({ query: 'ladders site:good.test', scrapeOptions: { formats } });
  const { bytes } = await search(opened.deps, callOf<'search'>(caller(), { body: asked, baseUrl: web.url('x.test') }));
  const answer = JSON.parse(Buffer.from(bytes).toString()) as { creditsUsed: number; data: { web: unknown[] } };
  const results = answer.data.web.length;
  assert.ok(results >= 2);
  assert.equal(answer.creditsUsed, 2 + results + 2 * results);
  assert.equal(await charged(), answer.creditsUsed);
});

test('each page of a job is a scope, and a start costs only if it is refused', async () => {
  const jobs = opened.deps as never as Parameters<typeof startCrawl>[0] & Parameters<typeof startBatch>[0];
  const start = { baseUrl: web.url('x.test') };
  const end = (id: string) =>
    until(
      async () => (await opened.store.jobs.view(id, opened.caller.team.id, Date.now()))!,
      ({ status }) => status !== 'scraping',
    );
  const refused = startCrawl(jobs, caller(), crawlRequest.parse({ url: web.url('evil.test') }), start);
  await assert.rejects(refused, { code: 'unsafe_domain_blocked' });
  assert.equal(await charged(), 2);
  const batch = batchRequest.parse({ urls: [good('/one'), good('/away')], maxAge: 0 });
  const { id } = await startBatch(jobs, caller(), batch, start);
  assert.equal((await end(id)).credits, 3 + 4);
  const crawl = await startCrawl(
    jobs,
    caller(),
    crawlRequest.parse({ url: good(), scrapeOptions: { maxAge: 0 } }),
    start,
  );
  assert.equal((await end(crawl.id)).credits, 3 * 3);
  assert.equal(await charged(), 2 + 7 + 9);
});
