// What a team runs at once is limited over all processes, shared between those that have work, and taken from dead ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConcurrency } from '../../../../../src/operations/team/concurrency/concurrency.ts';
import { createPermitPool } from '../../../../../src/operations/team/concurrency/permit-pool.ts';
import type { Limits } from '../../../../../src/policy/plan.ts';
import { DEAD_AFTER_MS } from '../../../../../src/store/process-registry.ts';
import type { GateSlot } from '../../../../../src/util/gate/gate.ts';
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
  return Object.assign(scene, { clock, until, enter, result, pages: concurrency.map(({ pages }) => pages), signal });
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
    assert.equal((await scene.result(theirs!.take(TEAM.id, 3))).length, 3);
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
    const works = Promise.all(Array.from({ length: 16 }, (_, n) => work(n % 2)));
    await scene.result(works);
    const first = order.slice(0, 8);
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
});
