// A gate with more to do than it can: simulated arrivals and service times, with a clock that the test drives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate, type Gate } from '../../../../src/runtime/gate/gate.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';

const SEED = 20_261_116;

class Refusal extends Error {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('refused');
    this.retryAfter = retryAfter;
  }
}

interface Load {
  slots: number;
  serviceMs: (random: () => number) => number;
  timeoutMs: number;
  clients: number;
  /** Requests of each client. */
  requests: number;
  /** What a client does before its next request. */
  pauseMs: (outcome: Outcome, random: () => number) => number;
}

interface Outcome {
  state: 'served' | 'late' | 'refused';
  /** From arrival to answer. */
  ms: number;
  retryAfter: number;
}

/** Returns all outcomes and the share of what the slots could have served in the same time. */
async function simulate(load: Load): Promise<{ outcomes: Outcome[]; goodput: number }> {
  const clock = createSimulatedClock();
  const random = createRandom(SEED);
  const gate = createGate({ size: load.slots, clock, refusal: (seconds) => new Refusal(seconds) });
  const outcomes: Outcome[] = [];
  let busyMs = 0;
  let ended = 0;
  const visit = async () => {
    for (let sent = 0; sent < load.requests; sent += 1) {
      const needed = load.serviceMs(random);
      const outcome = await request(clock, gate, needed, load.timeoutMs);
      outcomes.push(outcome);
      if (outcome.state === 'served') busyMs += needed;
      ended = clock.now();
      await clock.sleep(load.pauseMs(outcome, random));
    }
  };
  const clients = Array.from({ length: load.clients }, visit);
  await clock.run();
  await Promise.all(clients);
  assert.deepEqual([gate.active, gate.waiting], [0, 0]);
  return { outcomes, goodput: busyMs / (ended * load.slots) };
}

/** Like a scrape: work that is not done when its time is over was done in vain, and held its slot until then. */
async function request(clock: SimulatedClock, gate: Gate, needed: number, timeoutMs: number): Promise<Outcome> {
  const began = clock.now();
  const deadline = began + timeoutMs;
  const end = (state: Outcome['state'], retryAfter = 0): Outcome => ({ state, ms: clock.now() - began, retryAfter });
  try {
    const slot = await gate.enter({ team: 'a', deadline }, 'http slow.test', new AbortController().signal);
    const left = deadline - clock.now();
    await clock.sleep(Math.min(needed, left));
    slot.leave(needed <= left ? 'done' : 'failed');
    return end(needed <= left ? 'served' : 'late');
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return end('refused', error.retryAfter);
  }
}

const ISSUE = { slots: 64, serviceMs: () => 3_000, timeoutMs: 4_000, clients: 500, requests: 3 };
const count = (outcomes: Outcome[], state: Outcome['state']) => outcomes.filter((o) => o.state === state).length;

test('500 at once, who ask again at once after a refusal: the slots do useful work all the time', async () => {
  const { outcomes, goodput } = await simulate({ ...ISSUE, pauseMs: () => 0 });
  assert.equal(outcomes.length, 1_500);
  assert.ok(goodput >= 0.8, `goodput ${goodput}`);
  assert.equal(count(outcomes, 'late'), 0);
});

test('500 at once, who come back after Retry-After: the slots do useful work all the time', async () => {
  const { outcomes, goodput } = await simulate({ ...ISSUE, pauseMs: ({ retryAfter }) => retryAfter * 1_000 });
  assert.ok(goodput >= 0.8, `goodput ${goodput}`);
  assert.ok(count(outcomes, 'served') > 300, `served ${count(outcomes, 'served')}`);
});

test('steady arrivals at three times the capacity, with service times that vary', async () => {
  const { outcomes, goodput } = await simulate({
    slots: 16,
    serviceMs: (random) => 1_000 + 1_000 * random(),
    timeoutMs: 4_000,
    clients: 300,
    requests: 12,
    pauseMs: (_, random) => 9_000 * random(),
  });
  assert.ok(goodput >= 0.8, `goodput ${goodput}`);
  assert.ok(count(outcomes, 'late') < 0.05 * count(outcomes, 'served'));
});

test('a single slot, and clients who ask again after a second', async () => {
  const load = { slots: 1, serviceMs: () => 3_000, timeoutMs: 4_000, clients: 10, requests: 30 };
  const { goodput } = await simulate({ ...load, pauseMs: () => 1_000 });
  assert.ok(goodput >= 0.8, `goodput ${goodput}`);
});

test('most of what is refused is refused at once, and told when to come back', async () => {
  const { outcomes } = await simulate({ ...ISSUE, requests: 8, pauseMs: () => 500 });
  const refused = outcomes.filter(({ state }) => state === 'refused');
  const atOnce = refused.filter(({ ms }) => ms === 0);
  assert.ok(atOnce.length > 0.75 * refused.length, `${atOnce.length} of ${refused.length}`);
  assert.ok(refused.every(({ retryAfter }) => retryAfter >= 1 && retryAfter <= 120));
});

test('without overload nothing is refused, also not what takes longer than its timeout', async () => {
  const { outcomes } = await simulate({
    slots: 64,
    serviceMs: () => 3_000,
    timeoutMs: 2_000,
    clients: 60,
    requests: 5,
    pauseMs: () => 100,
  });
  assert.equal(count(outcomes, 'refused'), 0);
});

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
