// Checks start on time, once each, over restarts and jumps of the clock. The store is real, the clock is the test's.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createScheduler, type SchedulerDeps } from '../../../../src/jobs/monitors/scheduler.ts';
import { type CheckRequest, dueCheck } from '../../../../src/operations/monitor/new-check.ts';
import { createWorkScope } from '../../../../src/runtime/work-scope.ts';
import type { StoredMonitor } from '../../../../src/store/ports/runs/monitor-store.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { addMonitor } from '../../../support/monitors.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2027, 0, 1, 0, 30);

async function open(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-schedule-'));
  const clock = createTestClock(START);
  const logged: object[] = [];
  let store: Store | undefined;
  let scheduler: ReturnType<typeof createScheduler> | undefined;
  let started = 0;
  const close = async () => {
    await scheduler?.close();
    await store?.close();
    scheduler = undefined;
    store = undefined;
  };
  t.after(async () => {
    await close();
    await rm(dataDir, { recursive: true });
  });
  const prepare = async () => {
    await close();
    store = await openSqliteStore({ dataDir, cacheMaxBytes: 1_000_000 });
  };
  return {
    clock,
    logged,
    close,
    /** Opens the folder without a scheduler. */
    prepare,
    started: () => started,
    get store() {
      return store!;
    },
    /** A process that begins on the folder; `wrapped` may replace parts of its store. */
    async begin(more: (store: Store) => Partial<SchedulerDeps> = () => ({})) {
      await prepare();
      const log = { error: (entry: object) => void logged.push(entry) } as SchedulerDeps['log'];
      scheduler = createScheduler({
        ...{
          schedules: store!.monitors,
          health: store!.health,
          dueRun: dueCheck,
          name: 'monitor',
          scope: createWorkScope(),
          clock,
          log,
        },
        onStarted: () => {
          started++;
        },
        ...more(store!),
      });
      scheduler.wake();
      return scheduler;
    },
  };
}

/** For which times the monitor has checks, oldest first, with their states. */
async function checksOf(store: Store, { id, teamId }: StoredMonitor, now: number): Promise<string[]> {
  const checks = await store.runs.list(teamId, { kind: 'check', group: id, limit: 100 }, now);
  return checks
    .map(
      ({ request, status }) =>
        `${new Date((request as CheckRequest).scheduledFor!).toISOString().slice(8, 16)} ${status}`,
    )
    .reverse();
}

