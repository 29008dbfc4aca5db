// Webhook delivery with the real store: order, fairness between jobs, retries, restarts and closing.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { createWebhookCall, type WebhookCallDeps } from '../../../../src/jobs/webhooks/webhook-call.ts';
import { createWebhooks, type WebhooksDeps } from '../../../../src/jobs/webhooks/webhooks.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { MINUTE, START } from '../../../conformance/samples.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { readReceived } from '../../../support/web/hooks.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openEgress } from '../../net/local.ts';
import { eventsAt, openWebhookStore, payloadOf, runJob, until } from './webhook-jobs.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

const hook = (path: string) => web.url('hooks.test', path);

interface LogLine {
  level: 'warn' | 'error';
  job?: string;
  attempt?: number;
  reason?: string;
  isGivenUp?: boolean;
}

interface Stage extends Partial<WebhooksDeps> {
  /** Calls wait for this before they are sent. */
  hold?: Promise<void>;
  limitMs?: number;
}

/** Webhooks on that store, with a record of when they called and what they logged. */
function open(t: TestContext, store: Store, clock: TestClock, { hold, limitMs, ...deps }: Stage = {}) {
  const lines: LogLine[] = [];
  const sentAt: number[] = [];
  const real = openEgress(t, { dnsServers: [web.dns.address] });
  const egress: WebhookCallDeps['egress'] = {
    async request(request, signal) {
      sentAt.push(clock.now());
      await hold;
      return real.request(request, signal);
    },
  };
  const write = (level: LogLine['level']) => (line: object) => lines.push({ level, ...line });
  const log = { warn: write('warn'), error: write('error') };
  const webhooks = createWebhooks({
    deliveries: store.deliveries,
    health: store.health,
    searchable: { canFind: async () => true },
    call: createWebhookCall({ egress, limitMs }),
    clock,
    log,
    ...deps,
  });
  t.after(() => webhooks.close());
  return { webhooks, lines, sentAt };
}

const isEmpty = (store: Store) => async () => (await store.deliveries.nextAt()) === undefined;
const isDueAt = (store: Store, time: number) => async () => (await store.deliveries.nextAt()) === time;

test("a job's events arrive in order, each with its own id, without any delay", async (t) => {
  const { store } = await openWebhookStore(t);
  await runJob(store, { id: 'ordered', url: hook('/hook/ordered'), pages: 100 });
  const { webhooks, lines } = open(t, store, createTestClock());
  webhooks.wake();
  // The clock stands still, so anything that waits for a timer would hang.
  await until(isEmpty(store));
  const pages = Array.from({ length: 100 }, (_, number) => `page ${number}`);
  assert.deepEqual(await eventsAt(web, 'ordered'), ['started', ...pages, 'completed']);
  const ids = (await readReceived(web, 'ordered')).map((call) => payloadOf(call).webhookId);
  assert.equal(new Set(ids).size, 102);
  assert.deepEqual(lines, []);
});

test('nothing is sent before the first wake-up, and each later one sends what is new', async (t) => {
  const { store } = await openWebhookStore(t);
  const { webhooks, sentAt } = open(t, store, createTestClock());
  await runJob(store, { id: 'first', url: hook('/hook/woken') });
  await store.deliveries.nextAt();
  assert.deepEqual(sentAt, []);
  webhooks.wake();
  await until(isEmpty(store));
  await runJob(store, { id: 'second', url: hook('/hook/woken') });
  webhooks.wake();
  await until(isEmpty(store));
  assert.deepEqual(await eventsAt(web, 'woken'), ['started', 'completed', 'started', 'completed']);
});

test('a hanging receiver does not delay other jobs', async (t) => {
  const { store } = await openWebhookStore(t);
  await runJob(store, { id: 'stuck', url: hook('/slow/stuck') });
  await runJob(store, { id: 'lively', url: hook('/hook/lively'), pages: 3 });
  const { webhooks } = open(t, store, createTestClock());
  webhooks.wake();
  await until(async () => (await eventsAt(web, 'lively')).length === 5);
  assert.deepEqual(await eventsAt(web, 'stuck'), ['started']);
});

test('at most sixteen calls are in flight, and each that ends makes room for the next', async (t) => {
  const { store } = await openWebhookStore(t);
  for (let number = 1; number <= 17; number += 1) {
    await runJob(store, { id: `job ${number}`, url: hook('/hook/crowd'), events: ['started'] });
  }
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { webhooks, sentAt } = open(t, store, createTestClock(), { hold });
  for (let times = 0; times < 3; times += 1) webhooks.wake();
  await until(() => sentAt.length > 0);
  const atOnce = sentAt.length;
  release();
  await until(isEmpty(store));
  assert.equal(atOnce, 16);
  assert.equal((await eventsAt(web, 'crowd')).length, 17);
});

