// Lists of jobs of all kinds, of the pages of a job and of its hosts, and the web archive of a job, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  JobDetailsResponse,
  JobHostsResponse,
  JobListResponse,
  JobPagesResponse,
} from '../../src/contracts/crawl/job-list.ts';
import {
  BATCH,
  CRAWL,
  cancel,
  type EndedJob,
  pathOf,
  read,
  runBatch,
  runCrawl,
  startJob,
  until,
} from '../support/jobs.ts';
import { type JoinedService, joinService, startSharedWeb } from '../support/shared-service.ts';
import { addTeams } from '../support/team-with.ts';
import { readWarc } from '../support/warc.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import type { Web } from '../support/web.ts';

const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';
const SECRET = 'secret-of-the-caller';

const text = (name: string) => `<p>${`The page ${name} has a text that nobody has written before it. `.repeat(8)}</p>`;
const links = ['a', 'b', 'c', 'broken'].map((name) => `<a href="/${name}">${name}</a>`).join(' ');
const site: Site = {
  '/': (exchange) => send(exchange, page('Home', text('home') + links)),
  '/broken': ({ response }) => void response.destroy(),
  '/*': (exchange) => send(exchange, page(`Page ${exchange.tail}`, text(exchange.tail))),
};

const { promise: released, resolve: release } = Promise.withResolvers<void>();
const heldSite: Site = {
  '/*': async (exchange) => {
    await released;
    send(exchange, page('Held', text('held')));
  },
};

let web: Web;
let service: JoinedService;
let crawl: EndedJob;
let batch: EndedJob;
let agentId: string;
let checkId: string;
let monitorId: string;

/** The same call with another key. */
const readAs = async <T>(key: string, path: string) => {
  const response = await service.fetch(path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as T };
};
const list = async (query = '') => (await read<JobListResponse>(service, `/v2/jobs${query}`)).body;

before(async () => {
  web = await startSharedWeb({ 'listed.test': site, 'other.test': site, 'held.test': heldSite });
  service = await joinService(web, {});
  const url = web.url('listed.test');
  const scrapeOptions = { formats: ['markdown', 'rawHtml'], headers: { 'x-token': SECRET } };
  crawl = await runCrawl(service, { url, limit: 10, scrapeOptions, sitemap: 'skip' });
  batch = await runBatch(service, { urls: [web.url('other.test', '/a'), web.url('other.test', '/b')] });
  agentId = await startJob(service, '/v2/agent', { prompt: 'Find the title', urls: [url], maxCredits: 100 });
  await until(async () => (await read<{ status: string }>(service, `/v2/agent/${agentId}`)).body.status, isEnd);
  const { body } = await service.post<{ data: { id: string } }>('/v2/monitor', {
    name: 'Watch the home page',
    schedule: { text: 'daily' },
    targets: [{ type: 'scrape', urls: [url] }],
  });
  monitorId = body.data.id;
  const { body: run } = await service.post<{ id: string }>(`/v2/monitor/${monitorId}/run`, {});
  checkId = run.id;
  const check = `/v2/monitor/${monitorId}/checks/${checkId}`;
  await until(async () => (await read<{ data: { status: string } }>(service, check)).body.data.status, isEnd);
});
after(async () => {
  await service?.stop();
  await web?.stop();
});

const isEnd = (status: string) => !['processing', 'queued', 'running'].includes(status);

