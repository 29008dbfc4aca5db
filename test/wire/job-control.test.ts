// Jobs that are paused, resumed, extended and retried, over HTTP and as the public clients see them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import { storeSettings } from '../support/engines.ts';
import {
  BATCH,
  CRAWL,
  cancel,
  endedJob,
  type JobDocument,
  type JobProblems,
  type JobStatus,
  jobEnd,
  pathOf,
  read,
  runCrawl,
  startJob,
  until,
} from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import { readReceived } from '../support/web/hooks.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import type { Web } from '../support/web.ts';

const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';

/** A front page and pages that it links to, which can be held back or broken. */
function makeShelf(size: number) {
  const requested: string[] = [];
  const broken = new Set<string>();
  let gate = Promise.resolve();
  const words = (name: string) => `<p>${`Book ${name} of the shelf has a title and many pages. `.repeat(8)}</p>`;
  const links = Array.from({ length: size }, (_, at) => `<a href="/book/${at}">Book ${at}</a>`).join(' ');
  const site: Site = {
    '/': (exchange) => send(exchange, page('Shelf', words('list') + links)),
    '/book/*': async (exchange) => {
      const { tail, response } = exchange;
      requested.push(tail);
      await gate;
      if (broken.has(tail)) response.destroy();
      else send(exchange, page(`Book ${tail}`, words(tail)));
    },
  };
  return {
    site,
    requested,
    broken,
    /** Books wait until the returned function is called. */
    close(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

const shelves = {
  'paused.test': makeShelf(8),
  'watched.test': makeShelf(6),
  'small.test': makeShelf(3),
  'large.test': makeShelf(20),
  'lowered.test': makeShelf(8),
  'broken.test': makeShelf(4),
  'full.test': makeShelf(9),
  'budget.test': makeShelf(7),
};
type Shelf = keyof typeof shelves;

let web: Web;
let service: RunningService;
let ring: Awaited<ReturnType<typeof openKeyRing>>;

before(async () => {
  web = await startSharedWeb(Object.fromEntries(Object.entries(shelves).map(([host, { site }]) => [host, site])));
  service = await joinService(web, {});
  ring = await openKeyRing(readConfig(await storeSettings(service.dataDir)));
});
after(async () => {
  await ring.close();
  await service.stop();
  await web.stop();
});

interface Controlled {
  id: string;
  status: string;
  paused?: true;
  pausedAt?: string;
  total: number;
  completed: number;
  limit?: number;
  retried?: number;
  warning?: string;
  code?: string;
  error?: string;
}

const control = (path: string, key?: string) => call('POST', path, undefined, key);
const setLimit = (id: string, body: unknown) => call('PATCH', `${CRAWL}/${id}`, body);

async function call(method: string, path: string, body?: unknown, key = service.key) {
  const response = await service.fetch(path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Controlled };
}

const statusOf = async (path: string) => (await read<JobStatus & Controlled>(service, path)).body;
const start = (host: Shelf, options: object = {}) =>
  startJob(service, CRAWL, { url: web.url(host), sitemap: 'skip', ...options });
const paths = (documents: readonly JobDocument[]) => documents.map(({ metadata }) => pathOf(metadata.url));
const books = (count: number) => Array.from({ length: count }, (_, at) => `/book/${at}`);

/** Starts a crawl and pauses it while two books are in flight. Returns when these have ended. */
async function startAndPause(host: Shelf, options: object = {}): Promise<string> {
  const open = shelves[host].close();
  const id = await start(host, { maxConcurrency: 2, ...options });
  await until(
    async () => shelves[host].requested.length,
    (count) => count === 2,
  );
  const { status, body } = await control(`${CRAWL}/${id}/pause`);
  assert.equal(status, 200, JSON.stringify(body));
  open();
  await until(
    () => statusOf(`${CRAWL}/${id}`),
    ({ completed }) => completed === 3,
  );
  return id;
}

describe('pause and resume', () => {
  test('pages in flight end, no other page is begun, and a resumed crawl reads the rest once', async () => {
    const { requested } = shelves['paused.test'];
    const id = await startAndPause('paused.test');
    // Another job shows that the worker goes on with those that are not paused.
    await runCrawl(service, { url: web.url('small.test') });
    assert.equal(requested.length, 2);
    const paused = await statusOf(`${CRAWL}/${id}`);
    assert.deepEqual([paused.status, paused.paused, paused.completed, paused.total], ['scraping', true, 3, 9]);
    assert.equal(paused.completedAt, undefined);

    const again = await control(`${CRAWL}/${id}/pause`);
    assert.deepEqual([again.status, again.body.pausedAt], [200, paused.pausedAt], 'pausing is idempotent');
    const { crawls } = (await read<{ crawls: Controlled[] }>(service, `${CRAWL}/active`)).body;
    assert.deepEqual(crawls.find((crawl) => crawl.id === id)?.pausedAt, paused.pausedAt);
    const { body: queue } = await read(service, '/v2/team/queue-status');
    assert.deepEqual([queue.activeJobsInQueue, queue.waitingJobsInQueue], [0, 0]);
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    assert.equal((await client.getCrawlStatus(id)).status, 'scraping', 'the public client goes on waiting');

    const resumed = await control(`${CRAWL}/${id}/resume`);
    assert.deepEqual([resumed.status, resumed.body.paused, resumed.body.status], [200, undefined, 'scraping']);
    const { status, documents } = await endedJob(service, CRAWL, id);
    assert.deepEqual([status.status, status.completed, status.creditsUsed], ['completed', 9, 9]);
    assert.deepEqual(paths(documents).sort(), ['/', ...books(8)].sort());
    assert.equal(requested.length, 8, 'no page was fetched twice');
    assert.deepEqual(paths(documents).slice(0, 3), paths(paused.data), 'documents keep their position');
  });

  test('a watcher is told about the pause and its end', async () => {
    const id = await startAndPause('watched.test');
    const socket = new WebSocket(`${service.url.replace(/^http/, 'ws')}${CRAWL}/${id}`, service.key);
    const seen: { type: string; data: JobStatus & Controlled }[] = [];
    socket.addEventListener('message', ({ data }) => seen.push(JSON.parse(data as string)));
    const closed = once(socket, 'close');
    await until(
      async () => seen.length,
      (count) => count === 1,
    );
    assert.equal(seen[0]!.data.paused, true);
    const open = shelves['watched.test'].close();
    await control(`${CRAWL}/${id}/resume`);
    await until(
      async () => seen.length,
      (count) => count === 2,
    );
    await control(`${CRAWL}/${id}/pause`);
    await until(
      async () => seen.length,
      (count) => count === 3,
    );
    const told = seen.slice(1).map(({ type, data: { status, paused } }) => [type, status, paused]);
    assert.deepEqual(told, [
      ['status', 'scraping', undefined],
      ['status', 'scraping', true],
    ]);
    open();
    await control(`${CRAWL}/${id}/resume`);
    const [{ reason }] = (await closed) as [CloseEvent];
    assert.equal(reason, '{"type":"done"}');
    const sent = seen.flatMap(({ type, data }) => (type === 'document' ? [data as unknown as JobDocument] : []));
    assert.equal(sent.length + seen[0]!.data.data.length, 7);
  });

  test('a paused job can be cancelled, and what has ended cannot be paused', async () => {
    const open = shelves['small.test'].close();
    const urls = books(3).map((path) => web.url('small.test', `${path}?batch`));
    const id = await startJob(service, BATCH, { urls });
    assert.equal((await control(`${BATCH}/${id}/pause`)).body.paused, true);
    assert.equal((await cancel(service, `${BATCH}/${id}`)).status, 200);
    open();
    const { body } = await read<Controlled>(service, `${BATCH}/${id}`);
    assert.deepEqual([body.status, body.paused], ['cancelled', undefined]);
    for (const verb of ['pause', 'resume', 'retry']) {
      const { status, body } = await control(`${BATCH}/${id}/${verb}`);
      assert.deepEqual(
        [status, body.code, body.error],
        [409, 'JOB_FINISHED', 'Batch scrape is already cancelled.'],
        verb,
      );
    }
    const refused: [path: string, status: number, code: string][] = [
      [`${CRAWL}/${id}/pause`, 404, 'JOB_NOT_FOUND'],
      [`${CRAWL}/${UNKNOWN}/resume`, 404, 'JOB_NOT_FOUND'],
      [`${BATCH}/${UNKNOWN}/retry`, 404, 'JOB_NOT_FOUND'],
      [`${CRAWL}/17/pause`, 400, 'INVALID_JOB_ID'],
    ];
    for (const [path, wanted, code] of refused) {
      const { status, body } = await control(path);
      assert.deepEqual([status, body.code], [wanted, code], path);
    }
  });
});

describe('the limit of a crawl', () => {
  test('a crawl that stopped at its limit goes on after it is raised', async () => {
    const first = await runCrawl(service, { url: web.url('large.test'), limit: 5 });
    assert.deepEqual([first.status.completed, first.status.total], [5, 5]);
    const { status, body } = await setLimit(first.id, { limit: 12 });
    assert.deepEqual([status, body.status, body.limit, body.total], [200, 'scraping', 12, 12]);
    const { status: ended, documents } = await endedJob(service, CRAWL, first.id);
    assert.deepEqual([ended.status, ended.completed, ended.creditsUsed], ['completed', 12, 12]);
    assert.deepEqual(paths(documents).slice(0, 5), paths(first.documents));
    assert.equal(new Set(paths(documents)).size, 12);

    const all = await setLimit(first.id, { limit: 1_000 });
    assert.equal(all.body.total, 21);
    assert.equal((await jobEnd(service, `${CRAWL}/${first.id}`)).completed, 21);
    const more = await setLimit(first.id, { limit: 2_000 });
    assert.deepEqual([more.body.status, more.body.limit], ['completed', 2_000], 'there is nothing left to read');
  });

  test('it can be lowered to what is read already, which ends the crawl, and no further', async () => {
    const id = await startAndPause('lowered.test');
    const { status, body } = await setLimit(id, { limit: 2 });
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
    assert.match(body.error!, /already read 3 pages.*at least 3/);
    assert.deepEqual((await setLimit(id, { limit: 5 })).body.total, 5);
    const ended = await setLimit(id, { limit: 3 });
    assert.deepEqual([ended.body.status, ended.body.paused, ended.body.total], ['completed', undefined, 3]);
    for (const wrong of [{}, { limit: 0 }, { limit: 2.5 }, { limit: '9' }, { limit: 1_000_001 }, []]) {
      assert.equal((await setLimit(id, wrong)).status, 400, JSON.stringify(wrong));
    }
    // The pages that were set aside are still there.
    assert.equal((await setLimit(id, { limit: 9 })).body.total, 9);
    assert.equal((await jobEnd(service, `${CRAWL}/${id}`)).completed, 9);
  });
});

describe('retry', () => {
  test('failed pages are read again: their errors go, and webhooks hear of each outcome', async () => {
    const { broken } = shelves['broken.test'];
    broken.add('1').add('3');
    const urls = books(4).map((path) => web.url('broken.test', path));
    const webhook = web.url('hooks.test', '/hook/retried');
    const id = await startJob(service, BATCH, { urls, webhook });
    const first = await endedJob(service, BATCH, id);
    assert.deepEqual([first.status.completed, first.problems.errors.length], [2, 2]);
    assert.match(first.status.warning!, /2 pages could not be read/);

    broken.delete('1');
    assert.equal((await control(`${BATCH}/${id}/retry`)).body.retried, 2);
    const second = await endedJob(service, BATCH, id);
    assert.deepEqual(paths(second.documents).slice(0, 2), paths(first.documents));
    assert.deepEqual([second.status.completed, second.status.creditsUsed], [3, 3]);
    assert.deepEqual(
      second.problems.errors.map(({ url }) => pathOf(url)),
      ['/book/3'],
    );

    broken.clear();
    assert.equal((await control(`${BATCH}/${id}/retry`)).body.retried, 1);
    const third = await endedJob(service, BATCH, id);
    assert.deepEqual([third.documents.length, third.problems.errors, third.status.warning], [4, [], undefined]);
    const idle = await control(`${BATCH}/${id}/retry`);
    assert.deepEqual([idle.status, idle.body.retried, idle.body.status], [200, 0, 'completed']);

    const calls = await until(
      async () =>
        (await readReceived(web, 'retried')).map(({ body }) => JSON.parse(body) as { type: string; success: boolean }),
      (received) => received.filter(({ type }) => type === 'batch_scrape.completed').length === 3,
    );
    const count = (type: string, success: boolean) =>
      calls.filter((made) => made.type === `batch_scrape.${type}` && made.success === success).length;
    assert.deepEqual([count('started', true), count('page', true), count('page', false)], [1, 4, 3]);
  });

  test('a crawl never exceeds its limit', async () => {
    const { broken } = shelves['full.test'];
    broken.add('0').add('1');
    const { id, problems } = await runCrawl(service, { url: web.url('full.test'), sitemap: 'skip', limit: 5 });
    assert.equal(problems.errors.length, 2);
    broken.clear();
    const full = await control(`${CRAWL}/${id}/retry`);
    assert.deepEqual([full.body.retried, full.body.status], [0, 'completed']);
    assert.match(full.body.warning!, /2 failed pages are not tried again .* limit of 5 pages/);
    assert.equal((await read<JobProblems>(service, `${CRAWL}/${id}/errors`)).body.errors.length, 2);
  });

  test('a crawl that ran out of credits goes on when there are more', async () => {
    await ring.setTeam('thrifty', { monthlyCredits: 3, plan: 'unlimited' });
    const { key } = await ring.create('thrifty', {});
    const { body: started } = await call('POST', CRAWL, { url: web.url('budget.test'), sitemap: 'skip' }, key);
    const path = `${CRAWL}/${started.id}`;
    const end = () =>
      until(
        () => call('GET', path, undefined, key),
        ({ body }) => body.status !== 'scraping',
      );
    const { body: failed } = await end();
    assert.deepEqual([failed.status, failed.completed], ['failed', 3]);
    const { status, body: refused } = await control(`${path}/resume`, key);
    assert.deepEqual([status, refused.error], [409, 'Crawl is already failed. Retry it to go on.']);

    await ring.setTeam('thrifty', { monthlyCredits: 100, plan: 'unlimited' });
    // The service reads the budget of a team again after a moment.
    await until(
      async () => {
        await control(`${path}/retry`, key);
        return (await end()).body;
      },
      (body) => body.status === 'completed',
    );
    const { body } = await end();
    assert.deepEqual([body.completed, body.error], [8, undefined]);
    assert.equal(shelves['budget.test'].requested.length, 7, 'no page was fetched twice');
  });
});
