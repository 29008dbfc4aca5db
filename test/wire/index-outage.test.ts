// A service whose search index is on an OpenSearch that goes away and comes back, or is away at the start.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_OPENSEARCH, OPENSEARCH, openOpenSearch } from '../conformance/open-opensearch.ts';
import { until } from '../support/jobs.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb } from '../support/web.ts';

const HOST = 'shore.test';
const site: Site = {
  '/*': (exchange) =>
    send(exchange, page(exchange.tail, `<p>${exchange.tail} lives here.</p>${textOf(exchange.tail)}`)),
};

async function start(t: TestContext) {
  const proxy = await startTcpProxy(OPENSEARCH!);
  const cluster = openOpenSearch();
  const web = await startWeb({ [HOST]: site });
  t.after(async () => {
    await Promise.all([web.stop(), proxy.stop(), cluster.remove()]);
  });
  const indexUrl = new URL(`/${cluster.prefix}`, proxy.url).href;
  const service = (settings: Record<string, string> = {}) =>
    startServiceWith(web, { TRAWL_INDEX_URL: indexUrl, TRAWL_INDEX_MANUAL: 'off', ...settings });
  return { proxy, web, service };
}

async function find(service: RunningService, query: string) {
  const { status, body } = await service.post<{ code?: string; data?: { hits: { url: string }[] } }>(
    '/v2/index/search',
    { query },
  );
  return { status, code: body.code, urls: body.data?.hits.map(({ url }) => new URL(url).pathname) };
}
const finds = (service: RunningService, word: string) =>
  until(
    () => find(service, word),
    ({ urls }) => urls?.includes(`/${word}`) === true,
  );

test('pages are scraped while the index is away, and found when it is back', { skip: NO_OPENSEARCH }, async (t) => {
  const { proxy, web, service: run } = await start(t);
  const service = await run();
  t.after(service.stop);
  const scrape = async (word: string) =>
    assert.equal((await service.scrape({ url: web.url(HOST, `/${word}`) })).status, 200);
  await scrape('gannet');
  await finds(service, 'gannet');
  proxy.set('refuse');
  await scrape('puffin');
  const away = await find(service, 'gannet');
  assert.deepEqual([away.status, away.code], [503, 'INDEX_UNAVAILABLE']);
  const { status, body } = await service.post<{ error?: string }>('/v2/search', { query: 'gannet' });
  assert.ok(status >= 500 && /index/.test(body.error ?? ''), `nobody else could answer: ${status} ${body.error}`);
  proxy.set('open');
  await finds(service, 'gannet');
  await finds(service, 'puffin');
});

test('a service starts while OpenSearch is away, and finds its pages when it is back', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const { proxy, web, service: run } = await start(t);
  proxy.set('refuse');
  const service = await run();
  t.after(service.stop);
  assert.match(service.output().stdout + service.output().stderr, /OpenSearch cannot be reached/);
  assert.equal((await service.scrape({ url: web.url(HOST, '/tern') })).status, 200);
  proxy.set('open');
  await finds(service, 'tern');
});