test('a failed call is retried after 1, 5 and 15 minutes, then given up, and the next event is sent', async (t) => {
  const { store } = await openWebhookStore(t);
  const clock = createTestClock();
  await runJob(store, {
    id: 'unlucky',
    url: hook('/flaky/unlucky/4?token=secret'),
    headers: { Authorization: 'secret' },
  });
  const { webhooks, lines, sentAt } = open(t, store, clock);
  webhooks.wake();
  for (const [attempt, minutes] of [1, 6, 21].entries()) {
    await until(() => lines.length === attempt + 1);
    await until(isDueAt(store, START + minutes * MINUTE));
    clock.set(START + minutes * MINUTE);
  }
  await until(isEmpty(store));
  assert.deepEqual(
    sentAt.map((time) => (time - START) / MINUTE),
    [0, 1, 6, 21, 21],
  );
  const calls = (await readReceived(web, 'unlucky')).map(payloadOf);
  assert.deepEqual(await eventsAt(web, 'unlucky'), ['started', 'started', 'started', 'started', 'completed']);
  assert.equal(new Set(calls.slice(0, 4).map(({ webhookId }) => webhookId)).size, 1);
  const line = { level: 'warn', job: 'unlucky', reason: 'The receiver answered with status 500.' };
  assert.deepEqual(lines, [
    { ...line, attempt: 1, isGivenUp: false },
    { ...line, attempt: 2, isGivenUp: false },
    { ...line, attempt: 3, isGivenUp: false },
    { ...line, attempt: 4, isGivenUp: true },
  ]);
});

test('a failing call holds back later events of its job until it is delivered', async (t) => {
  const { store } = await openWebhookStore(t);
  const clock = createTestClock();
  await runJob(store, { id: 'late', url: hook('/flaky/late/1'), pages: 2 });
  const { webhooks, lines } = open(t, store, clock);
  webhooks.wake();
  await until(() => lines.length === 1);
  clock.set(START + MINUTE);
  await until(isEmpty(store));
  assert.deepEqual(await eventsAt(web, 'late'), ['started', 'started', 'page 0', 'page 1', 'completed']);
});

test('a job is reported as completed once its pages can be found, and until then nothing is sent or counted', async (t) => {
  const { store } = await openWebhookStore(t);
  const clock = createTestClock();
  await runJob(store, { id: 'hidden', url: hook('/hook/hidden') });
  const looks: number[] = [];
  const searchable: WebhooksDeps['searchable'] = {
    async canFind({ id, endedAt }) {
      assert.deepEqual([id, endedAt], ['hidden', START]);
      looks.push(clock.now() - START);
      if (looks.length === 1) throw new Error('the store is gone');
      return looks.length > 2;
    },
  };
  const { webhooks, sentAt } = open(t, store, clock, { searchable });
  webhooks.wake();
  for (const ms of [2_000, 4_000]) {
    await until(isDueAt(store, START + ms));
    clock.set(START + ms);
  }
  await until(isEmpty(store));
  assert.deepEqual(looks, [0, 2_000, 4_000]);
  assert.deepEqual(
    sentAt.map((time) => time - START),
    [0, 4_000],
  );
  const { id: teamId } = await store.teams.ensureTeam('team', START);
  const [completed] = await store.deliveryLog.list({ teamId, limit: 1 });
  assert.deepEqual([completed?.status, completed?.attempts], ['delivered', 1]);
});

test('every event for a private target is given up at once', async (t) => {
  const { store } = await openWebhookStore(t);
  await runJob(store, { id: 'private', url: 'http://10.0.0.1/?token=secret' });
  const { webhooks, lines } = open(t, store, createTestClock());
  webhooks.wake();
  await until(isEmpty(store));
  assert.deepEqual(
    lines.map(({ attempt, isGivenUp }) => ({ attempt, isGivenUp })),
    Array(2).fill({ attempt: 1, isGivenUp: true }),
  );
  assert.doesNotMatch(JSON.stringify(lines), /10\.0\.0\.1|secret/);
});

