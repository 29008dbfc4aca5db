import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { collectWhenIdle } from '../../../../src/runtime/threads/collect-when-idle.ts';

const BUSY = 0.5;
const RESTS = 0.01;

/** Returns a function that passes some time. `shares`: how busy each look finds the thread. */
function startLooking(t: TestContext, shares: number[], collect?: () => void): (ms: number) => void {
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.after(collectWhenIdle({ collect, utilization: () => shares.shift() ?? RESTS }));
  return (ms) => t.mock.timers.tick(ms);
}

const rests = (looks: number) => Array.from({ length: looks }, () => RESTS);

test('a thread is collected as soon as it rests after its start', (t) => {
  let collections = 0;
  const pass = startLooking(t, [BUSY, ...rests(5), BUSY, ...rests(5)], () => {
    collections += 1;
  });
  pass(12 * 250);
  assert.equal(collections, 0);
  pass(250);
  assert.equal(collections, 1);
  pass(15_000);
  assert.equal(collections, 1, 'the rest that follows has to be longer');
});

test('a working thread is collected once in each rest of 20 seconds', (t) => {
  const collections: number[] = [];
  let looks = -6;
  const shares = [BUSY, ...rests(3), BUSY, ...rests(20), BUSY, ...rests(4)];
  const count = shares.length;
  const pass = startLooking(t, [...rests(6), ...shares], () => collections.push(looks));
  for (; looks < 0; looks += 1) pass(250);
  for (; looks < count; looks += 1) pass(5_000);
  assert.deepEqual(collections, [-1, 8, 29]);
});

test('caches are given up before each collection', (t) => {
  const events: string[] = [];
  t.mock.timers.enable({ apis: ['setInterval'] });
  const note = (event: string) => () => void events.push(event);
  t.after(collectWhenIdle({ onRest: note('rest'), collect: note('collect'), utilization: () => RESTS }));
  t.mock.timers.tick(1_500);
  assert.deepEqual(events, ['rest', 'collect']);
});

test('a collection frees what nobody uses any more', async (t) => {
  const pass = startLooking(t, []);
  const make = () => new WeakRef({ a: 'page' });
  const page = make();
  // A reference that was used keeps its object until the task ends.
  await nextTask();
  pass(6 * 250);
  assert.equal(page.deref(), undefined);
});
