// Large and endless sites: a crawl finds all pages that are there, and ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathsOf, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { realPaths, traps } from '../support/web/crawl-traps.ts';

const scene = useService();

const crawl = (host: string, limit: number) =>
  runCrawl(scene.service, { url: scene.web.url(host), limit, scrapeOptions: { formats: ['links'] } });

test('a catalogue of 1,000 items over 50 pages is found completely', async () => {
  const { documents } = await crawl('shop.test', 1_100);
  const items = Array.from({ length: 1000 }, (_, index) => `/item/${index + 1}`);
  const lists = Array.from({ length: 50 }, (_, index) => `/products?page=${index + 1}`);
  assert.deepEqual(pathsOf(documents), ['/', '/products', ...items, ...lists].sort());
});

test('a crawl of a site with endless calendars, facets, sessions and paths ends', async () => {
  const { status, documents } = await crawl('trap.test', 5_000);
  const found = pathsOf(documents);
  assert.deepEqual(
    realPaths.filter((path) => !found.includes(path)),
    [],
  );
  for (const trap of traps) {
    const caught = found.filter((path) => path.startsWith(trap)).length;
    assert.ok(caught < 60, `${caught} pages of ${trap}`);
  }
  assert.equal(status.status, 'completed');
  assert.ok(scene.web.requests('trap.test') < realPaths.length + traps.length * 60);
});
