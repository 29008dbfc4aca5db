// Slots of teams: limited by plan and settings, shared by requests and pages of jobs, with a limit for waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../../src/contracts/errors/errors.ts';
import type { TeamSettings } from '../../../../../src/contracts/team/policy.ts';
import type { GateSlot } from '../../../../../src/runtime/gate/gate.ts';
import { openConcurrency } from '../../../../support/concurrency.ts';
import { createSimulatedClock } from '../../../runtime/gate/simulated-clock.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const team = (id: string, settings: TeamSettings = {}) => ({ id, name: id, settings });
const A = team('a');

function open(max: number, settings: Record<string, TeamSettings> = {}) {
  const clock = createSimulatedClock();
  const concurrency = openConcurrency(max, clock, async (id) => team(id, settings[id]));
  const enter = (who = A, ms = 60_000, signal = never) =>
    concurrency.enter(who, { deadline: clock.now() + ms, kind: 'http site.test' }, signal);
  return { clock, concurrency, enter };
}

test('a request that waited says how long, and another team does not wait', async () => {
  const { clock, concurrency, enter } = open(1);
  const first = await enter();
  assert.equal(first.waitedMs, 0);
  const second = enter();
  clock.sleep(3_000).then(() => first.leave());
  await clock.run();
  assert.equal((await second).waitedMs, 3_000);
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 0 });
  assert.equal((await enter(team('b'))).waitedMs, 0);
});

test('a full queue is 429, and so is a wait in which too much else is waiting', async () => {
  const full = { code: 'QUEUE_FULL', status: 429, retryAfter: 2 };
  const { enter } = open(1);
  const small = team('small', { maxQueued: 1 });
  await enter(small);
  enter(small).catch(() => {});
  await assert.rejects(enter(small), full);
  const none = team('none', { maxQueued: 0 });
  await enter(none);
  await assert.rejects(enter(none), full);

  const busy = open(1);
  const known = await busy.enter();
  busy.clock.sleep(10_000).then(() => known.leave());
  await busy.clock.run();
  await busy.enter();
  const [oldest] = [1, 2, 3, 4].map(() => busy.enter(A, 15_000).catch((error: ServiceError) => error));
  const refused = (await oldest) as ServiceError;
  assert.deepEqual([refused.code, refused.status, (refused.retryAfter ?? 0) > 0], ['QUEUE_FULL', 429, true]);
});

test('a request starts within two thirds of its time, or is 429', async () => {
  const { clock, enter } = open(1);
  // Requests of this kind are quick, so it could still be served when most of its time is over.
  (await enter()).leave();
  await enter();
  let ended = 0;
  const waiting = assert.rejects(
    enter(A, 30_000).finally(() => {
      ended = clock.now();
    }),
    { code: 'CONCURRENCY_QUEUE_TIMEOUT', status: 429 },
  );
  await clock.run();
  await waiting;
  assert.equal(ended, 20_000);
});

test('the time of a request that ends in the queue is 429, whoever measures it; a client that leaves is told nothing', async () => {
  const { enter } = open(1);
  await enter();
  const time = new AbortController();
  const waiting = enter(A, 60_000, time.signal);
  time.abort(new ServiceError('SCRAPE_TIMEOUT'));
  await assert.rejects(waiting, { code: 'CONCURRENCY_QUEUE_TIMEOUT', status: 429 });
  const gone = new AbortController();
  const left = enter(A, 60_000, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(left, /^Error: gone$/);
});

test('the plan and the settings of a team decide, but never above the limit of the service', async () => {
  const { concurrency } = open(8);
  const max = (settings: TeamSettings) => concurrency.max(team('a', settings));
  assert.deepEqual(
    [max({}), max({ plan: 'free' }), max({ plan: 'free', maxConcurrency: 3 }), max({ maxConcurrency: 3 })],
    [8, 2, 3, 3],
  );
  assert.deepEqual([max({ plan: 'scale' }), max({ plan: 'free', maxConcurrency: null })], [8, 8]);
});

test('changed settings apply to what waits, and take nothing from what runs', async () => {
  const { concurrency, enter } = open(8);
  const small = team('a', { maxConcurrency: 1 });
  const first = await enter(small);
  const waiting = [enter(small), enter(small)];
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 2 });
  concurrency.apply(team('a', { maxConcurrency: 3 }));
  await Promise.all(waiting);
  assert.deepEqual(concurrency.load('a'), { active: 3, waiting: 0 });
  const next = enter(small);
  assert.deepEqual(concurrency.load('a'), { active: 3, waiting: 1 });
  first.leave();
  (await waiting[0]!).leave();
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 1 });
  (await waiting[1]!).leave();
  await next;
});

test('pages of jobs leave a reserve to requests, which may take every slot', async () => {
  for (const [size, share] of [
    [1, 1],
    [2, 1],
    [5, 4],
    [64, 56],
  ] as const) {
    const { concurrency, enter } = open(size);
    const pages = await concurrency.pages.take('a', 1_000);
    assert.equal(pages.length, share, `of ${size}`);
    assert.equal(concurrency.load('a').active, 0, 'no page is being read yet');
    for (const page of pages) page.begin();
    const requests = Array.from({ length: size - share }, () => enter());
    await Promise.all(requests);
    assert.deepEqual(concurrency.load('a'), { active: size, waiting: 0 });
    assert.deepEqual(await concurrency.pages.take('a', 1), []);
    for (const page of pages) page.leave();
    await Promise.all(Array.from({ length: share }, () => enter()));
    assert.deepEqual([concurrency.load('a').active, (await concurrency.pages.take('a', 1)).length], [size, 0]);
  }
});

test('pages and requests take turns: neither starves the other, even in one slot', async () => {
  const { concurrency, enter } = open(1);
  const order: string[] = [];
  const next = async (name: string, slot: Promise<GateSlot>) => {
    const { leave } = await slot;
    order.push(name);
    await settle();
    leave();
  };
  const first = await enter();
  const requests = [1, 2, 3].map((n) => next(`request ${n}`, enter()));
  const pages = (async () => {
    for (const n of [1, 2, 3]) await next(`page ${n}`, concurrency.pages.wait('a', never));
  })();
  await settle();
  // The worker waits, which is no request.
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 3 });
  first.leave();
  await Promise.all([...requests, pages]);
  assert.deepEqual(order.slice(0, 4), ['page 1', 'request 1', 'page 2', 'request 2']);
});

test('jobs notice within seconds what another process has changed', async () => {
  const settings: Record<string, TeamSettings> = { a: { maxConcurrency: 2 } };
  const { clock, concurrency } = open(64, settings);
  assert.equal((await concurrency.pages.take('a', 10)).length, 1);
  settings.a = { maxConcurrency: 5 };
  assert.equal((await concurrency.pages.take('a', 10)).length, 0);
  clock.sleep(6_000);
  await clock.run();
  assert.equal((await concurrency.pages.take('a', 10)).length, 3);
});
