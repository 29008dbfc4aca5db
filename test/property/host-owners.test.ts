// Several processes ask the same sites: in any order of claims, answers, heartbeats, pauses and deaths, a site never sees more
// requests at once than politeness allows, nor two within its crawl delay, nor one during a pause that it has asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPoliteness } from '../../src/crawl/politeness/politeness.ts';
import { createOwnedHosts } from '../../src/jobs/sharing/owned-hosts.ts';
import type { ClaimedTask, HostOwnership } from '../../src/store/ports/jobs/job-queue.ts';
import { runs, seedOr } from '../support/runs.ts';

const RUNS = { seed: seedOr(20_261_117), numRuns: runs(1_000, 20_000) };
const PROCESSES = 3;
const LEASE = 20_000;
const CEILING = 8;
/** Crawl delay of each site, which its robots.txt says. */
const SITES: Record<string, number> = { 'fast.test': 0, 'slow.test': 3_000, 'slowest.test': 25_000 };
const HOSTS = Object.keys(SITES);

const process = fc.integer({ min: 0, max: PROCESSES - 1 });
const host = fc.constantFrom(...HOSTS);
const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('claim' as const), process, host }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), process, host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const), process, host }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('beat' as const), process }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), process }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 9_000 }) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

interface Owner {
  process: object;
  leaseUntil: number;
  memory: string;
}

/** What the store promises: a host has one owner, and the next one gets what the last has remembered. */
function createTable() {
  const rows = new Map<string, Partial<Owner>>();
  return {
    /** Undefined if another process owns the host. */
    take(name: string, self: object, now: number): { hostMemories?: Record<string, string> } | undefined {
      const row = rows.get(name) ?? {};
      const isFree = row.process === undefined || row.leaseUntil! <= now;
      if (row.process !== self && !isFree) return undefined;
      const isNew = row.process !== self;
      rows.set(name, { ...row, process: self, leaseUntil: now + LEASE });
      return isNew && row.memory ? { hostMemories: { [name]: row.memory } } : {};
    },
    of: (self: object): HostOwnership => ({
      async keepHosts(memories, leaseUntil) {
        const lost = Object.keys(memories).filter((name) => rows.get(name)?.process !== self);
        for (const [name, memory] of Object.entries(memories))
          if (!lost.includes(name)) rows.set(name, { process: self, leaseUntil, memory });
        return lost;
      },
      async leaveHosts(memories) {
        for (const [name, memory] of Object.entries(memories))
          if (rows.get(name)?.process === self) rows.set(name, { memory });
      },
    }),
  };
}

async function play(events: Event[]): Promise<number> {
  const clock = { time: 1_000_000, now: () => clock.time };
  const table = createTable();
  const site = new Map(HOSTS.map((name) => [name, { active: 0, lastStart: -1e9, pausedUntil: -1e9 }]));
  let started = 0;

  const begin = () => {
    const self = {};
    const politeness = createPoliteness({ clock, isAllowListed: () => false });
    const hosts = createOwnedHosts({ queue: table.of(self), politeness, clock });
    const active = new Map(HOSTS.map((name) => [name, 0]));
    return { self, politeness, hosts, active };
  };
  let processes = Array.from({ length: PROCESSES }, begin);

  const start = (name: string, { politeness, hosts, active }: (typeof processes)[number]) => {
    const seen = site.get(name)!;
    const delay = SITES[name]!;
    assert.ok(clock.time >= seen.pausedUntil, `${name} is asked during its pause`);
    if (delay > 0) {
      assert.equal(seen.active, 0, `${name} is asked twice at once`);
      assert.ok(clock.time - seen.lastStart >= delay, `${name} is asked after ${clock.time - seen.lastStart} ms`);
    }
    politeness.started(name);
    hosts.started(name);
    seen.active += 1;
    seen.lastStart = clock.time;
    active.set(name, active.get(name)! + 1);
    assert.ok(seen.active <= CEILING, `${name} has ${seen.active} requests at once`);
    started += 1;
  };

  for (const step of events) {
    if (step.kind === 'wait') {
      clock.time += step.ms;
      // A process that is alive renews its leases before they end.
      for (const { hosts } of processes) await hosts.keep(clock.time + LEASE, clock.time);
      continue;
    }
    const process = processes[step.process]!;
    const { self, politeness, hosts, active } = process;
    if (step.kind === 'beat') await hosts.keep(clock.time + LEASE, clock.time);
    if (step.kind === 'leave') await hosts.leaveIdle();
    if (step.kind === 'die') {
      for (const [name, count] of active) site.get(name)!.active -= count;
      processes = processes.with(step.process, begin());
    }
    if (step.kind === 'claim') {
      const taken = table.take(step.host, self, clock.time);
      if (!taken) continue;
      hosts.took({ tasks: [{ host: step.host } as ClaimedTask], ...taken });
      // As a crawl does, which reads robots.txt before the page.
      politeness.setCrawlDelay(step.host, SITES[step.host]!);
      while (politeness.freeSlots(step.host) > 0) start(step.host, process);
      if (hosts.hasNews()) await hosts.keep(clock.time + LEASE, clock.time);
    }
    if ((step.kind === 'answer' || step.kind === 'refuse') && active.get(step.host)! > 0) {
      const seen = site.get(step.host)!;
      seen.active -= 1;
      active.set(step.host, active.get(step.host)! - 1);
      hosts.ended(step.host);
      const answer = step.kind === 'refuse' ? { status: 429, retryAfter: 60_000 } : { status: 200 };
      politeness.finished(step.host, { ms: 50, ...answer });
      if (step.kind !== 'refuse') continue;
      seen.pausedUntil = clock.time + 60_000;
      // Done within a second, so a process that dies before takes what it has just heard with it.
      assert.ok(hosts.hasNews());
      await hosts.keep(clock.time + LEASE, clock.time);
    }
  }
  return started;
}

/** A process dies right after a request that its last heartbeat did not know of. */
const DEATH: Event[] = [
  { kind: 'claim', process: 0, host: 'slowest.test' },
  ...Array<Event>(3).fill({ kind: 'wait', ms: 9_000 }),
  { kind: 'answer', process: 0, host: 'slowest.test' },
  { kind: 'claim', process: 0, host: 'slowest.test' },
  { kind: 'die', process: 0 },
  ...Array<Event>(3).fill({ kind: 'wait', ms: 7_000 }),
  { kind: 'claim', process: 1, host: 'slowest.test' },
];

test('limits, crawl delays and pauses of sites hold over several processes', async () => {
  let started = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 300 }), async (events) => {
      started += await play(events);
    }),
    { ...RUNS, examples: [[DEATH]] },
  );
  assert.ok(started > 1_000, 'requests were made');
});
