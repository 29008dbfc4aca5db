// What is refused, and what is read all the same, when there is no browser.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BATCH, CRAWL, runBatch } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  warning?: string;
  details?: { path: (string | number)[] }[];
  data: { markdown: string; metadata: Record<string, unknown> };
}

describe('a service without a browser', () => {
  const scene = useService();
  const scrape = (options: object) =>
    scene.service.scrape<Scraped>({ url: scene.web.url('app.test', '/story/alone'), ...options });

  test('refuses what only a browser can do, with the reason and the path of the option', async () => {
    const picture = await scrape({ formats: ['screenshot'] });
    assert.deepEqual([picture.status, picture.body.code], [400, 'BAD_REQUEST']);
    assert.match(picture.body.error!, /'screenshot' needs a browser.*TRAWL_BROWSER=off/);
    assert.deepEqual(picture.body.details![0]!.path, ['formats', 0]);
    const acting = await scrape({ actions: [{ type: 'scrape' }] });
    assert.deepEqual([acting.status, acting.body.code], [400, 'SCRAPE_ACTIONS_NOT_SUPPORTED']);
    assert.match(acting.body.error!, /`actions` need a browser.*TRAWL_BROWSER=off/);
    for (const [path, request] of [
      [CRAWL, { url: scene.web.url('app.test'), scrapeOptions: { formats: ['screenshot'] } }],
      [BATCH, { urls: [scene.web.url('app.test')], formats: ['screenshot'] }],
      ['/v2/search', { query: 'boats', scrapeOptions: { formats: ['screenshot'] } }],
    ] as const) {
      const { status, body } = await scene.service.post<Scraped>(path, request);
      assert.equal(status, 400, path);
      assert.match(body.error!, /needs a browser/, path);
    }
    assert.equal(scene.web.requests('app.test'), 0);
  });

  test('reads pages without their scripts and warns about options that were not applied', async () => {
    const { status, body } = await scrape({ waitFor: 1000, mobile: true });
    assert.equal(status, 200);
    assert.deepEqual([body.data.metadata.verdict, body.data.metadata.creditsUsed], ['empty-shell', 0]);
    assert.match(body.warning!, /`waitFor` was not applied.*`mobile` was only applied to the request.*JavaScript/);
    const { documents } = await runBatch(scene.service, { urls: [scene.web.url('app.test', '/')], waitFor: 1000 });
    assert.match(documents[0]!.warning!, /`waitFor` was not applied/);
  });
});