/** Waits for a condition of the store, for as long as the test runner allows. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await setImmediate();
}

const endAll = async (store: Store, now: number) => {
  const claim = { owner: 'me', kind: 'check' as const, slots: 1_000, teamSlots: 1_000, now, leaseUntil: now + HOUR };
  const { runs } = await store.runQueue.claim(claim);
  for (const { id } of runs) await store.runQueue.end('me', id, { status: 'completed', credits: 0 }, now);
};

test('a check starts at its time, and the next one an hour later', async (t) => {
  const service = await open(t);
  const scheduler = await service.begin();
  const { store, clock } = service;
  const monitor = await addMonitor(store, START, { nextRunAt: START + 30 * MINUTE });
  scheduler.wake();
  for (const hour of [1, 2, 3]) {
    const time = Date.UTC(2027, 0, 1, hour);
    clock.set(time - 1);
    await setImmediate();
    assert.equal(service.started(), hour - 1);
    await until(() => {
      clock.set(time);
      return service.started() === hour;
    });
    await endAll(store, time);
  }
  assert.deepEqual(await checksOf(store, monitor, clock.now()), [
    '01T01:00 completed',
    '01T02:00 completed',
    '01T03:00 completed',
  ]);
});

test('what was missed while the service was down is one check, and nothing is doubled', async (t) => {
  const service = await open(t);
  await service.prepare();
  const monitor = await addMonitor(service.store, START, { nextRunAt: START + 30 * MINUTE });
  await service.close();
  service.clock.set(START + 49 * HOUR);
  for (let restart = 0; restart < 3; restart++) {
    await service.begin();
    await until(async () => (await service.store.monitors.nextAt())! > service.clock.now());
  }
  assert.deepEqual(await checksOf(service.store, monitor, service.clock.now()), ['01T01:00 queued']);
  assert.equal(await service.store.monitors.nextAt(), Date.UTC(2027, 0, 3, 2));
});

test('killed before, between and after the steps of a start, a check starts once', async (t) => {
  const service = await open(t);
  await service.prepare();
  const monitor = await addMonitor(service.store, START, { nextRunAt: START });
  let reached = 0;
  const killed = () => {
    reached++;
    return new Promise<never>(() => {});
  };
  const moments: ((store: Store) => Partial<SchedulerDeps>)[] = [
    ({ monitors }) => ({ schedules: { ...pick(monitors), due: killed } }),
    ({ monitors }) => ({ schedules: { ...pick(monitors), startDue: killed } }),
    ({ monitors }) => ({
      schedules: {
        ...pick(monitors),
        async startDue(check, now) {
          await monitors.startDue(check, now);
          return killed();
        },
      },
    }),
  ];
  for (const [index, moment] of moments.entries()) {
    // Never closed in order: its calls never return, as those of a process that is gone.
    const store = service.store;
    const log = { error: () => {} } as unknown as SchedulerDeps['log'];
    const dying = createScheduler({
      ...{
        schedules: store.monitors,
        name: 'monitor',
        health: store.health,
        dueRun: dueCheck,
        scope: createWorkScope(),
        clock: service.clock,
        log,
      },
      onStarted: () => assert.fail('it was killed before'),
      ...moment(store),
    });
    dying.wake();
    await until(() => reached === index + 1);
  }
  await service.begin();
  await until(async () => (await service.store.monitors.nextAt())! > service.clock.now());
  assert.deepEqual(await checksOf(service.store, monitor, service.clock.now()), ['01T00:30 queued']);
});

test('a check that is due while another one runs is skipped', async (t) => {
  const service = await open(t);
  const scheduler = await service.begin();
  const monitor = await addMonitor(service.store, START, { nextRunAt: START });
  scheduler.wake();
  await until(() => service.started() === 1);
  await until(async () => {
    service.clock.set(START + 30 * MINUTE);
    return (await checksOf(service.store, monitor, service.clock.now())).length === 2;
  });
  assert.deepEqual(await checksOf(service.store, monitor, service.clock.now()), [
    '01T00:30 queued',
    '01T01:00 skipped_overlap',
  ]);
});

test('hundreds of monitors of several teams that are due at once all start', async (t) => {
  const service = await open(t);
  await service.prepare();
  await Promise.all(
    Array.from({ length: 130 }, (_, index) =>
      addMonitor(service.store, START, { nextRunAt: START, team: `team ${index % 3}` }),
    ),
  );
  await service.begin();
  await until(async () => (await service.store.monitors.due(START, 1)).length === 0);
  assert.equal(
    (
      await service.store.runQueue.claim({
        owner: 'me',
        kind: 'check',
        slots: 500,
        teamSlots: 500,
        now: START,
        leaseUntil: START + HOUR,
      })
    ).runs.length,
    130,
  );
});

test('a monitor that cannot be started holds up no other one, and is tried again', async (t) => {
  const service = await open(t);
  await service.prepare();
  const broken = await addMonitor(service.store, START, { nextRunAt: START - 1 });
  const fine = await addMonitor(service.store, START, { nextRunAt: START });
  let isBroken = true;
  await service.begin(() => ({
    dueRun(monitor, now) {
      if (isBroken && monitor.id === broken.id) throw new Error('it cannot be read');
      return dueCheck(monitor, now);
    },
  }));
  await until(async () => (await checksOf(service.store, fine, START)).length === 1);
  await until(() => service.logged.length === 1);
  isBroken = false;
  await until(async () => {
    service.clock.set(service.clock.now() + MINUTE);
    return (await checksOf(service.store, broken, service.clock.now())).length === 1;
  });
});

const pick = ({ due, nextAt, startDue }: Store['monitors']) => ({ due, nextAt, startDue });
