// A team whose plan allows two at once: what waits, what is refused, and how pages of jobs share the slots with requests.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BATCH, CRAWL, cancel, jobEnd, read, startJob, until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { asTeam } from '../support/teams.ts';
import { useService } from '../support/use-service.ts';
import { readStats } from '../support/web/crawl-busy.ts';

const scene = useService({
  TRAWL_PLANS: JSON.stringify({ two: { maxConcurrency: 2, maxQueued: 1 } }),
  TRAWL_TEAM_PLAN: 'two',
});

interface Load {
  concurrency: number;
  maxConcurrency: number;
}
const load = async (service: RunningService) => (await read<Load>(service, '/v2/concurrency-check')).body;
const reaches = (service: RunningService, active: number) =>
  until(
    () => load(service),
    ({ concurrency }) => concurrency === active,
  );

/** Scrapes of a page that never answers; each holds a slot until the returned function ends it, or the test. */
async function hold(t: TestContext, service: RunningService, count: number): Promise<() => void> {
  const holding = new AbortController();
  t.after(() => holding.abort());
  for (let n = 0; n < count; n += 1) {
    const body = JSON.stringify({ url: scene.web.url('fault.test', `/stalled-headers?n=${n}`), timeout: 300_000 });
    const headers = { 'content-type': 'application/json' };
    service.fetch('/v2/scrape', { method: 'POST', headers, body, signal: holding.signal }).catch(() => {});
  }
  await reaches(service, count);
  return () => holding.abort();
}

const waiting = (service: RunningService, count: number) =>
  until(
    async () => (await read<{ waitingJobsInQueue: number }>(service, '/v2/team/queue-status')).body,
    ({ waitingJobsInQueue }) => waitingJobsInQueue === count,
  );

interface Scraped {
  data: { metadata: { concurrencyLimited: boolean; concurrencyQueueDurationMs?: number } };
}

test('the third request waits and says so, the next finds the queue full', async (t) => {
  const team = await asTeam(scene.service, 'waits');
  const url = scene.web.url('news.test', '/article/1');
  const free = (await team.post<Scraped>('/v2/scrape', { url })).body.data.metadata;
  assert.deepEqual([free.concurrencyLimited, 'concurrencyQueueDurationMs' in free], [false, false]);

  const release = await hold(t, team, 2);
  const third = team.post<Scraped>('/v2/scrape', { url, timeout: 300_000 });
  const status = await waiting(team, 1);
  assert.deepEqual(status, {
    success: true,
    jobsInQueue: 3,
    activeJobsInQueue: 2,
    waitingJobsInQueue: 1,
    maxConcurrency: 2,
    mostRecentSuccess: (status as { mostRecentSuccess?: string }).mostRecentSuccess,
  });
  const fourth = await team.scrape({ url });
  assert.deepEqual(
    [fourth.status, fourth.body],
    [
      429,
      {
        success: false,
        code: 'QUEUE_FULL',
        error:
          'Too many requests are already waiting: this one could not be served in time. Retry after the seconds in `Retry-After`, send fewer requests at once, or raise `timeout`.',
      },
    ],
  );
  assert.match(fourth.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  release();
  const { metadata } = (await third).body.data;
  assert.equal(metadata.concurrencyLimited, true);
  assert.ok(Number.isInteger(metadata.concurrencyQueueDurationMs) && metadata.concurrencyQueueDurationMs! > 0);
});

test('a request whose time ends in the queue is 408, for every operation', async (t) => {
  const team = await asTeam(scene.service, 'late');
  await hold(t, team, 2);
  const url = scene.web.url('news.test', '/article/2');
  const calls: [path: string, body: object][] = [
    ['/v2/scrape', { url }],
    ['/v2/map', { url }],
    ['/v2/search', { query: 'harbour' }],
  ];
  for (const [path, body] of calls) {
    const answer = await team.post<object>(path, { ...body, timeout: 1_000 });
    assert.deepEqual(
      [answer.status, answer.body],
      [
        429,
        {
          success: false,
          code: 'CONCURRENCY_QUEUE_TIMEOUT',
          error:
            'The request waited for a free slot of your team until it could no longer be served within its `timeout`. Retry after the seconds in `Retry-After`, send fewer requests at once, or raise `timeout`.',
        },
      ],
      path,
    );
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, path);
  }
});

test('a job of slow pages leaves a slot to requests, and requests leave their turn to a job', async (t) => {
  const team = await asTeam(scene.service, 'shares');
  const stalled = [1, 2, 3].map((n) => scene.web.url('fault.test', `/stalled-headers?batch=${n}`));
  const slow = await startJob(team, BATCH, { urls: stalled, timeout: 300_000 });
  await reaches(team, 1);
  const direct = await team.scrape({ url: scene.web.url('news.test', '/article/3') });
  assert.equal(direct.status, 200, JSON.stringify(direct.body));
  assert.deepEqual(await load(team), { success: true, concurrency: 1, maxConcurrency: 2 });
  await cancel(team, `${BATCH}/${slow}`);
  await reaches(team, 0);

  await hold(t, team, 1);
  const urls = [1, 2, 3, 4].map((n) => scene.web.url('single.test', `/${n}`));
  const job = await startJob(team, BATCH, { urls });
  const { status, completed } = await jobEnd(team, `${BATCH}/${job}`);
  const { mostAtOnce } = await readStats(scene.web, 'single.test');
  assert.deepEqual([status, completed, mostAtOnce], ['completed', 4, 1]);
});

test('a job waits while requests hold every slot, and goes on when one ends', async (t) => {
  const team = await asTeam(scene.service, 'turns');
  const release = await hold(t, team, 2);
  const job = await startJob(team, BATCH, { urls: [scene.web.url('load.test', '/article/1')] });
  const open = (await read<{ status: string; completed: number }>(team, `${BATCH}/${job}`)).body;
  assert.deepEqual([open.status, open.completed], ['scraping', 0]);
  release();
  assert.equal((await jobEnd(team, `${BATCH}/${job}`)).completed, 1);
});

test('the `maxConcurrency` of a crawl holds in a team without a limit', async () => {
  const { service, web } = scene;
  const asked = { url: web.url('busy.test', '/'), limit: 8, maxConcurrency: 2 };
  const job = await startJob(service, CRAWL, asked);
  assert.equal((await jobEnd(service, `${CRAWL}/${job}`)).completed, 8);
  assert.equal((await readStats(web, 'busy.test')).mostAtOnce, 2);
  assert.equal((await load(service)).maxConcurrency, 64);
});
