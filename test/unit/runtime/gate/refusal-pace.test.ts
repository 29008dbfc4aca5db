// Refusals are answered at once, until there are many of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusalPace } from '../../../../src/runtime/gate/refusal-pace.ts';

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
  for (let count = 0; count < 50; count++) await pace.wait('a', never);
  assert.deepEqual(clock.slept, []);
  for (let count = 0; count < 1_000; count++) await pace.wait('a', never);
  assert.deepEqual(clock.slept.slice(0, 3), [5, 10, 15]);
  assert.equal(Math.max(...clock.slept), 2_000);

  clock.time += 10_000;
  clock.slept.length = 0;
  await pace.wait('a', never);
  assert.deepEqual(clock.slept, []);
});

test('the refusals of one team do not delay those of another', async () => {
  const clock = createRecordedClock();
  const pace = createRefusalPace(clock);
  for (let count = 0; count < 500; count++) await pace.wait('a', never);
  clock.slept.length = 0;
  await pace.wait('b', never);
  assert.deepEqual(clock.slept, []);
});

test('a service that stops does not wait', async () => {
  const clock = {
    ...createRecordedClock(),
    sleep: (_ms: number, signal?: AbortSignal) => Promise.reject(signal!.reason),
  };
  const pace = createRefusalPace(clock);
  for (let count = 0; count < 60; count++) await pace.wait('a', AbortSignal.abort());
});
