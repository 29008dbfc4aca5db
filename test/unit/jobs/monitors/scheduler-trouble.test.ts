// Schedules while somebody sets the clock of the machine, the disk is full, or monitors are paused and changed: no run is
// lost, and none is doubled. The store is real.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createScheduler, type Scheduler, type SchedulerDeps } from '../../../../src/jobs/monitors/scheduler.ts';
import { nextRunAt } from '../../../../src/monitor/schedule/schedule.ts';
import { type CheckRequest, dueCheck } from '../../../../src/operations/monitor/new-check.ts';
import { createServiceClock, type SavedTime } from '../../../../src/runtime/service-clock.ts';
import { createWorkScope } from '../../../../src/runtime/work-scope.ts';
import { createStoreHealth } from '../../../../src/store/calls/store-health.ts';
import type { StoredMonitor } from '../../../../src/store/ports/runs/monitor-store.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import type { Clock } from '../../../../src/util/clock.ts';
import { addMonitor } from '../../../support/monitors.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2027, 0, 4, 0, 30);
const FIRST = START + 30 * MINUTE;

function begin(t: TestContext, store: Store, clock: Clock, more: Partial<SchedulerDeps> = {}): Scheduler {
  const log = { error: (entry: object) => assert.fail(JSON.stringify(entry)) } as unknown as SchedulerDeps['log'];
  const scheduler = createScheduler({
    ...{
      schedules: store.monitors,
      health: store.health,
      dueRun: dueCheck,
      name: 'monitor',
      scope: createWorkScope(),
      clock,
      log,
    },
    onStarted: () => {},
    ...more,
  });
  t.after(() => scheduler.close());
  scheduler.wake();
  return scheduler;
}

/** Waits for as long as the test runner allows. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}

/** Until everything that is due has begun; then it ends, so that nothing overlaps. */
async function settle(store: Store, now: number): Promise<void> {
  await until(async () => ((await store.monitors.nextAt()) ?? Number.POSITIVE_INFINITY) > now);
  const claim = { owner: 'me', kind: 'check' as const, slots: 100, teamSlots: 100, now, leaseUntil: now + HOUR };
  const { runs } = await store.runQueue.claim(claim);
  for (const { id } of runs) await store.runQueue.end('me', id, { status: 'completed', credits: 0 }, now);
}

/** The times for which checks have begun, oldest first. */
async function slotsOf(store: Store, { id, teamId }: StoredMonitor): Promise<number[]> {
  const checks = await store.runs.list(teamId, { kind: 'check', group: id, limit: 1_000 }, START);
  return checks.map(({ request }) => (request as CheckRequest).scheduledFor!).reverse();
}

const hoursFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index * HOUR);

/** A machine whose wall clock can be set, and the clock of a service on it. */
function createMachine() {
  let [wall, ticks, uptime, boot] = [START, 500, DAY, 'first'];
  const sources = { wall: () => wall, ticks: () => ticks, uptime: () => ({ ms: uptime, boot }) };
  const sleeping = createTestClock(0);
  let saved: SavedTime | undefined;
  let service = createServiceClock(sources);
  return {
    clock: { now: () => service.now(), sleep: sleeping.sleep } satisfies Clock,
    pass(ms: number) {
      wall += ms;
      ticks += ms;
      uptime += ms;
      sleeping.set(sleeping.now() + ms);
    },
    setClock(ms: number) {
      wall += ms;
    },
    stopService() {
      saved = service.save();
    },
    startService() {
      service = createServiceClock(sources, saved);
    },
    reboot() {
      [uptime, boot] = [20_000, 'second'];
    },
  };
}

for (const [name, jump] of [
  ['six hours forward', 6 * HOUR],
  ['six hours back', -6 * HOUR],
  ['two days forward', 2 * DAY],
  ['two days back', -2 * DAY],
] as const) {
  test(`the clock is set ${name}, while the service runs and while it is stopped: each hour has one check`, async (t) => {
    const { store } = await openTemporaryStore(t);
    const machine = createMachine();
    const monitor = await addMonitor(store, START, { nextRunAt: FIRST });
    let scheduler = begin(t, store, machine.clock);
    const hours = async (count: number) => {
      for (let step = 0; step < count * 6; step++) {
        machine.pass(10 * MINUTE);
        await settle(store, machine.clock.now());
      }
    };
    await hours(2);
    machine.setClock(jump);
    await hours(2);
    machine.stopService();
    await scheduler.close();
    machine.setClock(-jump);
    machine.startService();
    scheduler = begin(t, store, machine.clock);
    await hours(2);
    const slots = await slotsOf(store, monitor);
    assert.ok(slots.length >= 5, `${slots.length} checks in six hours`);
    assert.deepEqual(slots, hoursFrom(FIRST, slots.length));
  });
}

