// A gate: slots in order, shared by team, with jobs that wait and callers who cannot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asker, createGate, type GateOptions, type GateSlot } from '../../../../src/runtime/gate/gate.ts';
import { createSimulatedClock } from './simulated-clock.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(size: number, more: Partial<GateOptions> = {}) {
  const clock = createSimulatedClock();
  const gate = createGate({ size, clock, refusal: (seconds) => new Error(`refused for ${seconds} s`), ...more });
  const order: string[] = [];
  const slots = new Map<string, GateSlot>();
  /** Notes the name when its turn comes. */
  const enter = (name: string, asker: Asker = { team: name[0]! }, kind = 'work') => {
    const entered = gate.enter(asker, kind, never).then((slot) => {
      order.push(name);
      slots.set(name, slot);
      return slot;
    });
    entered.catch(() => {});
    return entered;
  };
  const leave = async (name: string) => {
    slots.get(name)!.leave();
    await settle();
  };
  return { clock, gate, order, enter, leave };
}

test('one team is served in the order of its requests, and leaving twice frees only one slot', async () => {
  const { gate, order, enter, leave } = open(1);
  for (const name of ['a1', 'a2', 'a3']) enter(name);
  await settle();
  assert.deepEqual([gate.active, gate.waiting], [1, 2]);
  await leave('a1');
  await leave('a1');
  assert.deepEqual([gate.active, gate.waiting], [1, 1]);
  await leave('a2');
  await leave('a3');
  assert.deepEqual(order, ['a1', 'a2', 'a3']);
  assert.deepEqual([gate.active, gate.waiting], [0, 0]);
});

test('an aborted wait takes no slot', async () => {
  const { gate, enter, leave } = open(1);
  await enter('a1');
  const patience = new AbortController();
  const waiting = gate.enter({ team: 'a' }, 'work', patience.signal);
  patience.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  assert.equal(gate.waiting, 0);
  await leave('a1');
  assert.equal(gate.active, 0);
});

test('a team with a hundred waiting delays others by one turn each', async () => {
  const { order, enter, leave } = open(2);
  for (let n = 0; n < 100; n += 1) enter(`a${n}`);
  enter('b1');
  enter('b2');
  enter('c1');
  await settle();
  for (let turn = 0; turn < 6; turn += 1) await leave(order[turn]!);
  // The team with the fewest slots is next; among equals, the one that waited longest for its turn.
  assert.deepEqual(order, ['a0', 'a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
});

test('slow work of one team leaves the other slots to the others', async () => {
  const { order, enter, leave } = open(2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name);
  for (const name of ['b1', 'b2', 'b3']) enter(name);
  await settle();
  // a2 never ends.
  await leave('a1');
  for (const name of ['b1', 'b2']) await leave(name);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'b2', 'b3']);
});

test('a spare slot is for a team that holds none, and one team alone never gets it', async () => {
  const { gate, order, enter, leave } = open(2, { spare: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) enter(name);
  await settle();
  assert.deepEqual(order, ['a1', 'a2', 'b1']);
  await leave('a1');
  // Two slots are still taken, so that the freed one is again for a team without any.
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1']);
  await leave('b1');
  await leave('c1');
  assert.deepEqual([order.at(-1), gate.active], ['b2', 2]);
});

test('a full queue refuses callers at once, but no work of jobs', async () => {
  const { clock, gate, enter } = open(1, { maxWaiting: 1 });
  const caller = { team: 'a', deadline: 10_000 };
  await enter('a1');
  enter('a2', caller);
  await assert.rejects(enter('a3', caller), /refused for 2 s/);
  for (let n = 0; n < 50; n += 1) enter(`job${n}`, { team: 'a' });
  assert.equal(gate.waiting, 51);
  assert.equal(clock.now(), 0);
});

test('work of jobs waits however long it takes, and its time stands still meanwhile', async () => {
  const { order, enter, leave } = open(1);
  const times: string[] = [];
  const pause = () => {
    times.push('held');
    return () => times.push('resumed');
  };
  await enter('a1');
  enter('job', { team: 'a', pausable: { pause } });
  await settle();
  assert.deepEqual(times, ['held']);
  await leave('a1');
  assert.deepEqual(
    [order, times],
    [
      ['a1', 'job'],
      ['held', 'resumed'],
    ],
  );
});

test('callers of a team do not starve its jobs, nor jobs the callers', async () => {
  const { order, enter, leave } = open(1);
  await enter('first');
  for (const n of [1, 2, 3]) enter(`caller${n}`, { team: 'f', deadline: 60_000 });
  for (const n of [1, 2, 3]) enter(`job${n}`, { team: 'f' });
  for (let turn = 0; turn < 6; turn += 1) await leave(order[turn]!);
  assert.deepEqual(order, ['first', 'job1', 'caller1', 'job2', 'caller2', 'job3', 'caller3']);
});

test('in overload the newest come first, and what could not finish is not started', async () => {
  const { clock, order, enter } = open(1);
  const work = async (name: string, ms: number, timeout: number) => {
    const slot = await enter(name, { team: 'a', deadline: clock.now() + timeout });
    await clock.sleep(ms);
    slot.leave();
  };
  const arrive = async (at: number, name: string) => {
    await clock.sleep(at);
    await work(name, 1_000, 2_500).catch(() => {});
  };
  const all = Promise.all([
    work('known', 1_000, 60_000),
    ...Array.from({ length: 20 }, (_, n) => arrive(2_000 + n * 100, `n${n}`)),
  ]);
  await clock.run();
  await all;
  assert.deepEqual(order.slice(0, 3), ['known', 'n0', 'n10']);
});

test('where nothing may be refused, the newest come first in overload, and the others wait', async () => {
  const { clock, gate, order, enter, leave } = open(1, { refusal: undefined });
  const known = await enter('known');
  clock.sleep(1_000).then(() => known.leave());
  await clock.run();
  await enter('first', { team: 'a', deadline: clock.now() + 2_500 });
  for (const n of [1, 2, 3, 4]) enter(`n${n}`, { team: 'a', deadline: clock.now() + 2_500 });
  assert.equal(gate.waiting, 4);
  for (const name of ['first', 'n4', 'n3', 'n2']) await leave(name);
  assert.deepEqual(order, ['known', 'first', 'n4', 'n3', 'n2', 'n1']);
});

test('a thousand may wait and leave in any order', async () => {
  const { gate, enter } = open(1);
  await enter('a1');
  const callers = Array.from({ length: 1_000 }, () => new AbortController());
  const waiting = callers.map(({ signal }) => gate.enter({ team: 'a' }, 'work', signal));
  for (const caller of callers) caller.abort(new Error('enough'));
  const outcomes = await Promise.allSettled(waiting);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  assert.equal(gate.waiting, 0);
});
