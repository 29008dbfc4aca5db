import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudgets } from '../../../../src/policy/budgets/memory-budgets.ts';
import { createPageReservations } from '../../../../src/policy/budgets/page-reservations.ts';
import { createPayers } from '../../../../src/policy/budgets/payers.ts';
import { createRunReservations } from '../../../../src/policy/budgets/run-reservations.ts';
import type { Limits } from '../../../../src/policy/plan.ts';
import type { JobView } from '../../../../src/store/ports/jobs/job-store.ts';
import type { KeyRecord } from '../../../../src/store/ports/teams/team-store.ts';
import { systemClock } from '../../../../src/util/clock.ts';

const NOVEMBER = Date.UTC(2026, 10, 16);
const DECEMBER = Date.UTC(2026, 11, 1);

/** Budgets over a ledger in memory. */
function open(monthlyCredits: number | null) {
  const rows: { at: number; key: string | null; credits: number }[] = [];
  let now = NOVEMBER;
  let queries = 0;
  const clock = { now: () => now };
  const budgets = createBudgets({
    ledger: {
      async usage(_team, { from, until }) {
        queries += 1;
        return rows
          .filter(({ at }) => at >= from && at < until)
          .map(({ key, credits }) => ({ start: from, key, credits, tokens: 0 }));
      },
    },
    plans: { limitsOf: () => ({ monthlyCredits }) as Limits },
    clock,
  });
  const team = { id: 'team', name: 'team' };
  return {
    budgets,
    team,
    queries: () => queries,
    record: (credits: number, key: string | null = null) => rows.push({ at: now, key, credits }),
    setTime: (time: number) => {
      now = time;
    },
    runReservations: createRunReservations({ budgets, payers: { find: async () => ({ team }) } }),
  };
}

const shortage = { code: 'INSUFFICIENT_CREDITS', status: 402 };

test('what is held cannot be held again, and comes back when it is released', async () => {
  const { budgets, team } = open(10);
  const reservation = await budgets.reserve({ team }, 7);
  await assert.rejects(budgets.reserve({ team }, 4), shortage);
  assert.equal(await budgets.remaining({ team }), 3);
  reservation.release();
  reservation.release();
  assert.equal(await budgets.remaining({ team }), 10);
});

test('what costs more than was held is charged as far as the budget goes', async () => {
  const { budgets, team, record } = open(10);
  const other = await budgets.reserve({ team }, 4);
  const reservation = await budgets.reserve({ team }, 1);
  assert.equal(await reservation.settle(50), 6);
  record(6);
  reservation.recorded();
  assert.equal(await budgets.remaining({ team }), 0);
  assert.equal(await other.settle(1), 1);
  assert.equal(await budgets.remaining({ team }), 3);
});

test('what was settled and is not recorded yet counts as used', async () => {
  const { budgets, team, record } = open(10);
  const reservation = await budgets.reserve({ team }, 10);
  assert.equal(await reservation.settle(8), 8);
  assert.equal(await budgets.remaining({ team }), 2);
  record(8);
  reservation.recorded();
  reservation.release();
  assert.equal(await budgets.remaining({ team }), 2);
  assert.equal(await reservation.settle(5), 0);
});

test('teams without a budget are not looked up', async () => {
  const { budgets, team, queries } = open(null);
  const reservation = await budgets.reserve({ team, key: 'fc-1', limits: {} }, 1_000_000);
  assert.equal(await reservation.settle(2_000_000), 2_000_000);
  assert.equal(await budgets.remaining({ team }), Infinity);
  assert.equal(queries(), 0);
});

test('the budget of a key counts beside that of its team', async () => {
  const { budgets, team, record } = open(10);
  record(3, 'fc-1');
  record(2, 'fc-2');
  const first = { team, key: 'fc-1', limits: { monthlyCredits: 4 } };
  const second = { team, key: 'fc-2' };
  assert.equal(await budgets.remaining(first), 1);
  assert.equal(await budgets.remaining(second), 5);
  await assert.rejects(budgets.reserve(first, 2), {
    message:
      'Insufficient credits to perform this request. It needs 2 credits; 1 of the 4 that this API key may use in a month are left. Ask the operator of this server for more, or wait until 2026-12-01 (UTC).',
  });
  await budgets.reserve(second, 5);
  await assert.rejects(budgets.reserve(first, 1), {
    message:
      "Insufficient credits to perform this request. It needs 1 credit; 0 of the 10 of your team's month are left. Ask the operator of this server for more, or wait until 2026-12-01 (UTC).",
  });
});

