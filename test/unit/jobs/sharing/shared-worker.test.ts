// Several workers on one store, as several processes have them: each finds the jobs of the others, hears of their changes, takes
// over what a dead one has left, and stops what it can no longer keep.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createPoliteness } from '../../../../src/crawl/politeness/politeness.ts';
import type { TaskHandler } from '../../../../src/jobs/task-handler.ts';
import { createWorker, type WorkerDeps } from '../../../../src/jobs/worker.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { createLocalWakeUps, type LocalWakeUps } from '../../../../src/store/calls/local-wake-ups.ts';
import type { JobQueue } from '../../../../src/store/ports/jobs/job-queue.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { donePage, onHost, type Running, sampleTask, startJob, viewOf } from '../../../conformance/job-samples.ts';
import { START } from '../../../conformance/samples.ts';
import { openBudgets } from '../../../support/budgets.ts';
import { openConcurrency } from '../../../support/concurrency.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

interface Process {
  worker: ReturnType<typeof createWorker>;
  wakeUps: LocalWakeUps;
  politeness: ReturnType<typeof createPoliteness>;
  /** URLs that its tasks hold, each with the function that lets it end. */
  held: Map<string, () => void>;
  /** How each task ended that did not hold on to its end. */
  aborted: string[];
  starts: string[];
}

/** A process whose pages take until the test releases them. */
function openProcess(t: TestContext, store: Store, clock: TestClock, deps: Partial<WorkerDeps> = {}): Process {
  const wakeUps = createLocalWakeUps();
  const held = new Map<string, () => void>();
  const aborted: string[] = [];
  const starts: string[] = [];
  const handler: TaskHandler = async (task, _job, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    starts.push(task.url);
    held.set(task.url, resolve);
    signal.addEventListener('abort', () => {
      aborted.push(`${task.url} ${signal.reason.message}`);
      reject(signal.reason);
    });
    await promise.finally(() => held.delete(task.url));
    return { outcome: donePage(task), hostAnswer: { ms: 10, status: 200 } };
  };
  const politeness = deps.politeness ?? createPoliteness({ clock, isAllowListed: () => false });
  const worker = createWorker({
    queue: store.queue,
    health: store.health,
    handlers: { crawl: handler, batch_scrape: handler },
    pageReservations: openBudgets(store, clock).pageReservations,
    politeness,
    paceOf: () => ({ concurrency: 64, pauseMs: 0 }),
    onChange: () => {},
    clock,
    log: createLog('silent'),
    maxPages: 64,
    slots: openConcurrency(128, clock).pages,
    sharing: { stored: store.jobs, wakeUps },
    ...deps,
  });
  t.after(() => worker.close());
  return { worker, wakeUps, politeness, held, aborted, starts };
}

async function open(t: TestContext) {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock();
  /** Time passes no faster than the store answers, however busy the machine is. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 250) {
      clock.set(clock.now() + Math.min(250, left));
      for (let turns = 0; turns < 3; turns++) {
        await wait(1);
        await Promise.all([store.queue.load('nobody'), store.jobs.running([])]);
      }
    }
  };
  /** Lets time pass until something is true. */
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) await pass(250);
  };
  return { store, clock, pass, until };
}

const statusOf = async (running: Running, now: number) => (await viewOf(running, now)).status;
const release = ({ held }: Process) => {
  for (const end of [...held.values()]) end();
};

/** A queue as a process sees it whose database has stopped to answer. */
function cuttable(queue: JobQueue) {
  let isCut = false;
  const never = new Promise<never>(() => {});
  const cut = new Proxy(queue, {
    get: (target, name) => {
      const method = Reflect.get(target, name);
      return typeof method === 'function' ? (...args: unknown[]) => (isCut ? never : method(...args)) : method;
    },
  });
  return {
    queue: cut,
    set: (to: boolean) => {
      isCut = to;
    },
  };
}

test('a job that another process has stored is found without a word, and both work on it', async (t) => {
  const { store, clock, until } = await open(t);
  const hosts = Array.from({ length: 6 }, (_, at) => onHost(`h${at}.test`, '/'));
  const a = openProcess(t, store, clock, { maxPages: 2 });
  const b = openProcess(t, store, clock, { maxPages: 2 });
  const running = await startJob(store, { tasks: hosts });
  await until(() => a.held.size === 2 && b.held.size === 2);
  await until(async () => {
    release(a);
    release(b);
    return (await statusOf(running, clock.now())) === 'completed';
  });
  const all = [...a.starts, ...b.starts];
  assert.equal(all.length, 6);
  assert.equal(new Set(all).size, 6);
});

test('a command looks for no jobs of others', async (t) => {
  const { store, clock, pass } = await open(t);
  const wakeUps = createLocalWakeUps();
  const own = openProcess(t, store, clock, { sharing: { stored: store.jobs, wakeUps, ownJobsOnly: true } });
  await startJob(store, { tasks: [sampleTask('/a')] });
  await pass(10_000);
  assert.deepEqual(own.starts, []);
});

test('a job that was cancelled elsewhere stops at once when this process hears of it', async (t) => {
  const { store, clock, until } = await open(t);
  const a = openProcess(t, store, clock);
  const running = await startJob(store, { tasks: [sampleTask('/a')] });
  await until(() => a.held.size === 1);
  await store.jobs.cancel(running.id, running.teamId, clock.now());
  const cancelledAt = clock.now();
  a.wakeUps.receive('jobs', running.id);
  while (a.aborted.length === 0) await wait(5);
  assert.deepEqual(a.aborted, ['http://site.test/a The job has ended.']);
  assert.equal(clock.now(), cancelledAt);
});