describe('GET /v2/jobs', () => {
  test('lists jobs of all kinds, newest first, with what each is about', async () => {
    const { data, cursor } = await list();
    assert.deepEqual(
      data.map(({ id, kind }) => [id, kind]),
      [
        [checkId, 'check'],
        [agentId, 'agent'],
        [batch.id, 'batch'],
        [crawl.id, 'crawl'],
      ],
    );
    assert.equal(cursor, null);
    const [check, agent, batched, crawled] = data;
    assert.deepEqual([check!.target, check!.monitorId], ['Watch the home page', monitorId]);
    assert.equal(agent!.target, 'Find the title');
    assert.match(pathOf(batched!.target!), /^\/[ab]$/);
    assert.deepEqual(
      [crawled!.target, crawled!.status, crawled!.completed, crawled!.total, crawled!.failed, crawled!.limit],
      [web.url('listed.test'), 'completed', 4, 4, 1, 10],
    );
    assert.equal(crawled!.creditsUsed, crawl.status.creditsUsed);
    assert.deepEqual([crawled!.finishedAt, crawled!.expiresAt], [crawl.status.completedAt, crawl.status.expiresAt]);
  });

  test('goes on from page to page, and filters by kind and status', async () => {
    const all = (await list()).data.map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...part.data.map(({ id }) => id));
      cursor = part.cursor;
    }
    assert.deepEqual(paged, all);
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    assert.deepEqual(await ids('?kind=crawl'), [crawl.id]);
    assert.deepEqual(await ids('?kind=crawl&status=failed'), []);
    assert.deepEqual(await ids('?status=active'), []);
    assert.deepEqual(await ids('?kind=check&status=paused'), []);
    assert.ok((await ids('?status=completed')).includes(batch.id));
  });

  test('shows a running job as active, a paused one as paused, and a cancelled one as cancelled', async () => {
    const id = await startJob(service, CRAWL, { url: web.url('held.test'), limit: 100 });
    const path = `${CRAWL}/${id}`;
    const ids = async (status: string) => (await list(`?status=${status}`)).data.map(({ id }) => id);
    assert.deepEqual(await ids('active'), [id]);
    assert.deepEqual(await ids('paused'), []);
    await service.post(`${path}/pause`, {});
    assert.deepEqual(await ids('paused'), [id]);
    const [paused] = (await list('?status=active')).data;
    assert.deepEqual(
      [paused!.status, paused!.paused, paused!.finishedAt, paused!.expiresAt],
      ['running', true, null, null],
    );
    await cancel(service, path);
    release();
    assert.deepEqual(await ids('cancelled'), [id]);
  });

  test('shows a key only the kinds it may use, and a team only its own jobs', async () => {
    const [crawler, watcher, stranger] = (await addTeams(service.dataDir, [
      { name: service.team, limits: { operations: ['crawl'] } },
      { name: service.team, limits: { operations: ['monitor', 'map'] } },
      { name: `strangers of ${service.team}` },
    ])) as [string, string, string];
    const kinds = async (key: string, query = '') => {
      const { body } = await readAs<JobListResponse>(key, `/v2/jobs${query}`);
      return [...new Set(body.data.map(({ kind }) => kind))];
    };
    assert.deepEqual(await kinds(crawler), ['crawl']);
    assert.deepEqual(await kinds(crawler, '?kind=agent'), []);
    assert.deepEqual(await kinds(watcher), ['check']);
    assert.deepEqual(await kinds(stranger), []);
    for (const [key, id] of [
      [stranger, crawl.id],
      [stranger, agentId],
      [watcher, crawl.id],
      [crawler, agentId],
    ] as const) {
      assert.equal((await readAs(key, `/v2/jobs/${id}`)).status, 404);
    }
    assert.equal((await readAs(crawler, `/v2/jobs/${crawl.id}`)).status, 200);
    for (const path of ['pages', 'hosts']) {
      assert.equal((await readAs(stranger, `${CRAWL}/${crawl.id}/${path}`)).status, 404);
      assert.equal((await readAs(watcher, `${CRAWL}/${crawl.id}/${path}`)).status, 403);
    }
  });

  test('refuses what cannot be', async () => {
    const encoded = (cursor: string) => Buffer.from(cursor).toString('base64url');
    const wrong = ['limit=0', 'limit=101', 'kind=scrape', 'status=scraping', `cursor=${encoded('1 2')}`, 'cursor=%00'];
    for (const query of [...wrong, `cursor=${encoded(`${'9'.repeat(20)} ${UNKNOWN}`)}`, `cursor=${'a'.repeat(300)}`]) {
      const { status, body } = await read<{ code: string }>(service, `/v2/jobs?${query}`);
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], query);
    }
    assert.equal((await read(service, '/v2/jobs/nonsense')).status, 400);
    assert.equal((await read(service, `/v2/jobs/${UNKNOWN}`)).status, 404);
    for (const query of ['status=done', 'limit=201', `cursor=${encoded(`1 ${UNKNOWN}`)}`]) {
      assert.equal((await read(service, `${CRAWL}/${crawl.id}/pages?${query}`)).status, 400, query);
    }
    assert.equal((await read(service, `${BATCH}/${crawl.id}/pages`)).status, 404);
    assert.equal((await read(service, `${CRAWL}/${batch.id}/hosts`)).status, 404);
  });
});

