// Politeness under any order of starts, answers and waits: bounded, spaced, and never stuck.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPoliteness, type HostAnswer } from '../../src/crawl/politeness/politeness.ts';
import { runs, seedOr } from '../support/runs.ts';

const RUNS = { seed: seedOr(20_260_403), numRuns: runs(1_000, 20_000) };
const HOSTS = ['a.test', 'b.test', 'own.test'] as const;
const OWN = 'own.test';
const maximumOf = (host: string) => (host === OWN ? 16 : 8);

const answer: fc.Arbitrary<HostAnswer> = fc.record(
  {
    ms: fc.integer({ min: 0, max: 60_000 }),
    status: fc.constantFrom(200, 200, 200, 304, 404, 429, 500, 503),
    retryAfter: fc.oneof(fc.integer({ min: -10, max: 1_000_000 }), fc.constant(Number.NaN)),
  },
  { requiredKeys: [] },
);
const host = fc.constantFrom(...HOSTS);
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fill' as const), host }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('finish' as const), host, answer }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('interval' as const), host, ms: fc.constantFrom(0, 0, 500, 5_000) }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Plays the events as a worker would: it starts a request only when a slot is free. */
function play(events: Event[]) {
  const clock = { time: 0, now: () => clock.time };
  const politeness = createPoliteness({ clock, isAllowListed: (name) => name === OWN });
  const active = new Map<string, number>(HOSTS.map((name) => [name, 0]));
  const intervals = new Map<string, number>();
  const lastStart = new Map<string, number>();

  const start = (name: string) => {
    const interval = intervals.get(name) ?? 0;
    if (interval > 0) {
      assert.equal(active.get(name), 0, 'one request at a time');
      assert.ok(clock.time - (lastStart.get(name) ?? -interval) >= interval, 'requests start far enough apart');
    }
    politeness.started(name);
    lastStart.set(name, clock.time);
    active.set(name, active.get(name)! + 1);
  };

  for (const step of events) {
    if (step.kind === 'wait') clock.time += step.ms;
    if (step.kind === 'interval') {
      politeness.setCrawlDelay(step.host, step.ms);
      intervals.set(step.host, step.ms);
    }
    if (step.kind === 'fill') while (politeness.freeSlots(step.host) > 0) start(step.host);
    if (step.kind === 'finish' && active.get(step.host)! > 0) {
      active.set(step.host, active.get(step.host)! - 1);
      politeness.finished(step.host, step.answer);
    }
    for (const name of HOSTS) {
      const slots = politeness.freeSlots(name);
      assert.ok(Number.isInteger(slots) && slots >= 0);
      assert.ok(active.get(name)! + slots <= Math.max(maximumOf(name), active.get(name)!));
      assert.ok(active.get(name)! <= maximumOf(name));
    }
  }
  return { clock, politeness, active };
}

const events = fc.array(event, { maxLength: 120 });

test('a host never has more requests than its maximum, free slots are never negative, and intervals are respected', () =>
  fc.assert(
    fc.property(events, (list) => {
      play(list);
    }),
    RUNS,
  ));

test('nextSlotAt is exactly the moment at which a slot becomes free', () =>
  fc.assert(
    fc.property(events, host, (list, name) => {
      const { clock, politeness } = play(list);
      const at = politeness.nextSlotAt(name);
      if (at === undefined) return;
      assert.ok(at > clock.time);
      clock.time = at - 1;
      assert.equal(politeness.freeSlots(name), 0);
      clock.time = at;
      assert.ok(politeness.freeSlots(name) > 0);
    }),
    RUNS,
  ));

test('a host that answers well again gets all its slots back, whatever happened before', () =>
  fc.assert(
    fc.property(events, host, (list, name) => {
      const { clock, politeness, active } = play(list);
      for (let i = active.get(name)!; i > 0; i--) politeness.finished(name, {});
      politeness.setCrawlDelay(name, 0);
      clock.time += 300_000;
      assert.ok(politeness.freeSlots(name) > 0, 'the longest pause is over');
      for (let round = 0; round < 3_000 && politeness.freeSlots(name) < maximumOf(name); round++) {
        const slots = politeness.freeSlots(name);
        for (let i = 0; i < slots; i++) politeness.started(name);
        for (let i = 0; i < slots; i++) politeness.finished(name, { ms: 50, status: 200 });
      }
      assert.equal(politeness.freeSlots(name), maximumOf(name));
    }),
    { ...RUNS, numRuns: runs(300, 6_000) },
  ));
