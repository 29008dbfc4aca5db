// Slots for pages of jobs: waited for once a team, set aside for the next claim, and given back if nobody takes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageSlots } from '../../../src/jobs/page-slots.ts';
import type { TeamSlots } from '../../../src/jobs/team-slots.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { openConcurrency } from '../../support/concurrency.ts';
import { createSimulatedClock } from '../runtime/gate/simulated-clock.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const TEAM = { id: 'a', name: 'a', settings: {} };

function open(max: number, change: (slots: TeamSlots) => TeamSlots = (slots) => slots) {
  const clock = createSimulatedClock();
  const concurrency = openConcurrency(max, clock);
  const closing = new AbortController();
  const seen = { freed: 0 };
  const pages = createPageSlots({
    slots: change(concurrency.pages),
    onFree: () => {
      seen.freed += 1;
    },
    closing: closing.signal,
    clock,
    log: createLog('silent'),
  });
  const enter = () => concurrency.enter(TEAM, { deadline: clock.now() + 60_000, kind: 'x' }, never);
  return { clock, concurrency, closing, seen, pages, enter };
}

test('without a free slot one is waited for, however often it is asked, and the next claim has it', async () => {
  const { concurrency, seen, pages, enter } = open(1);
  const request = await enter();
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await pages.take('a', 5), []);
  request.leave();
  await settle();
  assert.equal(seen.freed, 1);
  assert.equal(concurrency.load('a').active, 0, 'it is set aside, and nothing is read in it');
  const taken = await pages.take('a', 5);
  assert.equal(taken.length, 1);
  for (const slot of taken) slot.begin();
  assert.equal(concurrency.load('a').active, 1);
  for (const slot of taken) slot.leave();
  assert.deepEqual(concurrency.load('a'), { active: 0, waiting: 0 });
});

test('a slot that no claim has taken is given back, but not one that came meanwhile', async () => {
  const { concurrency, pages, enter } = open(1);
  const request = await enter();
  await pages.take('a', 1);
  const early = pages.beginRound();
  request.leave();
  await settle();
  early();
  assert.deepEqual(await concurrency.pages.take('a', 1), [], 'the claims that follow have not had their chance');
  pages.beginRound()();
  assert.equal((await concurrency.pages.take('a', 1)).length, 1);
});

test('a wait that fails is tried again after a while; closing ends it', async () => {
  let fails = true;
  const { clock, concurrency, closing, seen, pages, enter } = open(1, (slots) => ({
    ...slots,
    wait: (...asked) => (fails ? Promise.reject(new Error('disk')) : slots.wait(...asked)),
  }));
  await enter();
  await pages.take('a', 1);
  await settle();
  assert.equal(seen.freed, 0);
  await clock.run();
  assert.deepEqual([seen.freed, clock.now()], [1, 1_000]);
  fails = false;
  await pages.take('a', 1);
  closing.abort();
  await settle();
  assert.deepEqual([seen.freed, concurrency.load('a')], [1, { active: 1, waiting: 0 }]);
});
