// Checks of monitors that are killed, limited, or compare values.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../support/jobs.ts';
import {
  at,
  calls,
  check,
  createMonitor,
  endOf,
  HOST,
  held,
  killAndRestart,
  scrapeTarget,
  served,
  startCheck,
  states,
  useMonitoredSite,
  web,
} from '../support/wire/monitor-checks.ts';

useMonitoredSite();

describe('pages that are scraped', () => {
  test('are compared by the values that a schema asks for', async () => {
    const schema = { type: 'object', properties: { price: { type: 'string' }, sku: { type: 'string' } } };
    const product = (price: string, note: string) =>
      `<p itemscope itemtype="https://schema.org/Product"><span itemprop="sku">S-1</span> <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">${price}</span></span></p><p>${note}</p>`;
    served.set('/item', product('20.00', 'A note.'));
    const formats = ['markdown', { type: 'changeTracking', modes: ['json'], schema }];
    const monitor = await createMonitor({ targets: [{ ...scrapeTarget('/item'), scrapeOptions: { formats } }] });
    const first = await check(monitor);
    assert.deepEqual(first.pages[0]!.snapshot, { json: { price: '20.00', sku: 'S-1' } });
    served.set('/item', product('20.00', 'Another note.'));
    assert.deepEqual(states((await check(monitor)).pages), { '/item': 'same' }, 'only the values count');
    served.set('/item', product('25.00', 'Another note.'));
    const third = await check(monitor);
    assert.deepEqual(third.pages[0]!.diff, { json: { price: { previous: '20.00', current: '25.00' } } });
  });
});

describe('a site that is crawled', () => {
  const links = (...paths: string[]) => paths.map((path) => `<p><a href="${path}">Go to ${path}</a></p>`).join('');

  test('reports no page as vanished if the crawl has reached its limit', async () => {
    served.set('/', links('/one', '/two'));
    served.set('/one', '<p>One.</p>');
    served.set('/two', '<p>Two.</p>');
    const target = { type: 'crawl', url: at('/'), crawlOptions: { limit: 3 } };
    const monitor = await createMonitor({ targets: [target] });
    assert.equal((await check(monitor)).summary.new, 3);
    served.set('/', links('/three', '/one', '/two'));
    served.set('/three', '<p>Three.</p>');
    assert.equal((await check(monitor)).summary.removed, 0);
  });
});

test('a check that was killed goes on, reads nothing twice and reports each page once', async () => {
  for (const path of ['/a', '/b', '/slow']) served.set(path, '<p>One.</p>');
  const webhook = { url: web.url('hooks.test', '/hook/killed') };
  const monitor = await createMonitor({ targets: [scrapeTarget('/a', '/b', '/slow')], webhook });
  await check(monitor);
  served.set('/a', '<p>Two.</p>');
  held.set('/slow', Promise.withResolvers());
  const before2 = web.requests(HOST, '/a');
  const id = await startCheck(monitor);
  await until(
    async () => web.requests(HOST, '/slow'),
    (count) => count === 2,
  );
  await until(
    async () => web.requests(HOST, '/a'),
    (count) => count === before2 + 1,
  );
  await killAndRestart(() => {
    held.get('/slow')!.resolve();
    held.clear();
  });
  const ended = await endOf(monitor, id);
  assert.equal(ended.status, 'completed', ended.error ?? '');
  assert.deepEqual(states(ended.pages), { '/a': 'changed', '/b': 'same', '/slow': 'same' });
  assert.equal(ended.actualCredits, 3);
  const received = await until(
    () => calls('killed'),
    (list) => list.filter(({ type }) => type === 'monitor.check.completed').length === 2,
  );
  const pages = received.filter((call) => call.id === id && call.type === 'monitor.page');
  assert.deepEqual(pages.map(({ data }) => new URL(data[0]!.url!).pathname).sort(), ['/a', '/b', '/slow']);
});
