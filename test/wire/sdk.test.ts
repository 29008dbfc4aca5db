// The public SDK as its users call it, with only the base URL changed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Firecrawl as Newest } from 'firecrawl';
import { Firecrawl as Older } from 'firecrawl-4-24';
import { useService } from '../support/use-service.ts';

const scene = useService({}, { TRAWL_AUTH: 'off' });

for (const [version, Client] of [
  ['4.42.0', Newest],
  ['4.24.0', Older as unknown as typeof Newest],
] as const) {
  describe(`firecrawl ${version}`, () => {
    const client = () => new Client({ apiKey: scene.service.key, apiUrl: scene.service.url });

    test('scrapes a page', async () => {
      const document = await client().scrape(scene.web.url('news.test', '/article/1'), {
        formats: ['markdown', 'links'],
      });
      assert.match(document.markdown!, /First point/);
      assert.ok(document.links!.length > 0);
      assert.equal(document.metadata?.statusCode, 200);
      assert.ok(document.metadata?.scrapeId);
    });

    test('returns an error page of the target as a document', async () => {
      const { metadata } = await client().scrape(scene.web.url('error.test', '/404'));
      assert.deepEqual([metadata?.statusCode, metadata?.error], [404, 'Not Found']);
    });

    test('throws errors of the service with code and text', async () => {
      await assert.rejects(client().scrape('http://no-such-host.invalid/'), /could not be resolved/);
      await assert.rejects(client().scrape('http://10.0.0.1/'), /private/);
      await assert.rejects(client().scrape(scene.web.url('news.test', '/'), { formats: ['screenshot'] }), /screenshot/);
    });

    test('reads credits, queue and concurrency', async () => {
      assert.equal(typeof (await client().getCreditUsage()).remainingCredits, 'number');
      assert.equal((await client().getConcurrency()).maxConcurrency, 64);
      assert.equal((await client().getQueueStatus()).maxConcurrency, 64);
    });

    test('works without a key on a service without keys', async () => {
      const document = await new Client({ apiKey: '', apiUrl: scene.other.url }).scrape(
        scene.web.url('news.test', '/article/2'),
      );
      assert.match(document.markdown!, /First point/);
    });
  });
}
