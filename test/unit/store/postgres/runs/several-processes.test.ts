// Several processes start and claim runs and checks on one database at once: each is done once, and no limit is exceeded.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { RunClaim } from '../../../../../src/store/ports/runs/run-queue.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { checkOf, sampleMonitor } from '../../../../conformance/monitors.ts';
import { createDatabase, hasPostgres } from '../../../../conformance/open-postgres.ts';
import { sampleRun } from '../../../../conformance/runs.ts';
import { HOUR, MINUTE, START } from '../../../../conformance/samples.ts';

const PROCESSES = 4;

async function openSeveral(t: TestContext): Promise<{ stores: Store[]; first: Store; teamId: string }> {
  const database = await createDatabase(t);
  const stores = await Promise.all(Array.from({ length: PROCESSES }, () => database.open()));
  const first = stores[0]!;
  return { stores, first, teamId: (await first.teams.ensureTeam('default', START)).id };
}

const race = <T>(stores: Store[], times: number, work: (store: Store, at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times * stores.length }, (_, at) => work(stores[at % stores.length]!, at)));

const claimOf = (owner: string, claim: Partial<RunClaim> = {}): RunClaim => ({
  ...{ owner, kind: 'agent', slots: 3, teamSlots: 100, now: START, leaseUntil: START + MINUTE },
  ...claim,
});

const countOf = <T>(all: readonly T[], one: T) => all.filter((each) => each === one).length;

describe('runs of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('no run is claimed twice, and no team gets more than its share', async (t) => {
    const { stores, first } = await openSeveral(t);
    const teams = await Promise.all(['a', 'b', 'c'].map((name) => first.teams.ensureTeam(name, START)));
    await race(stores, 9, (store, at) => store.runs.add(sampleRun(teams[at % 3]!.id)));
    const claims = await race(stores, 3, (store, at) => store.runQueue.claim(claimOf(`owner ${at}`, { teamSlots: 5 })));
    const taken = claims.flatMap(({ runs }) => runs);
    assert.equal(new Set(taken.map(({ id }) => id)).size, taken.length);
    for (const { id } of teams) assert.equal(taken.filter(({ teamId }) => teamId === id).length, 5);
  });

  test('a lease that ended is taken over once, and one that is extended meanwhile is not', async (t) => {
    const { stores, first, teamId } = await openSeveral(t);
    const [dead, alive] = [sampleRun(teamId), sampleRun(teamId)];
    for (const run of [dead, alive]) await first.runs.add(run);
    await first.runQueue.claim(claimOf('old'));
    const now = START + MINUTE;
    const [claims] = await Promise.all([
      race(stores, 2, (store, at) => store.runQueue.claim(claimOf(`new ${at}`, { now, leaseUntil: START + HOUR }))),
      first.runQueue.extend('old', [alive.id], START + HOUR, now),
    ]);
    const taken = claims.flatMap(({ runs }) => runs.map(({ id }) => id));
    assert.equal(countOf(taken, dead.id), 1);
    const kept = await first.runQueue.beginStep('old', alive.id, { key: 'k', name: 'search', input: null }, now);
    assert.equal(countOf(taken, alive.id), kept ? 0 : 1);
    assert.equal(await first.runQueue.end('old', dead.id, { status: 'completed', credits: 1 }, now), false);
  });

  test('limits of unfinished runs, groups and idempotency keys hold', async (t) => {
    const { stores, teamId } = await openSeveral(t);
    const limited = await race(stores, 3, (store) => store.runs.add(sampleRun(teamId, { maxUnfinished: 7 })));
    assert.deepEqual([countOf(limited, 'added'), countOf(limited, 'queue-full')], [7, 5]);
    const keyed = await race(stores, 2, (store) => store.runs.add(sampleRun(teamId, { idempotencyKey: 'once' })));
    assert.deepEqual([countOf(keyed, 'added'), countOf(keyed, 'key-used')], [1, 7]);
    const grouped = await race(stores, 2, (store) => store.runs.add(sampleRun(teamId, { group: 'thread' })));
    assert.equal(countOf(grouped, 'added'), 1);
    assert.equal(grouped.filter((result) => typeof result === 'object').length, 7);
    const monitors = await race(stores, 2, (store) =>
      store.monitors.add(sampleMonitor(teamId, { maxMonitors: 3, nextRunAt: START })),
    );
    assert.deepEqual([countOf(monitors, 'added'), countOf(monitors, 'too-many')], [3, 5]);
  });

  test('a due check starts once; while it is unfinished, the next one is skipped once', async (t) => {
    const { stores, first, teamId } = await openSeveral(t);
    const monitor = sampleMonitor(teamId, { nextRunAt: START });
    await first.monitors.add(monitor);
    const startDue = (scheduledFor: number) =>
      race(stores, 2, (store) => {
        const run = checkOf(monitor, scheduledFor);
        const nextRunAt = scheduledFor + HOUR;
        return store.monitors.startDue({ monitorId: monitor.id, scheduledFor, nextRunAt, run }, scheduledFor);
      });
    assert.deepEqual((await startDue(START)).toSorted(), [...Array(7).fill('moved'), 'started']);
    assert.deepEqual((await startDue(START + HOUR)).toSorted(), [...Array(7).fill('moved'), 'skipped_overlap']);
    const checks = await first.runs.list(teamId, { kind: 'check', group: monitor.id, limit: 10 }, START);
    assert.deepEqual(
      checks.map(({ status, turn }) => [status, turn]),
      [
        ['skipped_overlap', 2],
        ['queued', 1],
      ],
    );
  });

  test('of checks that are due and asked for at the same moment, one starts', async (t) => {
    const { stores, first, teamId } = await openSeveral(t);
    const monitor = sampleMonitor(teamId, { nextRunAt: START });
    await first.monitors.add(monitor);
    const due = { monitorId: monitor.id, scheduledFor: START, nextRunAt: START + HOUR };
    const results = await race(stores, 2, async (store, at) =>
      at % 2 === 0
        ? store.monitors.startNow(checkOf(monitor))
        : store.monitors.startDue({ ...due, run: checkOf(monitor) }, START),
    );
    assert.equal(countOf(results, 'added') + countOf(results, 'started'), 1);
    assert.equal(countOf(results, 'moved'), 3);
    const checks = await first.runs.list(
      teamId,
      { kind: 'check', group: monitor.id, status: 'queued', limit: 10 },
      START,
    );
    assert.equal(checks.length, 1);
  });
});
