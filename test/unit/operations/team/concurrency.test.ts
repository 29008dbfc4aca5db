// Slots for running scrapes: limited per team, first come first served, with a timeout for waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrency } from '../../../../src/operations/team/concurrency.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { createGate } from '../../../../src/util/gate.ts';

const never = new AbortController().signal;

test('slots are given in the order of the requests, and leaving twice frees only one', async () => {
  const gate = createGate(1, 10);
  const leave = await gate.enter(never);
  const order: number[] = [];
  const enter = async (number: number) => {
    const done = await gate.enter(never);
    order.push(number);
    return done;
  };
  const second = enter(2);
  const third = enter(3);
  assert.deepEqual([gate.active, gate.waiting], [1, 2]);
  leave!();
  leave!();
  const leaveSecond = await second;
  assert.deepEqual([gate.active, gate.waiting], [1, 1]);
  leaveSecond!();
  (await third)!();
  assert.deepEqual(order, [2, 3]);
  assert.deepEqual([gate.active, gate.waiting], [0, 0]);
});

test('an aborted wait takes no slot', async () => {
  const gate = createGate(1, 10);
  const leave = await gate.enter(never);
  const patience = new AbortController();
  const waiting = gate.enter(patience.signal);
  patience.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  assert.equal(gate.waiting, 0);
  leave!();
  assert.equal(gate.active, 0);
});

test('a full queue refuses at once', async () => {
  const gate = createGate(1, 0);
  await gate.enter(never);
  assert.equal(await gate.enter(never), undefined);
});

test('a scrape reports how long it waited, and waiting too long is an error', async () => {
  const concurrency = createConcurrency(1, systemClock);
  const first = await concurrency.enter('a', 1000, never);
  assert.equal(first.queuedMs, 0);
  const second = concurrency.enter('a', 1000, never);
  await assert.rejects(concurrency.enter('a', 30, never), { code: 'CONCURRENCY_QUEUE_TIMEOUT', status: 408 });
  first.leave();
  assert.ok((await second).queuedMs > 0);
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 0 });
});

test('one team does not wait for another', async () => {
  const concurrency = createConcurrency(1, systemClock);
  await concurrency.enter('a', 1000, never);
  assert.equal((await concurrency.enter('b', 1000, never)).queuedMs, 0);
});
