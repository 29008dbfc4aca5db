// Jobs with a version of the public SDK, as its users call it.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Firecrawl } from 'firecrawl';
import { fullTest, test } from '../full-run.ts';
import type { Scene } from '../use-service.ts';
import { docsPaths } from '../web/crawl-docs.ts';
import { sitemapPaths } from '../web/sitemaps.ts';

interface Seen {
  documents: number;
  snapshots: string[];
  end: { status: string; total: number; completed: number };
  /** The documents that came with the end. */
  data: { metadata?: { scrapeId?: string } }[];
}

export function describeSdkJobs(scene: Scene, version: string, Client: typeof Firecrawl): void {
  describe(`firecrawl ${version}`, { concurrency: true }, () => {
    const client = () => new Client({ apiKey: scene.service.key, apiUrl: scene.service.url });
    const url = (host: string, path?: string) => scene.web.url(host, path);
    const stalled = () => url('fault.test', '/stalled-headers');
    const articles = (count: number) =>
      Array.from({ length: count }, (_, number) => url('load.test', `/article/${number}`));

    /** Watches a job until the SDK reports that it is done. */
    async function watch(id: string, kind: 'crawl' | 'batch', onSnapshot = () => {}): Promise<Seen> {
      const watcher = client().watcher(id, { kind, pollInterval: 1 });
      const seen: Partial<Seen> & Pick<Seen, 'documents' | 'snapshots'> = { documents: 0, snapshots: [] };
      watcher.on('document', () => {
        seen.documents += 1;
      });
      watcher.on('snapshot', ({ status }: { status: string }) => {
        seen.snapshots.push(status);
        onSnapshot();
      });
      watcher.on('error', assert.fail);
      watcher.on('done', ({ status, total, completed, data }: Seen['end'] & Pick<Seen, 'data'>) => {
        seen.end = { status, total, completed };
        seen.data = data;
      });
      await watcher.start();
      return seen as Seen;
    }

    test('crawl waits for the end and returns all pages', async () => {
      const job = await client().crawl(url('shop.test'), {
        limit: 230,
        scrapeOptions: { formats: ['links'] },
        pollInterval: 1,
        timeout: 60,
      });
      assert.deepEqual([job.status, job.total, job.completed, job.data.length], ['completed', 230, 230, 230]);
      assert.equal(new Set(job.data.map(({ metadata }) => metadata?.scrapeId)).size, 230);
      assert.equal(job.creditsUsed, 230);

      const status = (pagination: object) => client().getCrawlStatus(job.id, pagination);
      const [one, two, some] = await Promise.all([
        status({ autoPaginate: false }),
        status({ maxPages: 1 }),
        status({ maxResults: 120 }),
      ]);
      assert.deepEqual([one.data.length, two.data.length, some.data.length], [100, 200, 120]);
      assert.match(one.next!, /\?skip=100$/);
    });

    fullTest('startCrawl and getCrawlStatus follow a crawl; null options count as absent', async () => {
      const { id, url: address } = await client().startCrawl(url('docs.test', '/blog'), {
        includePaths: null,
        limit: null,
        maxDiscoveryDepth: null,
      });
      assert.equal(address, `${scene.service.url}/v2/crawl/${id}`);
      assert.ok(['scraping', 'completed'].includes((await client().getCrawlStatus(id)).status));
      const { documents, end } = await watch(id, 'crawl');
      assert.deepEqual(end, { status: 'completed', total: docsPaths.blog.length, completed: docsPaths.blog.length });
      assert.equal(documents, docsPaths.blog.length);
    });

    test('cancelCrawl ends a crawl that getActiveCrawls lists', async () => {
      const { id } = await client().startCrawl(stalled());
      const active = async () => (await client().getActiveCrawls()).crawls.some((crawl) => crawl.id === id);
      assert.equal(await active(), true);
      assert.equal(await client().cancelCrawl(id), true);
      assert.equal(await active(), false);
      assert.equal((await client().getCrawlStatus(id)).status, 'cancelled');
    });

    test('the watcher of a cancelled crawl is notified', async () => {
      const { id } = await client().startCrawl(stalled());
      let cancelling: Promise<boolean> | undefined;
      const { snapshots, end, documents } = await watch(id, 'crawl', () => {
        cancelling ??= client().cancelCrawl(id);
      });
      assert.equal(await cancelling, true);
      assert.deepEqual([snapshots, end.status, documents], [['scraping', 'cancelled'], 'cancelled', 0]);
    });

    fullTest('the watcher of a crawl gets every document one by one, and all of them at the end', async () => {
      const { id } = await client().startCrawl(url('shop.test'), {
        limit: 130,
        scrapeOptions: { formats: ['links'] },
      });
      const { documents, end, data } = await watch(id, 'crawl');
      assert.deepEqual(end, { status: 'completed', total: 130, completed: 130 });
      assert.equal(documents, 130);
      assert.equal(new Set(data.map(({ metadata }) => metadata?.scrapeId)).size, 130);
    });

    fullTest('getCrawlErrors lists failed pages and those forbidden by robots.txt', async () => {
      const job = await client().crawl(url('docs.test'), { limit: 1000, pollInterval: 1 });
      const { errors, robotsBlocked } = await client().getCrawlErrors(job.id);
      assert.deepEqual(
        errors.map((error) => [error.url, error.code]),
        [[url('docs.test', '/away'), 'CRAWL_DENIAL']],
      );
      assert.ok(robotsBlocked.includes(url('docs.test', '/private/plans')));
    });

    fullTest('batchScrape waits for the end and returns all pages', async () => {
      const job = await client().batchScrape(articles(4), { options: { formats: ['links'] }, pollInterval: 1 });
      assert.deepEqual([job.status, job.total, job.completed, job.data.length], ['completed', 4, 4, 4]);
      assert.ok(job.data.every(({ links, markdown }) => links && markdown === undefined));
    });

    fullTest('a watcher that connects after the end gets every page of a batch', async () => {
      const urls = Array.from({ length: 105 }, () => url('news.test', '/plain'));
      const job = await client().batchScrape(urls, { options: { formats: ['links'] }, pollInterval: 1 });
      assert.equal(job.data.length, 105);
      const { documents, end, data } = await watch(job.id, 'batch');
      assert.deepEqual([documents, data.length], [105, 105]);
      assert.deepEqual(end, { status: 'completed', total: 105, completed: 105 });
    });

    fullTest('startBatchScrape lists invalid addresses, and accepts an idempotency key once', async () => {
      const idempotencyKey = `once, with ${version}`;
      const start = () =>
        client().startBatchScrape([...articles(1), 'ftp://files.example/'], {
          ignoreInvalidURLs: true,
          idempotencyKey,
        });
      const { id, invalidURLs } = await start();
      assert.deepEqual(invalidURLs, ['ftp://files.example/']);
      await assert.rejects(start(), /Idempotency key already used/);
      const more = await client().startBatchScrape(articles(2), { appendToId: id });
      assert.equal(more.id, id);
      assert.equal((await watch(id, 'batch')).end.total, 3);
      assert.equal((await client().getBatchScrapeStatus(id)).data.length, 3);
    });

    test('cancelBatchScrape and getBatchScrapeErrors work', async () => {
      const { id } = await client().startBatchScrape([stalled()]);
      assert.equal(await client().cancelBatchScrape(id), true);
      const failed = await client().batchScrape([url('flawed.test', '/picture/3')], { pollInterval: 1 });
      assert.deepEqual([failed.status, failed.total, failed.data], ['completed', 0, []]);
      const { errors } = await client().getBatchScrapeErrors(failed.id);
      assert.deepEqual(
        errors.map(({ code }) => code),
        ['SCRAPE_UNSUPPORTED_FILE_ERROR'],
      );
    });

    fullTest('map lists the addresses of a site', async () => {
      // Without a timeout, a busy machine answers with what it has found by then.
      const { links } = await client().map(url('mapped.test'), { timeout: 60_000 });
      const found = links.map((link) => link.url);
      for (const path of ['/', ...sitemapPaths('listed', 3), ...sitemapPaths('linked', 2)]) {
        assert.ok(found.includes(url('mapped.test', path)), path);
      }
    });

    fullTest('errors of the service are thrown with their text', async () => {
      await assert.rejects(
        client().crawlParamsPreview(url('docs.test'), 'Only the blog'),
        /needs a language model: no model is set \(TRAWL_MODEL\)/,
      );
      await assert.rejects(
        client().startCrawl(url('docs.test'), { prompt: 'Only the blog' }),
        /needs a language model: no model is set \(TRAWL_MODEL\)/,
      );
      await assert.rejects(client().startCrawl(url('docs.test'), { includePaths: ['(a'] }), /\(a/);
      await assert.rejects(client().getCrawlStatus('0190a0b0-0000-7000-8000-000000000000'), /Job not found/);
      await assert.rejects(client().startBatchScrape(['ftp://files.example/']), /No valid URLs provided/);
      const { id } = await client().batchScrape(articles(1), { pollInterval: 1 });
      await assert.rejects(client().cancelBatchScrape(id), /already completed/);
    });
  });
}
