// The manual beside other pages, under another address, and left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/jobs.ts';
import { fetchPages, hostPaths, search, startSearchWeb } from '../support/search/search.ts';
import { startService, startServiceWith } from '../support/service.ts';
import { FIRST_SEARCH, service, start, urls, useManual } from '../support/wire/search-manual.ts';

useManual();

const restart = async (settings: Record<string, string>) => {
  await service.stop();
  await start(settings);
};

test('when the public address changes, the manual is found there and no longer under the old one', async () => {
  const old = service.url;
  await restart({ TRAWL_PUBLIC_URL: 'https://trawl.example' });
  const found = await until(
    () => urls({ query: 'crawl a site by its sitemaps and links', includeDomains: ['trawl.example'], limit: 100 }),
    (all) => all.length > 0 && all.every((url) => url.startsWith('https://trawl.example/docs/')),
  );
  assert.ok(!found.some((url) => url.startsWith(old)));
  assert.equal(new Set(found).size, found.length);
  assert.equal((await service.scrape({ url: 'https://trawl.example/docs/use/start.md' })).status, 200);
  assert.equal((await service.scrape({ url: 'https://trawl.example/v2/openapi.json' })).status, 403);
});

test('the manual answers only searches that name its host', async () => {
  const pages = [
    { at: 'spider.test/site', title: 'How to crawl a whole site', text: 'How to crawl a whole site, page by page.' },
    { at: 'spider.test/silk', title: 'Silk', text: 'The silk of a whole web.' },
  ];
  const web = await startSearchWeb(pages);
  const own = await startServiceWith(web, { TRAWL_INDEX_MANUAL: 'on' });
  try {
    const found = async (query: string) => hostPaths((await search(own, { query })).data.web);
    const isManual = (path: string) => path.includes('/docs/');
    const { hostname } = new URL(own.url);
    await until(
      () => found(`crawl a whole site site:${hostname}`),
      (all) => all.length > 0 && all.every(isManual),
    );
    for (const query of [
      'crawl a whole site',
      'TRAWL_KEYLESS_PROVIDERS',
      'related:spider.test',
      'related:spider.test crawl',
    ]) {
      assert.deepEqual(await found(query), [], query);
    }
    await fetchPages(own, web, pages);
    const crawled = await found('crawl a whole site');
    assert.deepEqual(crawled, ['spider.test/site', 'spider.test/silk']);
    // Words that the manual has and no other page of the index.
    assert.deepEqual(await found('silk webhook signature retries'), ['spider.test/silk']);
    assert.ok((await found(`crawl a whole site site:${hostname}`)).every(isManual));
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
