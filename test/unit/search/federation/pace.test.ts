// Turns at a fixed distance: nobody waits longer than allowed, and a clock that is set back blocks nobody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../../../src/search/federation/pace.ts';

test('turns are a second apart in the order of the callers, and too late ones are refused at once', async () => {
  const clock = { time: 5_000, slept: [] as number[] };
  const pace = createPace(
    {
      now: () => clock.time,
      async sleep(ms) {
        clock.slept.push(ms);
      },
    },
    1_000,
  );
  const turns = await Promise.all([2_500, 2_500, 2_500, 2_500, 500].map((withinMs) => pace.takeTurn(withinMs)));
  assert.deepEqual(turns, [true, true, true, false, false]);
  assert.deepEqual(clock.slept, [1_000, 2_000]);
  clock.time = 8_000;
  assert.equal(await pace.takeTurn(0), true);
  assert.equal(clock.slept.length, 2);

  clock.time = 0;
  assert.equal(await pace.takeTurn(1_000), true);
  assert.deepEqual(clock.slept.slice(2), [1_000]);
});
