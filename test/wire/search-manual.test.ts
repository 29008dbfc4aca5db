// The service's own manual: found on a fresh machine, and no way into the service itself.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { until } from '../support/jobs.ts';
import { search } from '../support/search/search.ts';
import { FIRST_SEARCH, service, urls, useManual } from '../support/wire/search-manual.ts';

useManual();

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