test('a job that was cancelled elsewhere stops with the next heartbeat when nobody says so', async (t) => {
  const { store, clock, until } = await open(t);
  const a = openProcess(t, store, clock);
  const running = await startJob(store, { tasks: [sampleTask('/a')] });
  await until(() => a.held.size === 1);
  await store.jobs.cancel(running.id, running.teamId, clock.now());
  const cancelledAt = clock.now();
  await until(() => a.aborted.length > 0);
  assert.ok(clock.now() - cancelledAt <= 6_000, `after ${clock.now() - cancelledAt} ms`);
});

test('a paused job is left alone, and goes on after it was resumed elsewhere', async (t) => {
  const { store, clock, pass, until } = await open(t);
  const running = await startJob(store, { tasks: [sampleTask('/a')] });
  await store.jobs.pause(running.id, running.teamId, clock.now());
  const a = openProcess(t, store, clock);
  await pass(3_000);
  assert.deepEqual(a.starts, []);
  await store.jobs.resume(running.id, running.teamId, clock.now());
  await until(() => a.held.size === 1);
});

test('the pages of a process that has died are taken over when its leases end, and not earlier', async (t) => {
  const { store, clock, pass, until } = await open(t);
  const dead = cuttable(store.queue);
  const a = openProcess(t, store, clock, { queue: dead.queue });
  const running = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b')] });
  await until(() => a.held.size === 2);
  dead.set(true);
  const diedAt = clock.now();
  const b = openProcess(t, store, clock);
  await pass(10_000);
  assert.deepEqual(b.starts, [], 'leases hold');
  await until(() => b.held.size === 2);
  assert.ok(clock.now() - diedAt <= 22_000, `after ${clock.now() - diedAt} ms`);
  // The first process could not renew them, so it had stopped before.
  assert.equal(a.aborted.length, 2);
  assert.equal(a.held.size, 0);
  await until(async () => {
    release(b);
    return (await statusOf(running, clock.now())) === 'completed';
  });
  dead.set(false);
});

test('a page that was read before an outage is written after it, if nobody has taken it over', async (t) => {
  const { store, clock, pass, until } = await open(t);
  const cut = cuttable(store.queue);
  let isDown = false;
  const health: Store['health'] = {
    ...store.health,
    async persist(call, signal) {
      while (isDown) await clock.sleep(100, signal);
      return call();
    },
  };
  const a = openProcess(t, store, clock, { queue: cut.queue, health });
  const running = await startJob(store, { tasks: [sampleTask('/a')] });
  await until(() => a.held.size === 1);
  isDown = true;
  cut.set(true);
  release(a);
  await pass(40_000);
  assert.deepEqual(a.aborted, []);
  isDown = false;
  cut.set(false);
  await until(async () => (await statusOf(running, clock.now())) === 'completed');
  assert.deepEqual(a.starts, ['http://site.test/a'], 'it was read once');
});

test('what the last owner of a host remembered holds here: its pages are given back until they may start', async (t) => {
  const { store, clock, pass, until } = await open(t);
  const before = createPoliteness({ clock, isAllowListed: () => false });
  before.started('site.test');
  before.finished('site.test', { ms: 10, status: 429, retryAfter: 30_000 });
  const memory = before.remember('site.test');
  let isTaken = false;
  const queue: JobQueue = {
    ...queueOf(store),
    async claim(request) {
      const claim = await store.queue.claim(request);
      if (isTaken || claim.tasks.length === 0) return claim;
      isTaken = true;
      return { ...claim, hostMemories: { 'site.test': memory } };
    },
  };
  const a = openProcess(t, store, clock, { queue });
  const running = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b')] });
  await until(() => isTaken);
  await pass(25_000);
  assert.deepEqual(a.starts, []);
  assert.deepEqual(await store.queue.load(running.teamId), { active: 0, waiting: 2 });
  await until(() => a.held.size === 1);
  assert.ok(clock.now() >= START + 30_000);
  await pass(1_000);
  assert.equal(a.held.size, 1, 'its limit was halved, too');
});

test('hosts are kept while pages run, given back when they are idle, and all of them at the end', async (t) => {
  const { store, clock, pass, until } = await open(t);
  const kept: string[][] = [];
  const left: string[][] = [];
  const queue: JobQueue = {
    ...queueOf(store),
    async keepHosts(memories) {
      kept.push(Object.keys(memories));
      return [];
    },
    leaveHosts: async (memories) => void left.push(Object.keys(memories)),
  };
  const a = openProcess(t, store, clock, { queue });
  await startJob(store, { tasks: [onHost('one.test', '/'), onHost('two.test', '/')] });
  await until(() => a.held.size === 2);
  await pass(12_000);
  assert.deepEqual(kept.at(-1)!.toSorted(), ['one.test', 'two.test']);
  assert.deepEqual(left, []);
  a.held.get('http://one.test/')!();
  await until(() => left.length > 0);
  assert.deepEqual(left, [['one.test']]);
  await a.worker.close();
  assert.deepEqual(left, [['one.test'], ['two.test']]);
});

test('pages of a host that has got another owner are aborted', async (t) => {
  const { store, clock, until } = await open(t);
  const queue: JobQueue = { ...queueOf(store), keepHosts: async () => ['lost.test'] };
  const a = openProcess(t, store, clock, { queue });
  await startJob(store, { tasks: [onHost('lost.test', '/'), onHost('kept.test', '/')] });
  await until(() => a.held.size === 2);
  await until(() => a.aborted.length > 0);
  assert.deepEqual(a.aborted, ['http://lost.test/ The lease of the task was lost.']);
});

/** The calls of a port as properties, so that single ones can be replaced. */
function queueOf({ queue }: Store): JobQueue {
  const { claim, claimable, discover, extend, finish, keepHosts, leaveHosts, load, release } = queue;
  return { claim, claimable, discover, extend, finish, keepHosts, leaveHosts, load, release };
}
