// What a team runs at once is limited over all processes, shared between those that have work, and taken from dead ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createConcurrency } from '../../../../../src/operations/team/concurrency/concurrency.ts';
import { createPermitPool } from '../../../../../src/operations/team/concurrency/permit-pool.ts';
import { createSharedLoad } from '../../../../../src/operations/team/concurrency/team-load.ts';
import type { Limits } from '../../../../../src/policy/plan.ts';
import type { GateSlot } from '../../../../../src/runtime/gate/gate.ts';
import { DEAD_AFTER_MS } from '../../../../../src/store/ports/process-registry.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { START } from '../../../../conformance/samples.ts';
import { createTestClock } from '../../../../support/test-clock.ts';
import { openProcesses, type SharedProcess } from './processes.ts';

const TEAM = { id: 'team', name: 'team' };
const STEP_MS = 100;

function createScene(processes: SharedProcess[], maxConcurrency: number | null) {
  const clock = createTestClock(START);
  const dead = new Set<number>();
  const scene = { maxConcurrency, dead };
  const concurrency = processes.map(({ limits, processId }) =>
    createConcurrency({
      max: 100,
      limitsOf: () => ({ maxConcurrency: scene.maxConcurrency, maxQueued: null }) as Limits,
      findTeam: async () => TEAM,
      permits: createPermitPool({ permits: limits.teamPermits, processId, clock }),
      clock,
    }),
  );
  const loads = processes.map(({ limits, processId }, at) =>
    createSharedLoad({ concurrency: concurrency[at]!, loads: limits.teamLoads, processId, clock }),
  );
  const { signal } = new AbortController();
  /** Lets time pass until it is so, while the processes say that they are alive. */
  const until = async (isSo: () => boolean) => {
    for (let step = 0; !isSo(); step += 1) {
      assert.ok(step < 2_000, 'it takes too long');
      await Promise.all(processes.map(({ renew }, at) => dead.has(at) || renew(clock.now())));
      clock.set(clock.now() + STEP_MS);
    }
  };
  const enter = (at: number, of = signal) =>
    concurrency[at]!.enter(TEAM, { deadline: clock.now() + 3_600_000, kind: 'test' }, of);
  /** Waits for work that needs time to pass. */
  const result = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    await until(() => isDone);
    return work;
  };
  return Object.assign(scene, {
    clock,
    until,
    enter,
    result,
    pages: concurrency.map(({ pages }) => pages),
    loads,
    signal,
  });
}

