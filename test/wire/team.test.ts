// What a team sees of itself: real numbers, as clients use them to test a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService({ TRAWL_MAX_CONCURRENCY: '2' });

const get = async (path: string) => (await (await scene.service.fetch(path)).json()) as Record<string, unknown>;
const remaining = async () =>
  ((await get('/v2/team/credit-usage')).data as { remainingCredits: number }).remainingCredits;

test('credits go down by what scrapes cost', async () => {
  const before = await remaining();
  await scene.service.scrape({ url: scene.web.url('news.test', '/article/1') });
  assert.equal(await remaining(), before - 1);
  await scene.service.scrape({ url: scene.web.url('news.test', '/article/1'), lockdown: true });
  await scene.service.scrape({ url: scene.web.url('news.test', '/article/2'), lockdown: true });
  assert.equal(await remaining(), before - 1 - 5 - 1);
  await scene.service.scrape({ url: 'http://no-such-host.invalid/' });
  assert.equal(await remaining(), before - 1 - 5 - 1 - 1);
  await scene.service.scrape({ url: scene.web.url('challenge.test', '/vendor/403') });
  await scene.service.scrape({ url: scene.web.url('fault.test', '/reset') });
  assert.equal(await remaining(), before - 1 - 5 - 1 - 1, 'failed scrapes are free');
});

test('the billing period is the current month', async () => {
  const { billingPeriodStart, billingPeriodEnd, planCredits } = (await get('/v2/team/credit-usage')).data as Record<
    string,
    string | number
  >;
  assert.match(String(billingPeriodStart), /-01T00:00:00\.000Z$/);
  assert.match(String(billingPeriodEnd), /-01T00:00:00\.000Z$/);
  assert.equal(planCredits, 99_999_999);
});

test('queue status and concurrency show running and waiting jobs', async () => {
  const idle = await get('/v2/team/queue-status');
  assert.deepEqual(
    [idle.jobsInQueue, idle.activeJobsInQueue, idle.waitingJobsInQueue, idle.maxConcurrency],
    [0, 0, 0, 2],
  );
  const scrape = (path: string) => scene.service.scrape<never>({ url: scene.web.url('fault.test', path) });
  const running = [1, 2].map((n) => scrape(`/slow-headers?ms=3000&n=${n}`));
  while (scene.web.requests('fault.test', '/slow-headers') < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  running.push(scrape('/slow-headers?ms=0'));
  const busy = await until(
    () => get('/v2/team/queue-status'),
    ({ jobsInQueue }) => jobsInQueue === 3,
  );
  assert.deepEqual([busy.activeJobsInQueue, busy.waitingJobsInQueue], [2, 1]);
  assert.deepEqual(await get('/v2/concurrency-check'), { success: true, concurrency: 2, maxConcurrency: 2 });
  const answers = await Promise.all(running);
  const waited = answers
    .map(({ body }) => body as { data: { metadata: Record<string, unknown> } })
    .filter(({ data }) => data.metadata.concurrencyLimited);
  assert.equal(waited.length, 1);
  assert.ok(Number(waited[0]!.data.metadata.concurrencyQueueDurationMs) > 0);
  assert.match((await get('/v2/team/queue-status')).mostRecentSuccess as string, /Z$/);
});