test('a pending retry survives a restart with its id and its number of attempts', async (t) => {
  const { store, reopen } = await openWebhookStore(t);
  await runJob(store, { id: 'restarted', url: hook('/gone/restarted'), events: ['started'] });
  const before = open(t, store, createTestClock());
  before.webhooks.wake();
  await until(() => before.lines.length === 1);
  await before.webhooks.close();
  const again = await reopen();
  const after = open(t, again, createTestClock(START + 10 * MINUTE));
  after.webhooks.wake();
  await until(() => after.lines.length === 1);
  await until(isDueAt(again, START + 15 * MINUTE));
  assert.equal(after.lines[0]?.attempt, 2);
  const ids = (await readReceived(web, 'restarted')).map((call) => payloadOf(call).webhookId);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
});

test('closing aborts a call, which does not count as a failure and is repeated after the next start', async (t) => {
  const { store, reopen } = await openWebhookStore(t);
  await runJob(store, { id: 'closed', url: hook('/slow/closed'), events: ['started'] });
  const { webhooks, lines } = open(t, store, createTestClock());
  webhooks.wake();
  await until(async () => (await readReceived(web, 'closed')).length === 1);
  await webhooks.close();
  assert.deepEqual(lines, []);
  const again = await reopen();
  const [due] = await again.deliveries.due(START + 5 * MINUTE, 1);
  assert.equal(due?.attempts, 0);
  const [sent = assert.fail()] = await readReceived(web, 'closed');
  assert.equal(due.webhookId, payloadOf(sent).webhookId);
});

test('a wake-up after closing does nothing, and closing before the first wake-up is allowed', async (t) => {
  const { store } = await openWebhookStore(t);
  await runJob(store, { id: 'asleep', url: hook('/hook/asleep') });
  const { webhooks, sentAt } = open(t, store, createTestClock());
  await webhooks.close();
  webhooks.wake();
  await webhooks.close();
  assert.deepEqual([sentAt, await store.deliveries.nextAt()], [[], START]);
});

test('a failing store is retried after a second, and nothing is sent twice', async (t) => {
  const { store } = await openWebhookStore(t);
  const clock = createTestClock();
  await runJob(store, { id: 'patient', url: hook('/hook/patient') });
  const faults = { due: 1, settle: 2, nextAt: 1 };
  const fail = (name: keyof typeof faults) => {
    faults[name] -= 1;
    if (faults[name] >= 0) throw new Error(`${name} failed`);
  };
  let given = 0;
  const deliveries: WebhooksDeps['deliveries'] = {
    async due(...args) {
      fail('due');
      const due = await store.deliveries.due(...args);
      given += due.length;
      return due;
    },
    async settle(...args) {
      fail('settle');
      return store.deliveries.settle(...args);
    },
    postpone: (...args) => store.deliveries.postpone(...args),
    async nextAt() {
      fail('nextAt');
      return store.deliveries.nextAt();
    },
  };
  const { webhooks, lines } = open(t, store, clock, { deliveries });
  webhooks.wake();
  await until(() => lines.length === 1);
  clock.set(START + 1_000);
  await until(() => lines.length === 3);
  // Late enough for the store to hand out the delivery again before its success is recorded.
  clock.set(START + 2 * MINUTE);
  await until(() => lines.length === 4 && given === 2);
  clock.set(START + 2 * MINUTE + 1_000);
  await until(isEmpty(store));
  assert.deepEqual(await eventsAt(web, 'patient'), ['started', 'completed']);
  assert.ok(lines.every(({ level }) => level === 'error'));
});

test('closing waits until a successful delivery is recorded', async (t) => {
  const { store } = await openWebhookStore(t);
  await runJob(store, { id: 'taken', url: hook('/hook/taken'), events: ['started'] });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  let isWritten = false;
  const deliveries: WebhooksDeps['deliveries'] = {
    due: (...args) => store.deliveries.due(...args),
    postpone: (...args) => store.deliveries.postpone(...args),
    nextAt: () => store.deliveries.nextAt(),
    async settle(...args) {
      ask();
      await hold;
      await store.deliveries.settle(...args);
      isWritten = true;
    },
  };
  const { webhooks } = open(t, store, createTestClock(), { deliveries });
  webhooks.wake();
  await asked;
  const closed = webhooks.close();
  release();
  await closed;
  assert.ok(isWritten);
});

test('closing does not wait for a failing store', async (t) => {
  const { store } = await openWebhookStore(t);
  const broken = async () => {
    throw new Error('the store is gone');
  };
  const deliveries = { due: broken, settle: broken, postpone: broken, nextAt: broken };
  const { webhooks, lines } = open(t, store, createTestClock(), { deliveries });
  webhooks.wake();
  await until(() => lines.length === 1);
  await webhooks.close();
  assert.equal(lines.length, 1);
});
