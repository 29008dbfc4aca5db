// How long jobs and their results can be read: a day, or an hour with zero data retention, on a clock set by the test.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { JobListResponse } from '../../src/contracts/crawl/job-list.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { findInFolder } from '../support/found-bytes.ts';
import { BATCH, CRAWL, cancel, type EndedJob, read, runBatch, runCrawl, startJob } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { page, reply } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let web: Web;
let service: ClockedService;

before(async () => {
  const links = '<p>A page about a narwhal.</p><a href="/second">The second narwhal</a>';
  web = await startWeb({
    'secret.test': { '/': reply(page('Narwhal', links)), '/second': reply(page('Narwhal two')) },
  });
  service = await startClockedService(web);
});
after(async () => {
  await service?.remove();
  await web?.stop();
});

/** Implements what the job helpers need of a running service. */
const client = {
  fetch: (path: string, init?: RequestInit) => fetch(new URL(path, service.url), init),
  async post(path: string, body: unknown) {
    const headers = { 'content-type': 'application/json' };
    const response = await this.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  },
} as RunningService;

/** Whether the job, its errors and its first document can be read. */
async function readable(path: string, { id, documents }: EndedJob): Promise<boolean[]> {
  const addresses = [`${path}/${id}`, `${path}/${id}/errors`, `/v2/scrape/${documents[0]!.metadata.scrapeId}`];
  const answers = await Promise.all(addresses.map((address) => read(client, address)));
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body.error], [404, 'Job not found.']);
  }
  return answers.map(({ status }) => status === 200);
}

test('a job and its documents can be read for 24 hours after its end', async () => {
  const [crawl, batch] = await Promise.all([
    runCrawl(client, { url: web.url('docs.test', '/list') }),
    runBatch(client, { urls: [web.url('news.test', '/article/1')] }),
  ]);
  service.turnAhead(24 * HOUR - MINUTE);
  assert.deepEqual(await readable(CRAWL, crawl), [true, true, true]);
  assert.deepEqual(await readable(BATCH, batch), [true, true, true]);
  service.turnAhead(2 * MINUTE);
  assert.deepEqual(await readable(CRAWL, crawl), [false, false, false]);
  assert.deepEqual(await readable(BATCH, batch), [false, false, false]);
  assert.equal((await cancel(client, `${CRAWL}/${crawl.id}`)).status, 404);
});

test('a request can say how long its results are kept, and the list says what they take', async () => {
  const urls = [web.url('news.test', '/article/1')];
  const week = await runBatch(client, { urls, retention: '7d' });
  const hour = await runBatch(client, { urls, retention: '1h' });
  const ended = Date.parse(week.status.completedAt!);
  assert.equal(Date.parse(week.status.expiresAt) - ended, 7 * 24 * HOUR);
  const { data, stored } = (await read<JobListResponse>(client, '/v2/jobs?kind=batch')).body;
  const sizes = [week, hour].map(({ id }) => data.find((job) => job.id === id)!.storedBytes!);
  assert.ok(
    sizes.every((size) => size > 100 && size < 100_000),
    String(sizes),
  );
  assert.ok(stored!.jobs >= 2 && stored!.bytes >= sizes[0]! + sizes[1]!);
  service.turnAhead(HOUR + MINUTE);
  assert.deepEqual(await readable(BATCH, hour), [false, false, false]);
  assert.ok((await client.fetch(`${BATCH}/${week.id}/export?format=csv`)).ok);
  service.turnAhead(6 * 24 * HOUR);
  assert.deepEqual(await readable(BATCH, week), [true, true, true]);
  const refusal = async (body: object) => {
    const answer = await client.post(BATCH, { urls, ...body });
    return [answer.status, (answer.body as { error: string }).error];
  };
  assert.deepEqual(await refusal({ retention: '31d' }), [
    400,
    '`retention` may be at most 30d on this server (TRAWL_MAX_RETENTION). Ask for less.',
  ]);
  assert.match(String(await refusal({ retention: '7d', zeroDataRetention: true })), /Leave `retention` out/);
  for (const retention of ['0d', '7', 'forever', '1w', 7, '99999d', '']) {
    assert.match(String(await refusal({ retention })), /^400,/);
  }
});

