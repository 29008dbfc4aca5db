import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { collectWhenIdle } from '../../../src/util/collect-when-idle.ts';

const BUSY = 0.5;
const RESTS = 0.01;

/** Returns a function that passes the time until the next look. `shares`: how busy each look finds the thread. */
function startLooking(t: TestContext, shares: number[], collect?: () => void): () => void {
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.after(collectWhenIdle({ collect, utilization: () => shares.shift() ?? RESTS }));
  return () => t.mock.timers.tick(5_000);
}

const rests = (looks: number) => Array.from({ length: looks }, () => RESTS);

test('a thread is collected once in each rest of half a minute', (t) => {
  const collections: number[] = [];
  let looks = 0;
  const shares = [BUSY, ...rests(5), BUSY, ...rests(20), BUSY, ...rests(6)];
  const count = shares.length;
  const look = startLooking(t, shares, () => collections.push(looks));
  for (; looks < count; looks += 1) look();
  assert.deepEqual(collections, [12, 33]);
});

test('a collection frees what nobody uses any more', async (t) => {
  const look = startLooking(t, []);
  const make = () => new WeakRef({ a: 'page' });
  const page = make();
  // A reference that was used keeps its object until the task ends.
  await nextTask();
  for (let looks = 0; looks < 6; looks += 1) look();
  assert.equal(page.deref(), undefined);
});