describe('GET /v2/jobs/{id}', () => {
  const details = async (id: string) => (await read<JobDetailsResponse>(service, `/v2/jobs/${id}`)).body.data;

  test('says what a job was started with, without defaults and without secrets', async () => {
    const crawled = await details(crawl.id);
    assert.equal(crawled.kind, 'crawl');
    assert.equal(crawled.completed, 4);
    const { url, limit, sitemap, scrapeOptions, ...others } = crawled.request as Record<string, unknown>;
    assert.deepEqual([url, limit, sitemap, others], [web.url('listed.test'), 10, 'skip', {}]);
    const { headers, formats } = scrapeOptions as { headers: object; formats: { type: string }[] };
    assert.deepEqual(headers, { 'x-token': '[hidden]' });
    assert.deepEqual(
      formats.map(({ type }) => type),
      ['markdown', 'rawHtml'],
    );
    assert.equal(crawled.isWhole, false);
    assert.ok(!JSON.stringify(crawled).includes(SECRET));

    const batched = await details(batch.id);
    assert.deepEqual((batched.request!.urls as string[]).map(pathOf), ['/a', '/b']);
    assert.equal(batched.isWhole, true);
    const agent = await details(agentId);
    assert.deepEqual(agent.request, { prompt: 'Find the title', urls: [web.url('listed.test')], maxCredits: 100 });
    const check = await details(checkId);
    assert.deepEqual([check.kind, check.monitorId, check.isWhole], ['check', monitorId, false]);
    assert.equal(check.target, 'Watch the home page');
  });

  test('what it shows can be sent again', async () => {
    const { request } = await details(batch.id);
    const again = await runBatch(service, request!);
    assert.equal(again.status.completed, 2);
  });
});

describe('the pages of a job', () => {
  const pages = async (query = '') =>
    (await read<JobPagesResponse>(service, `${CRAWL}/${crawl.id}/pages${query}`)).body;

  test('are listed without their content, the last first, and their documents can be read by ID', async () => {
    const { data, cursor } = await pages();
    assert.equal(cursor, null);
    assert.deepEqual(data.map(({ url }) => pathOf(url)).sort(), ['/', '/a', '/b', '/broken', '/c']);
    const times = data.map(({ endedAt }) => endedAt);
    assert.deepEqual(times, [...times].sort().reverse());
    const home = data.find(({ url }) => pathOf(url) === '/')!;
    assert.deepEqual([home.status, home.statusCode, home.title, home.creditsUsed], ['ok', 200, 'Home', 1]);
    const { body } = await read<{ data: { metadata: { scrapeId: string; title: string } } }>(
      service,
      `/v2/scrape/${home.scrapeId}`,
    );
    assert.deepEqual([body.data.metadata.scrapeId, body.data.metadata.title], [home.scrapeId, 'Home']);
  });

  test('are filtered by their end, and go on from page to page', async () => {
    const { data: failed } = await pages('?status=failed');
    const { errors } = crawl.problems;
    assert.deepEqual(
      failed.map(({ scrapeId, url, code, error }) => ({ id: scrapeId, url, code, error })),
      errors.map(({ timestamp: _, ...error }) => error),
    );
    assert.equal((await pages('?status=ok')).data.length, 4);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part = await pages(`?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...part.data.map(({ scrapeId }) => scrapeId));
      cursor = part.cursor;
    }
    assert.deepEqual(
      paged,
      (await pages()).data.map(({ scrapeId }) => scrapeId),
    );
  });
});

test('the hosts of a job are counted, with the pace that each allows', async () => {
  // Only the process that has read the pages knows the pace.
  const { body } = await until(
    () => read<JobHostsResponse>(service, `${CRAWL}/${crawl.id}/hosts`),
    ({ body }) => body.data[0]?.averageMs !== null,
  );
  assert.equal(body.hosts, 1);
  assert.deepEqual(body.total, { waiting: 0, running: 0, done: 4, failed: 1, blocked: 0 });
  const [host] = body.data;
  assert.equal(host!.host, new URL(web.url('listed.test')).host);
  assert.ok(host!.slots >= 1);
  assert.deepEqual([host!.crawlDelay, host!.pausedUntil, host!.refusals], [null, null, 0]);
  const { body: ofBatch } = await read<JobHostsResponse>(service, `${BATCH}/${batch.id}/hosts?limit=1`);
  assert.equal(ofBatch.total.done, 2);
});

test('the export as WARC has the HTML, the Markdown and the facts of each page', async () => {
  const response = await service.fetch(`${CRAWL}/${crawl.id}/export?format=warc`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/warc');
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="crawl-${crawl.id}.warc.gz"`);
  const records = await readWarc(new Uint8Array(await response.arrayBuffer()));
  const contents = (type: string) =>
    records.filter(({ headers }) => headers.get('warc-type') === type).map(({ content }) => content.toString());
  assert.deepEqual(
    contents('resource'),
    crawl.documents.map(({ rawHtml }) => rawHtml),
  );
  assert.deepEqual(
    contents('conversion'),
    crawl.documents.map(({ markdown }) => markdown),
  );
  assert.deepEqual(
    contents('metadata').map((json) => JSON.parse(json)),
    crawl.documents.map(({ metadata }) => ({ metadata })),
  );
});