describe('concurrency of a team in several processes', {
  skip: !hasPostgres && 'It runs with npm run test:cluster',
}, () => {
  test('requests and pages of all processes together never exceed the limit, and all have their turn', async (t) => {
    const scene = createScene(await openProcesses(t, 3), 4);
    const { clock, enter, pages, signal } = scene;
    let [running, most, done] = [0, 0, 0];
    const work = async (slot: Promise<GateSlot>, ms: number) => {
      const held = await slot;
      running += 1;
      most = Math.max(most, running);
      await clock.sleep(ms);
      running -= 1;
      done += 1;
      held.leave();
    };
    const works = Array.from({ length: 45 }, (_, at) => {
      const slot = at % 2 ? enter(at % 3) : pages[at % 3]!.wait(TEAM.id, signal);
      return work(slot, 100 + 50 * (at % 7));
    });
    await scene.until(() => done === works.length);
    await Promise.all(works);
    assert.equal(most, 4, `${most} at once`);
  });

  test('one process may use all permits, and gives others their share as its work ends', async (t) => {
    const scene = createScene(await openProcesses(t, 2), 4);
    const [mine, theirs] = scene.pages;
    // Pages of jobs leave a slot to requests.
    const all = [...(await scene.result(mine!.take(TEAM.id, 10))), await scene.result(scene.enter(0))];
    assert.equal(all.length, 4);
    assert.equal((await scene.result(theirs!.take(TEAM.id, 10))).length, 0);
    const waiting = Promise.all([scene.enter(1), scene.enter(1), scene.enter(1)]);
    const more = scene.enter(0);
    for (const slot of all) slot.leave();
    const [slots, own] = await scene.result(Promise.all([waiting, more]));
    assert.equal((await scene.result(mine!.take(TEAM.id, 10))).length, 0);
    for (const slot of [...slots, own]) slot.leave();
    // They get them as soon as the other process has given them back.
    for (let taken = 0; taken < 3; ) taken += (await scene.result(theirs!.take(TEAM.id, 3 - taken))).length;
  });

  test('a single permit goes from process to process', async (t) => {
    const scene = createScene(await openProcesses(t, 2), 1);
    const order: number[] = [];
    const work = async (at: number) => {
      const slot = await scene.enter(at);
      order.push(at);
      await scene.clock.sleep(300);
      slot.leave();
    };
    // The clock of the test outruns the database, so a process may do several before the other one has asked.
    const works = Promise.all(Array.from({ length: 100 }, (_, n) => work(n % 2)));
    await scene.result(works);
    const first = order.slice(0, 50);
    assert.ok(first.includes(0) && first.includes(1), `${order}`);
  });

  test('permits of a dead process are used by the others', async (t) => {
    const scene = createScene(await openProcesses(t, 2), 2);
    await Promise.all([scene.result(scene.enter(0)), scene.result(scene.enter(0))]);
    const waiting = scene.enter(1);
    const since = scene.clock.now();
    scene.dead.add(0);
    await scene.result(waiting);
    assert.ok(scene.clock.now() - since >= DEAD_AFTER_MS - 2 * STEP_MS, 'not before it is known to be dead');
  });

  test('a caller who leaves takes no permit with them, and teams without a limit need none', async (t) => {
    const scene = createScene(await openProcesses(t, 1), 1);
    const first = await scene.result(scene.enter(0));
    const leaving = new AbortController();
    const second = scene.enter(0, leaving.signal);
    leaving.abort(new Error('gone'));
    await assert.rejects(second, /gone/);
    const third = scene.enter(0);
    first.leave();
    await scene.result(third);
    scene.maxConcurrency = null;
    await Promise.all(Array.from({ length: 20 }, () => scene.enter(0)));
  });

  test('each process tells what all of them run and let wait for a team', async (t) => {
    const scene = createScene(await openProcesses(t, 2), 3);
    const { loads, dead, clock } = scene;
    for (const load of loads) load.start();
    t.after(() => loads.map((load) => load.stop()));
    /** Lets time pass until both give this answer. */
    const bothSay = async (expected: object) => {
      let seen: object[] = [];
      for (let step = 0; !isDeepStrictEqual(seen, [expected, expected]); step += 1) {
        assert.ok(step < 1_000, JSON.stringify(seen));
        await scene.until(() => clock.now() % (5 * STEP_MS) === 0);
        clock.set(clock.now() + STEP_MS);
        await wait(20);
        seen = await Promise.all(loads.map(({ read }) => read(TEAM)));
      }
    };
    await bothSay({ active: 0, waiting: 0, max: 3 });
    const first = await scene.result(scene.enter(0));
    const pages = await scene.result(scene.pages[1]!.take(TEAM.id, 1));
    await bothSay({ active: 2, waiting: 0, max: 3 });
    const other = await scene.result(scene.enter(1));
    // They have a slot in their own process, but no permit.
    const leaving = new AbortController();
    const late = [scene.enter(0, leaving.signal), scene.enter(1, leaving.signal)];
    await bothSay({ active: 3, waiting: 2, max: 3 });
    leaving.abort(new Error('gone'));
    await Promise.allSettled(late);
    await bothSay({ active: 3, waiting: 0, max: 3 });
    other.leave();
    await bothSay({ active: 2, waiting: 0, max: 3 });
    // Without a limit of its own, the team may run what the processes can.
    scene.maxConcurrency = null;
    assert.equal((await loads[0]!.read(TEAM)).max, 150);

    loads[1]!.stop();
    dead.add(1);
    const since = clock.now();
    await scene.until(() => clock.now() > since + DEAD_AFTER_MS);
    assert.deepEqual(await loads[0]!.read(TEAM), { active: 1, waiting: 0, max: 100 });
    for (const slot of [first, ...pages]) slot.leave();
  });

  test('what was lost with the row of a process is written again', async (t) => {
    const [one, other] = await openProcesses(t, 2);
    const scene = createScene([one!, other!], null);
    const [own, seen] = scene.loads;
    own!.start();
    t.after(() => own!.stop());
    await scene.enter(0);
    const isSeen = async () => {
      for (let step = 0; (await seen!.read(TEAM)).active !== 1; step += 1) {
        assert.ok(step < 1_000, 'the other process does not see it');
        scene.clock.set(scene.clock.now() + STEP_MS);
        await Promise.all([one!, other!].map(({ renew }) => renew(scene.clock.now())));
        await wait(10);
      }
    };
    await isSeen();
    await one!.store.processes.leave(one!.processId);
    await one!.renew(scene.clock.now());
    assert.equal((await seen!.read(TEAM)).active, 0);
    await isSeen();
  });
});
