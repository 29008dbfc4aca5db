// One timer for many names: the earliest time wins, and each name rings once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createAlarm } from '../../../src/jobs/alarm.ts';
import { createTestClock } from '../../support/test-clock.ts';

function open() {
  const clock = createTestClock(0);
  const alarm = createAlarm(clock);
  const rung: string[] = [];
  const set = (name: string, time: number | undefined) => alarm.set(name, time, () => rung.push(name));
  const at = async (time: number) => {
    clock.set(time);
    await setImmediate();
    return rung.splice(0);
  };
  return { alarm, set, at };
}

test('each name rings at its time, whatever order they were set in', async () => {
  const { set, at } = open();
  set('late', 30);
  set('early', 10);
  set('middle', 20);
  assert.deepEqual(await at(9), []);
  assert.deepEqual(await at(10), ['early']);
  assert.deepEqual(await at(30), ['late', 'middle']);
  assert.deepEqual(await at(99), []);
});

test('the earliest of several times for a name wins', async () => {
  const { set, at } = open();
  set('name', 30);
  set('name', 10);
  set('name', 20);
  assert.deepEqual(await at(10), ['name']);
  assert.deepEqual(await at(30), []);
});

test('an undefined time sets nothing, and a closed alarm never rings', async () => {
  const { alarm, set, at } = open();
  set('never', undefined);
  set('name', 10);
  alarm.close();
  set('after', 10);
  assert.deepEqual(await at(99), []);
});
