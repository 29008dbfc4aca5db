// Budgets that several processes spend: none spends the credits of another, and what a dead process held comes back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPageReservations } from '../../../../../src/policy/budgets/page-reservations.ts';
import { createRunReservations } from '../../../../../src/policy/budgets/run-reservations.ts';
import { createSharedBudgets } from '../../../../../src/policy/budgets/shared-budgets.ts';
import type { Limits } from '../../../../../src/policy/plan.ts';
import type { JobView } from '../../../../../src/store/ports/jobs/job-store.ts';
import { DEAD_AFTER_MS } from '../../../../../src/store/ports/process-registry.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { DAY, START, sampleCharge } from '../../../../conformance/samples.ts';
import { openProcesses, type SharedProcess } from './processes.ts';

const shortage = { code: 'INSUFFICIENT_CREDITS', status: 402 };

async function createScene(processes: SharedProcess[], monthlyCredits: number) {
  const scene = { time: START, monthlyCredits };
  const clock = { now: () => scene.time };
  const team = await processes[0]!.store.teams.ensureTeam('team', START);
  const budgets = processes.map(({ limits, processId }) =>
    createSharedBudgets({
      reservations: limits.creditHolds,
      processId,
      plans: { limitsOf: () => ({ monthlyCredits: scene.monthlyCredits }) as Limits },
      clock,
    }),
  );
  const record = (credits: number, key?: string, at = 0) =>
    processes[at]!.store.ledger.add(sampleCharge(team.id, { credits, now: scene.time, ...(key && { key }) }));
  /** Ends are not waited for. */
  const remaining = async (credits: number) => {
    while ((await budgets[0]!.remaining({ team })) !== credits) {}
  };
  return Object.assign(scene, { budgets, team, record, remaining, clock });
}

describe('budgets of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('holds and charges of all processes together never exceed the budget', async (t) => {
    const scene = await createScene(await openProcesses(t, 3), 50);
    const { team, budgets } = scene;
    let charged = 0;
    const work = async (at: number) => {
      const reservation = await budgets[at % 3]!.reserve({ team }, 2);
      // Some cost more than was held, some less.
      const credits = await reservation.settle(1 + (at % 4));
      await scene.record(credits, undefined, at % 3);
      charged += credits;
      reservation.recorded();
    };
    const ends = await Promise.allSettled(Array.from({ length: 45 }, (_, at) => work(at)));
    for (const end of ends) if (end.status === 'rejected') assert.equal(end.reason.code, 'INSUFFICIENT_CREDITS');
    assert.ok(charged <= 50, `${charged}`);
    await scene.remaining(50 - charged);
    if (charged < 50) {
      await (await budgets[1]!.reserve({ team }, 50 - charged)).settle(50 - charged);
      await assert.rejects(budgets[2]!.reserve({ team }, 1), shortage);
    }
  });

  test('the budget of a key counts beside that of its team, in every process', async (t) => {
    const { team, budgets, record } = await createScene(await openProcesses(t, 2), 10);
    const ofKey = { team, key: 'fc-1', limits: { monthlyCredits: 4 } };
    await record(1, 'fc-1');
    await budgets[0]!.reserve(ofKey, 2);
    await assert.rejects(budgets[1]!.reserve(ofKey, 2), {
      ...shortage,
      message: /1 of the 4 that this API key may use/,
    });
    await assert.rejects(budgets[1]!.check({ team }, 8), { ...shortage, message: /7 of the 10 of your team/ });
    await budgets[1]!.check({ team }, 7);
    assert.deepEqual([await budgets[1]!.remaining(ofKey), await budgets[0]!.remaining({ team })], [1, 7]);
  });

  test('a charge counts once, before and after the sweeper has added it to the totals, and only in its month', async (t) => {
    const processes = await openProcesses(t, 2);
    const scene = await createScene(processes, 1_000);
    const { team, budgets } = scene;
    // More than 500, so that entries move into the totals meanwhile.
    await Promise.all(Array.from({ length: 600 }, (_, at) => scene.record(1, at % 2 ? 'fc-1' : undefined)));
    assert.equal(await budgets[1]!.remaining({ team }), 400);
    assert.equal(await budgets[1]!.remaining({ team, key: 'fc-1', limits: { monthlyCredits: 301 } }), 1);
    scene.time = START + 31 * DAY;
    for (const { renew } of processes) await renew(scene.time);
    assert.equal(await budgets[0]!.remaining({ team }), 1_000);
  });

  test('what a dead process held can be used; if it comes back, it is charged as far as credits are left', async (t) => {
    const processes = await openProcesses(t, 2);
    const scene = await createScene(processes, 10);
    const { team, budgets } = scene;
    const lost = await budgets[0]!.reserve({ team }, 8);
    await assert.rejects(budgets[1]!.reserve({ team }, 3), shortage);
    scene.time += DEAD_AFTER_MS;
    await processes[1]!.renew(scene.time);
    const reservation = await budgets[1]!.reserve({ team }, 9);
    await processes[0]!.renew(scene.time);
    assert.equal(await reservation.settle(9), 9);
    assert.equal(await lost.settle(8), 8, 'it was only held up, and its row was still there');
    assert.equal(await budgets[1]!.remaining({ team }), 0);
    await processes[0]!.store.processes.leave(processes[0]!.processId);
    assert.equal(await budgets[1]!.remaining({ team }), 1);
    await assert.rejects(lost.settle(1), { code: 'STORAGE_UNAVAILABLE' });
  });

  test('a job waits for what its pages in other processes may give back, before it stops', async (t) => {
    const processes = await openProcesses(t, 2);
    const { team, budgets } = await createScene(processes, 1);
    const looks: PromiseWithResolvers<void>[] = [];
    const pageReservations = budgets.map((own) =>
      createPageReservations({
        budgets: own,
        payers: { find: async () => ({ team }) },
        runReservations: createRunReservations({ budgets: own, payers: { find: async () => ({ team }) } }),
        security: { record() {} },
        clock: {
          sleep: () => {
            looks.push(Promise.withResolvers());
            return looks.at(-1)!.promise;
          },
        },
      }),
    );
    const job = { id: 'job', teamId: team.id, kind: 'crawl', options: { formats: [], redactPII: false } };
    const { signal } = new AbortController();
    const open = (at: number) => pageReservations[at]!.open(job as unknown as JobView, 'page', signal);
    const first = await open(0);
    const second = open(1);
    while (looks.length === 0) await new Promise(setImmediate);
    first.release();
    while ((await budgets[0]!.remaining({ team })) === 0) {}
    looks[0]!.resolve();
    await (await second).settle(1);
  });
});
