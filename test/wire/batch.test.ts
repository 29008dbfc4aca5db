// Batch scrape: only the given pages, invalid addresses, and appending pages to an existing batch.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROCESSES } from '../support/engines.ts';
import {
  BATCH,
  CRAWL,
  cancel,
  type JobDocument,
  type JobStatus,
  jobEnd,
  pathsOf,
  read,
  runBatch,
  runCrawl,
  startJob,
} from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService();

const articles = (...numbers: number[]) => numbers.map((number) => scene.web.url('load.test', `/article/${number}`));
const stalled = () => scene.web.url('fault.test', '/stalled-headers');

test('a batch returns each page in the requested formats', async () => {
  const { status, documents, problems } = await runBatch(scene.service, {
    urls: articles(1, 2, 3),
    formats: ['links', { type: 'markdown' }],
    onlyMainContent: false,
  });
  assert.deepEqual([status.success, status.status, status.total, status.completed], [true, 'completed', 3, 3]);
  assert.equal(status.creditsUsed, 3);
  assert.ok(status.createdAt && status.completedAt && status.expiresAt && status.duration !== undefined);
  assert.deepEqual(pathsOf(documents), ['/article/1', '/article/2', '/article/3']);
  for (const document of documents) {
    assert.deepEqual(Object.keys(document).sort(), ['links', 'markdown', 'metadata']);
    const { body } = await read<{ data: JobDocument }>(scene.service, `/v2/scrape/${document.metadata.scrapeId}`);
    assert.deepEqual(body.data, document);
  }
  assert.deepEqual(problems, { success: true, errors: [], robotsBlocked: [] });
});

test('links on its pages are not followed', async () => {
  const { documents } = await runBatch(scene.service, { urls: [scene.web.url('docs.test', '/blog')] });
  assert.equal(documents.length, 1);
});

test('an address that is given twice gives two results', async () => {
  const { status, documents } = await runBatch(scene.service, { urls: articles(4, 5, 4) });
  assert.equal(status.total, 3);
  assert.deepEqual(pathsOf(documents), ['/article/4', '/article/4', '/article/5']);
  assert.equal(new Set(documents.map(({ metadata }) => metadata.scrapeId)).size, 3);
});

test('with a concurrency of one, results come in the order of the urls', async () => {
  const numbers = [19, 11, 17, 13];
  const { documents } = await runBatch(scene.service, { urls: articles(...numbers), maxConcurrency: 1 });
  assert.deepEqual(
    documents.map(({ metadata }) => metadata.sourceURL),
    articles(...numbers),
  );
});

test('pages scraped before come from the cache, unless fresh ones are requested', async () => {
  const urls = articles(21, 22);
  const states = async (options: object) =>
    (await runBatch(scene.service, { urls, ...options })).documents.map(({ metadata }) => metadata.cacheState);
  assert.deepEqual(await states({}), ['miss', 'miss']);
  assert.deepEqual(await states({}), ['hit', 'hit']);
  const asked = scene.web.requests('load.test', '/article/21');
  await states({ maxAge: 0 });
  assert.equal(scene.web.requests('load.test', '/article/21'), asked + 1);
});

