// How a crawl treats sites: robots.txt, its user agent, parallel pages and delays. The sites record their requests,
// and the tests check these records.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { pathsOf, runBatch, runCrawl } from '../support/jobs.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { useService } from '../support/use-service.ts';
import { type RecordedRequest, readStats } from '../support/web/crawl-busy.ts';

const scene = useService();

const crawl = (host: string, options: object = {}, path = '/') =>
  runCrawl(scene.service, { url: scene.web.url(host, path), ...options });

/** Crawls a site that records its requests, and returns the record. */
async function recordOf(host: string, options: object = {}) {
  const { status, documents } = await crawl(host, options);
  const { mostAtOnce, requests } = await readStats(scene.web, host);
  assert.ok(documents.every(({ metadata }) => metadata.statusCode === 200));
  assert.equal(documents.length, status.total);
  return { pages: documents.length, mostAtOnce, requests };
}

const gaps = (requests: RecordedRequest[]) => requests.slice(1).map(({ from }, index) => from - requests[index]!.to);

describe('pace', { concurrency: true }, () => {
  // How many depends on how fast the host answers, which is not the same on a busy machine.
  fullTest('a host gets several requests at once, at most eight, and one for each page', async () => {
    const { pages, mostAtOnce, requests } = await recordOf('busy.test');
    assert.equal(pages, 61);
    assert.ok(mostAtOnce >= 2 && mostAtOnce <= 8, `${mostAtOnce} at once`);
    assert.equal(new Set(requests.map(({ path }) => path)).size, requests.length);
  });

  fullTest('maxConcurrency 1 means one page after the other', async () => {
    const { pages, mostAtOnce } = await recordOf('single.test', { maxConcurrency: 1 });
    assert.deepEqual([pages, mostAtOnce], [7, 1]);
  });

  test('with a delay, pages are requested one by one and at least that far apart', async () => {
    const { pages, mostAtOnce, requests } = await recordOf('paced.test', { delay: 0.3, maxConcurrency: 5 });
    assert.deepEqual([pages, mostAtOnce], [4, 1]);
    for (const gap of gaps(requests)) assert.ok(gap >= 300, `${gap} ms`);
  });

  fullTest('the Crawl-delay of robots.txt is respected, too', async () => {
    const { pages, mostAtOnce, requests } = await recordOf('patient.test');
    assert.deepEqual([pages, mostAtOnce], [4, 1]);
    // The 1.5 s count between starts on our side, and the first request may have been delayed on its way to the site.
    for (const [index, { from }] of requests.slice(1).entries()) assert.ok(from - requests[index]!.from >= 300);
  });

  test('pages refused temporarily are retried, and the whole site is left alone until then', async () => {
    const { pages, requests } = await recordOf('shy.test');
    assert.equal(pages, 7);
    const byPath = Map.groupBy(requests, ({ path }) => path);
    for (const [path, [first, second, ...more]] of byPath) {
      assert.deepEqual(more, [], path);
      if (first!.status !== 200) assert.equal(second!.status, 200, path);
    }
    const { to: refusedAt } = requests.find(({ status }) => status === 429)!;
    const meanwhile = requests.filter(({ from }) => from > refusedAt && from < refusedAt + 900);
    assert.ok(meanwhile.length <= 2, 'Only requests already under way may arrive within the requested second.');
  });
});

describe('robots.txt', { concurrency: true }, () => {
  const forUs = '/not-for-trawl/page';
  const forOthers = '/private/page';

  test('applies to the start page, by the rules for our user agent', async () => {
    const { status, problems } = await crawl('robots-ok.test', {}, forUs);
    assert.deepEqual([status.status, status.total, status.data], ['completed', 0, []]);
    assert.deepEqual(problems, { success: true, errors: [], robotsBlocked: [scene.web.url('robots-ok.test', forUs)] });
    assert.match(status.warning!, /robots\.txt/);
    const allowed = await crawl('robots-ok.test', {}, forOthers);
    assert.deepEqual(pathsOf(allowed.documents), [forOthers]);
  });

  test('is read for another user agent with robotsUserAgent', async () => {
    const [ours, others] = await Promise.all(
      [forUs, forOthers].map((path) => crawl('robots-ok.test', { robotsUserAgent: 'OtherBot' }, path)),
    );
    assert.deepEqual(pathsOf(ours!.documents), [forUs]);
    assert.deepEqual(others!.problems.robotsBlocked, [scene.web.url('robots-ok.test', forOthers)]);
  });

  test('is not fetched with ignoreRobotsTxt', async () => {
    const { documents, problems } = await crawl('closed.test', { ignoreRobotsTxt: true });
    assert.equal(documents.length, 1);
    assert.deepEqual(problems.robotsBlocked, []);
  });

  test('forbids everything while it fails, and nothing if it does not exist', async () => {
    const [broken, missing] = await Promise.all([crawl('robots-500.test'), crawl('robots-404.test')]);
    assert.deepEqual(
      broken.problems.errors.map(({ url, error }) => [url, error]),
      [
        [
          scene.web.url('robots-500.test'),
          'No page of the site was fetched because its robots.txt could not be read: robots.txt answered with status 500.',
        ],
      ],
    );
    assert.equal(scene.web.requests('robots-500.test', '/'), 0);
    assert.equal(missing.documents.length, 1);
  });

  test('does not apply to a batch, whose caller chose the pages', async () => {
    const { documents } = await runBatch(scene.service, { urls: [scene.web.url('robots-ok.test', forUs)] });
    assert.equal(documents.length, 1);
  });
});

test('crawls identify themselves and name a contact address; batches look like a browser', async (t) => {
  const service = await startServiceHereWith(scene.web, { TRAWL_CONTACT: 'https://harbour.example/crawler' });
  t.after(() => service.stop());
  const agentOf = (markdown: string) => /user-agent":\s*"([^"]*)/.exec(markdown)![1]!;
  const url = scene.web.url('echo.test', '/headers');
  const [crawled, scraped] = await Promise.all([
    runCrawl(service, { url, scrapeOptions: { formats: ['rawHtml', 'markdown'], maxAge: 0 } }),
    runBatch(service, { urls: [url], maxAge: 0 }),
  ]);
  assert.match(
    agentOf(crawled.documents[0]!.markdown!),
    /^Mozilla.* Trawl\/[\d.]+ \(\+https:\/\/harbour\.example\/crawler\)$/,
  );
  assert.doesNotMatch(agentOf(scraped.documents[0]!.markdown!), /trawl/i);
});

test('a crawl in lockdown sends no requests', async () => {
  const { status, problems } = await crawl('news.test', { scrapeOptions: { lockdown: true } });
  assert.deepEqual([status.status, status.total], ['completed', 0]);
  assert.deepEqual(
    problems.errors.map(({ url, code }) => [url, code]),
    [[scene.web.url('news.test'), 'SCRAPE_LOCKDOWN_CACHE_MISS']],
  );
  assert.equal(scene.web.requests('news.test'), 0);
});