test('a new month begins with the whole budget, less what is still held', async () => {
  const { budgets, team, record, setTime } = open(10);
  record(9);
  const reservation = await budgets.reserve({ team }, 1);
  setTime(DECEMBER - 1);
  assert.equal(await budgets.remaining({ team }), 0);
  setTime(DECEMBER);
  assert.equal(await budgets.remaining({ team }), 9);
  record(await reservation.settle(1));
  reservation.recorded();
  assert.equal(await budgets.remaining({ team }), 9);
});

test('charges that were made without a hold are seen after a minute', async () => {
  const { budgets, team, record, setTime } = open(10);
  assert.equal(await budgets.remaining({ team }), 10);
  record(4);
  setTime(NOVEMBER + 61_000);
  assert.equal(await budgets.remaining({ team }), 6);
});

test('a run keeps what it has cost until it is paid for, and is never charged more than is left', async () => {
  const { budgets, team, runReservations } = open(10);
  const run = await runReservations.open({ id: 'run', teamId: 'team' });
  await run.restart(2);
  await run.reserve(5);
  assert.equal(await budgets.remaining({ team }), 3);
  await run.add(1.5 - 5);
  assert.equal(await budgets.remaining({ team }), 6);
  const page = await runReservations.of('run')!.part(4);
  assert.equal(await page.settle(9), 6);
  page.recorded();
  assert.equal(await budgets.remaining({ team }), 0);
  await assert.rejects(run.reserve(1), shortage);
  assert.equal(await run.settle(12), 10);
  run.recorded();
  assert.equal(runReservations.of('run'), undefined);
});

test('a job that runs out of credits finishes the pages it has begun, stops, and is one security event', async () => {
  const { budgets, team, record, runReservations } = open(2);
  const events: object[] = [];
  const payers = { find: async () => ({ team }) };
  const pageReservations = createPageReservations({
    budgets,
    payers,
    runReservations,
    security: { record: (event) => events.push(event) },
    clock: systemClock,
  });
  const options = { formats: [], redactPII: false };
  const job = { id: 'job', teamId: 'team', key: 'fc-1', kind: 'crawl', options } as unknown as JobView;
  const { signal } = new AbortController();
  const begun = [await pageReservations.open(job, 'page', signal), await pageReservations.open(job, 'page', signal)];
  const late = [pageReservations.open(job, 'page', signal), pageReservations.open(job, 'page', signal)];
  const refused = Promise.all(late.map((page) => assert.rejects(page, shortage)));
  for (const reservation of begun) {
    assert.equal(await reservation.settle(1), 1);
    record(1);
    assert.deepEqual(events, []);
    reservation.recorded();
  }
  await refused;
  await assert.rejects(pageReservations.open(job, 'page', signal), shortage);
  assert.deepEqual(events, [
    {
      ...{ teamId: 'team', action: 'limit.reached', actor: 'fc-1', target: 'crawl' },
      details: { code: 'INSUFFICIENT_CREDITS' },
    },
  ]);
});

test('what a key has started stays within its budget when the key is revoked, and follows its changes until then', async () => {
  let keys = [{ prefix: 'fc-1', limits: { monthlyCredits: 5 } }];
  let now = NOVEMBER;
  const payers = createPayers({
    teams: { find: async (id) => ({ id, name: id }), listKeys: async () => keys as KeyRecord[] },
    clock: { now: () => now },
  });
  const credits = async () => (await payers.find({ teamId: 'team', key: 'fc-1' })).limits?.monthlyCredits;
  assert.equal(await credits(), 5);
  keys = [{ prefix: 'fc-1', limits: { monthlyCredits: 8 } }];
  now += 1_000;
  assert.equal(await credits(), 8);
  keys = [];
  now += 1_000;
  assert.equal(await credits(), 8);
  now += 1_000;
  assert.equal(await credits(), 8);
});