test('after a start of the machine with a clock that is ahead, what was missed is one check', async (t) => {
  const { store } = await openTemporaryStore(t);
  const machine = createMachine();
  const monitor = await addMonitor(store, START, { nextRunAt: FIRST });
  machine.stopService();
  machine.reboot();
  machine.setClock(2 * DAY);
  machine.startService();
  begin(t, store, machine.clock);
  await settle(store, machine.clock.now());
  machine.pass(HOUR);
  await settle(store, machine.clock.now());
  assert.deepEqual(await slotsOf(store, monitor), [FIRST, FIRST + 2 * DAY]);
});

test('a full disk delays checks, and none is lost or doubled', async (t) => {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock(START);
  const added = await Promise.all([1, 2, 3].map(() => addMonitor(store, START, { nextRunAt: FIRST })));
  let isFull = true;
  let refused = 0;
  const health = createStoreHealth({
    probe: async () => {
      if (isFull) throw new Error('full');
    },
  });
  t.after(() => health.close());
  const { due, nextAt, startDue } = store.monitors;
  const whileFull: SchedulerDeps['schedules']['startDue'] = async (check, now) => {
    if (!isFull) return startDue(check, now);
    refused++;
    throw health.noteFailure(new ServiceError('STORAGE_UNAVAILABLE'));
  };
  clock.set(FIRST);
  begin(t, store, clock, { schedules: { due, nextAt, startDue: whileFull }, health });
  await until(async () => refused > 0);
  clock.set(FIRST + 10 * MINUTE);
  for (const monitor of added) assert.deepEqual(await slotsOf(store, monitor), []);
  isFull = false;
  await settle(store, clock.now());
  for (const monitor of added) assert.deepEqual(await slotsOf(store, monitor), [FIRST]);
  clock.set(FIRST + HOUR);
  await settle(store, clock.now());
  for (const monitor of added) assert.deepEqual(await slotsOf(store, monitor), [FIRST, FIRST + HOUR]);
});

async function change(store: Store, { id, teamId }: StoredMonitor, now: number, cron: string | undefined) {
  const { version, definition } = (await store.monitors.find(id, teamId, now))!;
  const schedule = cron === undefined ? definition.schedule : { cron, timezone: 'UTC' };
  const done = await store.monitors.update({
    ...{ id, teamId, version, definition: { ...definition, schedule }, now },
    status: cron === undefined ? 'paused' : 'active',
    nextRunAt: cron === undefined ? null : nextRunAt(schedule, now),
  });
  assert.equal(done, 'updated');
}

test('a paused monitor does not run, and a changed one runs at its new times only', async (t) => {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock(START);
  const monitor = await addMonitor(store, START, { nextRunAt: FIRST });
  const other = await addMonitor(store, START, { nextRunAt: FIRST });
  const scheduler = begin(t, store, clock);
  const goTo = async (time: number) => {
    clock.set(time);
    await settle(store, time);
  };
  await goTo(FIRST);
  await change(store, monitor, clock.now(), undefined);
  scheduler.wake();
  await goTo(FIRST + HOUR);
  assert.deepEqual(await slotsOf(store, monitor), [FIRST]);
  await goTo(FIRST + HOUR + 10 * MINUTE);
  await change(store, monitor, clock.now(), '*/15 * * * *');
  scheduler.wake();
  for (const minutes of [75, 90, 105, 120]) await goTo(FIRST + minutes * MINUTE);
  const quarters = [75, 90, 105, 120].map((minutes) => FIRST + minutes * MINUTE);
  assert.deepEqual(await slotsOf(store, monitor), [FIRST, ...quarters]);
  assert.deepEqual(await slotsOf(store, other), hoursFrom(FIRST, 3));
});

test('a monitor that is changed while its check is about to start runs once, at its new time', async (t) => {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock(START);
  const monitor = await addMonitor(store, START, { nextRunAt: FIRST });
  const { due, nextAt, startDue } = store.monitors;
  const outcomes: string[] = [];
  const afterChange: SchedulerDeps['schedules']['startDue'] = async (check, now) => {
    if (outcomes.length === 0) await change(store, monitor, now, '30 * * * *');
    const outcome = await startDue(check, now);
    outcomes.push(outcome);
    return outcome;
  };
  clock.set(FIRST);
  begin(t, store, clock, { schedules: { due, nextAt, startDue: afterChange } });
  await settle(store, FIRST);
  clock.set(FIRST + 30 * MINUTE);
  await settle(store, clock.now());
  assert.deepEqual(await slotsOf(store, monitor), [FIRST + 30 * MINUTE]);
  assert.deepEqual(outcomes, ['moved', 'started']);
});
