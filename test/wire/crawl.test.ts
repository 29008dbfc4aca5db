// A crawl of a whole site: each page once, and what is reported about pages that are not among the results.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullTest, test } from '../support/full-run.ts';
import { CRAWL, type EndedJob, type JobDocument, pathOf, read, runCrawl, startJob, until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { docsPaths } from '../support/web/crawl-docs.ts';

const scene = useService();

let docs: Promise<EndedJob> | undefined;
/** The crawl that many tests use. */
const crawlDocs = () => {
  docs ??= runCrawl(scene.service, { url: scene.web.url('docs.test'), limit: 1000 });
  return docs;
};

/** The address in its simplest form: no index file, no trailing slash, lower case. */
const plainPath = (path: string) => path.toLowerCase().replace(/(?<=.)\/(?:index\.html)?$/, '');

test('a crawl finds every page of a site once, however its links are spelled', async () => {
  const { status, documents } = await crawlDocs();
  const everything = [...docsPaths.docs, ...docsPaths.blog, ...docsPaths.others].sort();
  assert.deepEqual(documents.map(({ metadata }) => plainPath(new URL(metadata.url).pathname)).sort(), everything);
  assert.equal(new Set(documents.map(({ metadata }) => metadata.scrapeId)).size, everything.length);
  assert.equal(status.total, everything.length);
  assert.equal(status.completed, everything.length);
});

test('the status says when the crawl began, ended and expires, and what it cost', async () => {
  const { status } = await crawlDocs();
  assert.deepEqual([status.success, status.status], [true, 'completed']);
  const [created, completed, expires] = [status.createdAt, status.completedAt!, status.expiresAt].map(Date.parse);
  assert.equal(status.duration, (completed! - created!) / 1000);
  assert.equal(expires! - completed!, 24 * 3_600_000);
  assert.equal(status.creditsUsed, status.completed);
});

test('pages with an error status are documents that say so', async () => {
  const { documents } = await crawlDocs();
  const of = (path: string) => documents.find(({ metadata }) => pathOf(metadata.url) === path)!.metadata;
  assert.deepEqual([of('/missing').statusCode, of('/missing').error], [404, 'Not Found']);
  assert.deepEqual([of('/broken').statusCode, of('/broken').error], [500, 'Internal Server Error']);
});

test('a redirect is followed and its target counted once', async () => {
  const { documents } = await crawlDocs();
  const moved = documents.find(({ metadata }) => pathOf(metadata.url) === '/docs/moved')!.metadata;
  assert.equal(pathOf(moved.sourceURL), '/old/moved');
  assert.equal(documents.filter(({ metadata }) => pathOf(metadata.url) === '/docs/settings').length, 1);
});

test('a redirect to another site is an error of that page', async () => {
  const { problems } = await crawlDocs();
  assert.equal(problems.errors.length, 1);
  const [{ id, timestamp, url, code, error } = assert.fail()] = problems.errors;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.ok(Date.parse(timestamp) > 0);
  assert.deepEqual([url, code], [scene.web.url('docs.test', '/away'), 'CRAWL_DENIAL']);
  assert.match(error, /other\.test/);
});

test('pages forbidden by robots.txt are listed and never requested', async () => {
  const { problems, status } = await crawlDocs();
  // The second is a redirect to a forbidden page.
  const blocked = ['/private/plans', '/side-door'].map((path) => scene.web.url('docs.test', path));
  assert.deepEqual(problems.robotsBlocked.sort(), blocked);
  assert.equal(scene.web.requests('docs.test', '/private/plans'), 0);
  assert.match(status.warning!, /robots\.txt forbids 2 pages\b.*\/errors/);
});

test('files that are not pages are never requested', async () => {
  await crawlDocs();
  for (const path of ['/images/plan.png', '/style.css', '/files/archive.zip']) {
    assert.equal(scene.web.requests('docs.test', path), 0, path);
  }
});

test('documents have the formats of scrapeOptions, and can be read one by one', async () => {
  const { documents } = await runCrawl(scene.service, {
    url: scene.web.url('docs.test', '/blog'),
    limit: 3,
    scrapeOptions: { formats: ['links', 'html'], onlyMainContent: false },
  });
  assert.equal(documents.length, 3);
  for (const document of documents) {
    assert.deepEqual(Object.keys(document).sort(), ['html', 'links', 'metadata']);
    const { status, body } = await read<{ data: JobDocument }>(
      scene.service,
      `/v2/scrape/${document.metadata.scrapeId}`,
    );
    assert.equal(status, 200);
    assert.deepEqual(body.data, document);
  }
});

describe('while it runs', () => {
  fullTest('documents keep their position, and new ones come after them', async () => {
    const path = `${CRAWL}/${await startJob(scene.service, CRAWL, { url: scene.web.url('busy.test') })}`;
    let seen: string[] = [];
    const { total } = await until(
      async () => {
        const { body } = await read<EndedJob['status']>(scene.service, `${path}?limit=1000`);
        const now = body.data.map(({ metadata }) => metadata.scrapeId);
        assert.deepEqual(now.slice(0, seen.length), seen);
        assert.ok(body.completed <= body.total);
        // More will come, but an empty page has no next.
        if (body.status === 'scraping') assert.equal(body.next !== undefined, now.length > 0);
        seen = now;
        return body;
      },
      ({ status }) => status !== 'scraping',
    );
    assert.deepEqual([total, seen.length], [61, 61]);
  });

  test('it is listed as active under both names with its pages counted, until it has ended', async () => {
    const url = scene.web.url('fault.test', '/stalled-headers');
    const headers = { Authorization: 'Bearer 4711' };
    const id = await startJob(scene.service, CRAWL, { url, limit: 7, scrapeOptions: { formats: ['links'], headers } });
    const active = async (name: string) =>
      (await read<{ success: true; crawls: Record<string, unknown>[] }>(scene.service, `${CRAWL}/${name}`)).body;
    const listed = (await active('active')).crawls.find((crawl) => crawl.id === id)!;
    assert.deepEqual(Object.keys(listed).sort(), ['created_at', 'id', 'options', 'teamId', 'url']);
    assert.equal(listed.url, url);
    const { limit, sitemap, scrapeOptions } = listed.options as Record<string, unknown>;
    assert.deepEqual([limit, sitemap], [7, 'include']);
    const shown = scrapeOptions as { formats: unknown; headers: unknown };
    assert.deepEqual([shown.formats, shown.headers], [[{ type: 'links' }], { Authorization: '[hidden]' }]);
    assert.ok((await active('ongoing')).crawls.some((crawl) => crawl.id === id));
    await until(
      async () => (await read<{ concurrency: number }>(scene.service, '/v2/concurrency-check')).body.concurrency,
      (pages) => pages === 1,
    );
    // What other processes run is known a moment later.
    const { body: queue } = await until(
      () => read(scene.service, '/v2/team/queue-status'),
      ({ body }) => body.activeJobsInQueue === 1,
    );
    assert.deepEqual([queue.jobsInQueue, queue.waitingJobsInQueue], [1, 0]);

    const ended = await scene.service.fetch(`${CRAWL}/${id}`, { method: 'DELETE' });
    assert.deepEqual(await ended.json(), { success: true, status: 'cancelled' });
    assert.ok(!(await active('active')).crawls.some((crawl) => crawl.id === id));
  });
});

describe('cancelled', () => {
  test('it stays cancelled, keeps its results, and sends no more requests', async () => {
    const { service, web } = scene;
    const path = `${CRAWL}/${await startJob(service, CRAWL, { url: web.url('single.test'), delay: 1 })}`;
    await until(
      async () => (await read<EndedJob['status']>(service, path)).body.completed,
      (completed) => completed > 0,
    );
    const cancel = async () => {
      const response = await service.fetch(path, { method: 'DELETE' });
      return [response.status, await response.json()];
    };
    assert.deepEqual(await cancel(), [200, { success: true, status: 'cancelled' }]);
    assert.deepEqual(await cancel(), [200, { success: true, status: 'cancelled' }]);
    const { body } = await read<EndedJob['status']>(service, path);
    assert.deepEqual([body.success, body.status], [true, 'cancelled']);
    assert.ok(body.completedAt);
    assert.equal(body.data.length, body.completed);
    assert.ok(body.data.length >= 1 && body.data.length < 7);
    assert.equal(body.next, undefined);
    // Requests already under way may still arrive; the next page would come within the delay.
    let asked: number;
    do {
      asked = web.requests('single.test');
      await sleep(1_500);
    } while (web.requests('single.test') !== asked);
    const pages = Array.from({ length: 6 }, (_, index) => web.requests('single.test', `/${index + 1}`));
    assert.ok(pages.includes(0), `${pages} requests`);
  });

  test('a crawl that has ended cannot be cancelled', async () => {
    const { id } = await crawlDocs();
    const response = await scene.service.fetch(`${CRAWL}/${id}`, { method: 'DELETE' });
    assert.equal(response.status, 409);
    assert.deepEqual(await response.json(), {
      success: false,
      code: 'JOB_FINISHED',
      error: 'Crawl is already completed',
    });
  });
});