test('a batch with appended pages can be read for 24 hours after its second end', async () => {
  const batch = await runBatch(client, { urls: [web.url('news.test', '/article/1')] });
  service.turnAhead(23 * HOUR);
  await runBatch(client, { urls: [web.url('news.test', '/article/2')], appendToId: batch.id });
  service.turnAhead(23 * HOUR);
  const { status, body } = await read<{ data: unknown[] }>(client, `${BATCH}/${batch.id}`);
  assert.deepEqual([status, body.data.length], [200, 2]);
});

test('a running job does not expire', async () => {
  const id = await startJob(client, CRAWL, { url: web.url('fault.test', '/stalled-headers') });
  service.turnAhead(48 * HOUR);
  assert.equal((await read(client, `${CRAWL}/${id}`)).body.status, 'scraping');
  await cancel(client, `${CRAWL}/${id}`);
});

describe('zero data retention', () => {
  const request = () => ({ url: web.url('docs.test', '/blog'), limit: 3, zeroDataRetention: true });

  test('a job can be read for an hour after its end, its documents only as part of it', async () => {
    const crawl = await runCrawl(client, request());
    assert.equal(crawl.documents.length, 3);
    assert.deepEqual(await readable(CRAWL, crawl), [true, true, false]);
    assert.equal(Date.parse(crawl.status.expiresAt) - Date.parse(crawl.status.completedAt!), HOUR);
    // Each page costs one credit more.
    assert.equal(crawl.status.creditsUsed, 6);
    service.turnAhead(HOUR + MINUTE);
    assert.deepEqual(await readable(CRAWL, crawl), [false, false, false]);
  });

  test('none of its pages is in the cache', async () => {
    const url = web.url('load.test', '/article/1');
    await runBatch(client, { urls: [url], zeroDataRetention: true });
    const { status, body } = await client.post('/v2/scrape', { url, lockdown: true });
    assert.deepEqual([status, body.code], [404, 'SCRAPE_LOCKDOWN_CACHE_MISS']);
  });

  test('a job that has been read can be removed at once', async () => {
    const crawl = await runCrawl(client, request());
    const { status, body } = await cancel(client, `${CRAWL}/${crawl.id}`);
    assert.deepEqual([status, body], [200, { success: true, status: 'cancelled' }]);
    assert.deepEqual(await readable(CRAWL, crawl), [false, false, false]);
  });
});

test('after the retention of a job with zero data retention, nothing of it is in any file', async () => {
  const secret = 'open-sesame-4711';
  const headers = { Authorization: `Bearer ${secret}`, Cookie: `session=${secret}` };
  const zero = { zeroDataRetention: true, webhook: { url: web.url('secret.test', '/hook'), headers } };
  await runCrawl(client, { url: web.url('secret.test', '/'), ...zero, scrapeOptions: { headers, maxAge: 0 } });
  await runBatch(client, { urls: [web.url('secret.test', '/second')], ...zero, headers });
  assert.deepEqual(findInFolder(service.dataDir, [secret]), [], 'headers are never stored in clear');
  assert.notDeepEqual(findInFolder(service.dataDir, ['secret.test', 'narwhal']), [], 'the job is stored for now');
  const store = await openSqliteStore({ dataDir: service.dataDir, cacheMaxBytes: 1e9, lock: false });
  await store.pages.sweep(service.now() + HOUR + MINUTE);
  assert.deepEqual(findInFolder(service.dataDir, ['secret.test', 'narwhal', secret]), []);
  await store.close();
});

test('after jobs expire, no row of them is left', async () => {
  await runCrawl(client, { url: web.url('docs.test', '/blog') });
  await service.close();
  const tables = ['jobs', 'job_requests', 'tasks', 'job_patterns', 'deliveries', 'scrapes'];
  const count = () => {
    const database = new DatabaseSync(join(service.dataDir, 'store.db'), { readOnly: true });
    const rows = tables.map((table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n));
    database.close();
    return rows;
  };
  assert.ok(count()[0]! > 0 && count()[2]! > 0 && count()[5]! > 0);
  const store = await openSqliteStore({ dataDir: service.dataDir, cacheMaxBytes: 1e9, onCrash: assert.fail });
  await store.pages.sweep(service.now() + 25 * HOUR);
  await store.close();
  assert.deepEqual(
    count(),
    tables.map(() => 0),
  );
});