test('pages that cannot be read leave the total and are listed as errors', async () => {
  const picture = scene.web.url('flawed.test', '/picture/1');
  const { status, problems } = await runBatch(scene.service, {
    urls: [...articles(6), picture, 'http://no-such-host.invalid/', scene.web.url('challenge.test', '/vendor/403')],
  });
  assert.deepEqual([status.status, status.total, status.completed], ['completed', 1, 1]);
  assert.deepEqual(problems.errors.map(({ url, code }) => [new URL(url).hostname, code]).sort(), [
    ['challenge.test', 'SCRAPE_SITE_ERROR'],
    ['flawed.test', 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
    ['no-such-host.invalid', 'SCRAPE_DNS_RESOLUTION_ERROR'],
  ]);
  assert.match(status.warning!, /3 pages could not be read\. GET \/v2\/batch\/scrape\/.*\/errors/);
});

test('results and errors name each URL as the caller wrote it', async () => {
  const page = scene.web.url('load.test', '/article/8');
  const readable = [
    page,
    page.replace('http', 'HTTP').replace('load.test', 'Load.TEST'),
    `${page}#Part 2`,
    `  ${page} `,
    page.replace('http://', ''),
    page.replace('article', '%61rticle'),
    page.replace('/article', '/x/../article'),
    `${page}?name=Jörg`,
    scene.web.url('docs.test', '/').slice(0, -1),
  ];
  const unreadable = ['http://No-Such-Host.invalid:80', ' https://bücher.invalid:443/ä#x', 'no-such-host.invalid'];
  const { documents, problems } = await runBatch(scene.service, { urls: [...readable, ...unreadable] });
  assert.deepEqual(documents.map(({ metadata }) => metadata.sourceURL).sort(), readable.toSorted());
  assert.deepEqual(problems.errors.map(({ url }) => url).sort(), unreadable.toSorted());
  for (const url of readable) {
    const { body } = await scene.service.scrape<{ data: JobDocument }>({ url });
    assert.equal(body.data.metadata.sourceURL, url);
  }
  for (const url of [` ${page.replace('load', 'LOAD')}#top`, page.replace('http://', '')]) {
    for (const changes of [[], [{ type: 'changeTracking' }]]) {
      const scrapeOptions = { formats: ['markdown', ...changes] };
      const crawl = await runCrawl(scene.service, { url, limit: 1, sitemap: 'skip', scrapeOptions });
      assert.deepEqual(
        crawl.documents.map(({ metadata }) => metadata.sourceURL),
        [url],
      );
    }
  }
});

describe('invalid addresses', () => {
  const invalid = ['', 'ftp://files.example/x', 'http://', 'http://10.0.0.1/'];

  test('are left out and listed', async () => {
    const { status, body } = await scene.service.post<{ id: string; invalidURLs: string[] }>(BATCH, {
      urls: [invalid[0], ...articles(7), ...invalid.slice(1)],
    });
    assert.equal(status, 200);
    assert.deepEqual(body.invalidURLs, invalid);
    assert.equal((await jobEnd(scene.service, `${BATCH}/${body.id}`)).completed, 1);
  });

  test('the list is empty if all are valid, and absent with ignoreInvalidURLs false', async () => {
    const lenient = await scene.service.post(BATCH, { urls: articles(7) });
    assert.deepEqual(Object.keys(lenient.body).sort(), ['id', 'invalidURLs', 'success', 'url']);
    assert.deepEqual(lenient.body.invalidURLs, []);
    // Any process may have answered, and names the address at which it was asked.
    assert.equal(new URL(lenient.body.url as string).pathname, `${BATCH}/${lenient.body.id}`);
    if (PROCESSES === 1) assert.ok((lenient.body.url as string).startsWith(scene.service.url));
    const strict = await scene.service.post(BATCH, { urls: articles(7), ignoreInvalidURLs: false });
    assert.deepEqual(Object.keys(strict.body).sort(), ['id', 'success', 'url']);
  });

  test('refuse the whole batch with ignoreInvalidURLs false', async () => {
    const urls = [...articles(8), 'ftp://files.example/x'];
    const { status, body } = await scene.service.post(BATCH, { urls, ignoreInvalidURLs: false });
    assert.deepEqual([status, body.success, body.code], [400, false, 'BAD_REQUEST']);
    assert.deepEqual((body.details as { path: unknown }[])[0]!.path, ['urls', 1]);
  });

  test('a batch with nothing else is refused', async () => {
    const { status, body } = await scene.service.post(BATCH, { urls: invalid });
    assert.equal(status, 400);
    assert.deepEqual(body, { success: false, code: 'NO_VALID_URLS', error: 'No valid URLs provided' });
  });
});

describe('appendToId', () => {
  const append = (id: string, ...numbers: number[]) =>
    scene.service.post<{ id: string; error?: string }>(BATCH, { urls: articles(...numbers), appendToId: id });

  test('adds pages to a running batch', async () => {
    const id = await startJob(scene.service, BATCH, { urls: [stalled()], timeout: 6000 });
    const { status, body } = await append(id, 31, 32);
    assert.deepEqual([status, body.id], [200, id]);
    const ended = await jobEnd(scene.service, `${BATCH}/${id}`);
    assert.deepEqual([ended.status, ended.total], ['completed', 2]);
    assert.deepEqual(pathsOf(ended.data), ['/article/31', '/article/32']);
  });

  test('makes a completed batch run again, with new results after the old ones', async () => {
    const { id, documents } = await runBatch(scene.service, { urls: articles(33), formats: ['links'] });
    assert.equal((await append(id, 34, 33)).status, 200);
    const ended = await jobEnd(scene.service, `${BATCH}/${id}`);
    assert.deepEqual([ended.status, ended.total, ended.data.length], ['completed', 3, 3]);
    assert.deepEqual(ended.data[0], documents[0]);
    // The options are those of the batch.
    assert.ok(ended.data.every((document) => document.links && document.markdown === undefined));
  });

  test('does not revive a cancelled batch', async () => {
    const id = await startJob(scene.service, BATCH, { urls: [stalled()] });
    assert.equal((await cancel(scene.service, `${BATCH}/${id}`)).status, 200);
    const { status, body } = await append(id, 35);
    assert.deepEqual([status, body.error], [409, 'The batch is already cancelled. Start a new one.']);
    const { body: after } = await read<JobStatus>(scene.service, `${BATCH}/${id}`);
    assert.deepEqual([after.status, after.data], ['cancelled', []]);
  });

  test('needs the id of an existing batch', async () => {
    const answer = async (id: string) => {
      const { status, body } = await append(id, 36);
      return [status, body.error];
    };
    const unknown = [404, 'Job not found.'];
    assert.deepEqual(await answer('0190a0b0-0000-7000-8000-000000000000'), unknown);
    const crawl = await startJob(scene.service, CRAWL, { url: scene.web.url('news.test', '/plain') });
    assert.deepEqual(await answer(crawl), unknown);
    assert.deepEqual(await answer('mine'), [400, 'Invalid job ID format. Job ID must be a valid UUID.']);
  });
});

test('a batch is cancelled like a crawl', async () => {
  const path = `${BATCH}/${await startJob(scene.service, BATCH, { urls: [stalled(), ...articles(41)] })}`;
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await cancel(scene.service, path);
    assert.deepEqual([status, body], [200, { success: true, status: 'cancelled' }]);
  }
  const { id } = await runBatch(scene.service, { urls: articles(42) });
  const { status, body } = await cancel(scene.service, `${BATCH}/${id}`);
  assert.deepEqual([status, body.error], [409, 'Batch scrape is already completed']);
});
