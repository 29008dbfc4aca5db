// Refusals are answered at once, until there are many of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusalPace } from '../../../../src/operations/team/refusal-pace.ts';

const never = new AbortController().signal;

function createRecordedClock() {
  const slept: number[] = [];
  const clock = {
    time: 1_000_000,
    slept,
    now: () => clock.time,
    async sleep(ms: number) {
      slept.push(ms);
    },
  };
  return clock;
}

test('few refusals are answered at once, many one after the other, and none waits for more than two seconds', async () => {
  const clock = createRecordedClock();
  const pace = createRefusalPace(clock);
  for (let count = 0; count < 50; count++) await pace.wait(never);
  assert.deepEqual(clock.slept, []);
  for (let count = 0; count < 1_000; count++) await pace.wait(never);
  assert.deepEqual(clock.slept.slice(0, 3), [5, 10, 15]);
  assert.equal(Math.max(...clock.slept), 2_000);

  clock.time += 10_000;
  clock.slept.length = 0;
  await pace.wait(never);
  assert.deepEqual(clock.slept, []);
});
