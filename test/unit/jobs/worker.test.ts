// The worker with the real store: tasks run once, fair shares, limits per host, retries, cancellation and restarts.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPoliteness } from '../../../src/crawl/politeness/politeness.ts';
import type { Pace } from '../../../src/jobs/running-job.ts';
import type { TaskHandler } from '../../../src/jobs/task-handler.ts';
import { createWorker, type Worker, type WorkerDeps } from '../../../src/jobs/worker.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { override } from '../../../src/runtime/threads/thread.ts';
import type { ClaimedTask } from '../../../src/store/ports/jobs/job-queue.ts';
import type { NewJob } from '../../../src/store/ports/jobs/job-store.ts';
import type { Store } from '../../../src/store/ports/store.ts';
import { donePage, kickOff, onHost, sampleJob, sampleTask } from '../../conformance/job-samples.ts';
import { START } from '../../conformance/samples.ts';
import { openBudgets } from '../../support/budgets.ts';
import { openConcurrency } from '../../support/concurrency.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { openTemporaryStore } from '../store/temporary-folder.ts';
import { until } from './webhooks/webhook-jobs.ts';

interface Scene {
  store: Store;
  clock: TestClock;
  worker: Worker;
  start(job?: Partial<NewJob>, team?: string): Promise<string>;
  statusOf(id: string): Promise<string | undefined>;
}

const FAST: Pace = { concurrency: 64, pauseMs: 0 };
const done: TaskHandler = async (task) => ({ outcome: donePage(task) });

function openWorker(store: Store, clock: TestClock, handler: TaskHandler, deps: Partial<WorkerDeps> = {}): Worker {
  return createWorker({
    queue: store.queue,
    health: store.health,
    handlers: { crawl: handler, batch_scrape: handler },
    pageReservations: openBudgets(store, clock).pageReservations,
    politeness: createPoliteness({ clock, isAllowListed: () => false }),
    paceOf: () => FAST,
    onChange: () => {},
    clock,
    log: createLog('silent'),
    maxPages: 64,
    slots: openConcurrency(128, clock).pages,
    ...deps,
  });
}

async function open(
  t: TestContext,
  handler: TaskHandler,
  deps: Partial<WorkerDeps> | ((store: Store) => Partial<WorkerDeps>) = {},
): Promise<Scene> {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock();
  const worker = openWorker(store, clock, handler, typeof deps === 'function' ? deps(store) : deps);
  t.after(() => worker.close());
  const teamOf = new Map<string, string>();
  return {
    store,
    clock,
    worker,
    async start(job = {}, team = 'default') {
      const { id: teamId } = await store.teams.ensureTeam(team, START);
      const added = sampleJob(teamId, job);
      assert.equal(await store.jobs.add(added), 'added');
      teamOf.set(added.id, teamId);
      worker.run((await store.jobs.view(added.id, teamId, START))!);
      return added.id;
    },
    statusOf: async (id) => (await store.jobs.view(id, teamOf.get(id)!, clock.now()))?.status,
  };
}

const ended = (scene: Scene, id: string, status = 'completed') =>
  until(async () => (await scene.statusOf(id)) === status);

const pages = (count: number, host = 'site.test') =>
  Array.from({ length: count }, (_, number) => onHost(host, `/${number}`));

/** A handler that holds every task until the test releases it. */
function holding() {
  const held = new Map<string, () => void>();
  const handler: TaskHandler = async (task, _job, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.set(task.url, resolve);
    signal.addEventListener('abort', () => reject(signal.reason));
    await promise.finally(() => held.delete(task.url));
    return { outcome: donePage(task), hostAnswer: { ms: 10, status: 200 } };
  };
  return { held, handler };
}

test('every task runs once, including those found on the way', async (t) => {
  const runs = new Map<string, number>();
  const scene = await open(t, async (task) => {
    runs.set(task.url, (runs.get(task.url) ?? 0) + 1);
    const number = Number(task.url.split('/').at(-1));
    const links = number < 50 ? [sampleTask(`/${number * 2}`), sampleTask(`/${number * 2 + 1}`)] : [];
    return { outcome: donePage(task, { links }) };
  });
  const id = await scene.start({ tasks: [sampleTask('/1')] });
  await ended(scene, id);
  assert.equal(runs.size, 99);
  assert.deepEqual(new Set(runs.values()), new Set([1]));
});

test('a host has two pages in flight at first and does not delay other hosts', async (t) => {
  const { held, handler } = holding();
  const scene = await open(t, handler);
  const id = await scene.start({ tasks: [...pages(10, 'slow.test'), ...pages(2, 'other.test')] });
  await until(() => held.size === 4);
  assert.deepEqual([...held.keys()].map((url) => new URL(url).host).sort(), [
    'other.test',
    'other.test',
    'slow.test',
    'slow.test',
  ]);
  await until(async () => {
    for (const release of [...held.values()]) release();
    return (await scene.statusOf(id)) === 'completed';
  });
});

test('a team with one small job does not wait for the large job of another team', async (t) => {
  const order: string[] = [];
  const { handler, held } = holding();
  const scene = await open(
    t,
    async (task, job, tools) => {
      const report = await handler(task, job, tools);
      order.push(job.teamId);
      return report;
    },
    { maxPages: 2 },
  );
  const large = await scene.start({ tasks: Array.from({ length: 30 }, (_, n) => onHost(`h${n}.test`, '/')) });
  await until(() => held.size === 2);
  const small = await scene.start({ tasks: [onHost('a.test', '/'), onHost('b.test', '/')] }, 'another');
  await until(async () => {
    for (const release of [...held.values()]) release();
    return (await scene.statusOf(small)) === 'completed';
  });
  assert.equal(await scene.statusOf(large), 'scraping');
  assert.ok(order.length < 12, `${order.length} pages were done by then`);
});

test('two crawls of one host share its slots', async (t) => {
  const { handler, held } = holding();
  const scene = await open(t, handler, { maxPages: 64 });
  const first = await scene.start({ tasks: pages(20) });
  await until(() => held.size === 2);
  const second = await scene.start({ tasks: [sampleTask('/of-the-second')] });
  let released = 0;
  await until(async () => {
    for (const release of [...held.values()]) {
      release();
      released += 1;
    }
    return (await scene.statusOf(second)) === 'completed';
  });
  assert.equal(await scene.statusOf(first), 'scraping', `after ${released} pages`);
});

test('a job with a pause between pages runs them one by one', async (t) => {
  const startedAt: number[] = [];
  const scene = await open(
    t,
    async (task) => {
      startedAt.push(scene.clock.now());
      return { outcome: donePage(task) };
    },
    { paceOf: () => ({ concurrency: 1, pauseMs: 5_000 }) },
  );
  const id = await scene.start({ tasks: pages(3) });
  for (let turn = 1; turn <= 3; turn++) {
    await until(() => startedAt.length === turn);
    await until(async () => (await scene.store.queue.load((await team(scene)).id)).active === 0);
    scene.clock.set(START + turn * 5_000);
  }
  await ended(scene, id);
  assert.deepEqual(startedAt, [START, START + 5_000, START + 10_000]);
});

const team = (scene: Scene) => scene.store.teams.ensureTeam('default', START);

test('a page that waits to be written holds no slot, but not too many wait', async (t) => {
  const writing = Promise.withResolvers<void>();
  let seen = 0;
  const handler: TaskHandler = async (task) => {
    seen += 1;
    return { outcome: donePage(task) };
  };
  const scene = await open(t, handler, ({ queue }) => ({
    queue: override(queue, { finish: (...call) => writing.promise.then(() => queue.finish(...call)) }),
    maxPages: 2,
  }));
  const id = await scene.start({ tasks: pages(40) });
  // Sixteen without a slot, and two that keep theirs.
  await until(() => seen === 18);
  await until(async () => (await scene.store.queue.load((await team(scene)).id)).active === 18);
  writing.resolve();
  await ended(scene, id);
  assert.equal(seen, 40);
});

test('a task to be retried runs again when it is due', async (t) => {
  const attempts: number[] = [];
  const scene = await open(t, async (task) => {
    attempts.push(task.attempt);
    if (task.attempt === 1) return { outcome: { state: 'retry', at: START + 60_000 } };
    return { outcome: donePage(task) };
  });
  const id = await scene.start();
  await until(async () => attempts.length === 1 && (await scene.store.queue.load((await team(scene)).id)).active === 0);
  scene.clock.set(START + 59_999);
  assert.equal(await scene.statusOf(id), 'scraping');
  scene.clock.set(START + 60_000);
  await ended(scene, id);
  assert.deepEqual(attempts, [1, 2]);
});

test('an internal error fails its page and nothing else', async (t) => {
  const scene = await open(t, async (task) => {
    if (task.url.endsWith('/1')) throw new TypeError('a secret detail');
    return { outcome: donePage(task) };
  });
  const id = await scene.start({ tasks: pages(3) });
  await ended(scene, id);
  const { errors } = await scene.store.jobs.problems(id);
  assert.deepEqual(
    errors.map(({ code, message }) => [code, message]),
    [['UNKNOWN_ERROR', 'An unexpected error occurred. Try again; the server log has the cause.']],
  );
});

test('a kick-off that fails three times fails the job', async (t) => {
  let kicks = 0;
  const scene = await open(t, async () => {
    kicks += 1;
    throw new Error('no');
  });
  const id = await scene.start({ tasks: [kickOff] });
  for (const attempt of [1, 2]) {
    await until(async () => kicks === attempt);
    await until(async () => {
      scene.clock.set(scene.clock.now() + 10_000);
      return kicks > attempt;
    });
  }
  await ended(scene, id, 'failed');
  assert.equal(kicks, 3);
});

test('a dropped job aborts its tasks in flight and starts no more', async (t) => {
  const { held, handler } = holding();
  const scene = await open(t, handler);
  const id = await scene.start({ tasks: pages(10) });
  await until(() => held.size === 2);
  assert.equal(await scene.store.jobs.cancel(id, (await team(scene)).id, START), 'cancelled');
  scene.worker.drop(id);
  await until(() => held.size === 0);
});

test('the next worker finishes the tasks of a closed one', async (t) => {
  const { held, handler } = holding();
  const scene = await open(t, handler);
  const id = await scene.start({ tasks: pages(5) });
  await until(() => held.size === 2);
  await scene.worker.close();
  assert.equal(held.size, 0);

  const seen: ClaimedTask[] = [];
  const next = openWorker(scene.store, scene.clock, async (task, ...rest) => {
    seen.push(task);
    return done(task, ...rest);
  });
  t.after(() => next.close());
  for (const job of await scene.store.jobs.unfinished()) next.run(job);
  await ended(scene, id);
  assert.equal(seen.length, 5);
  assert.deepEqual(new Set(seen.map(({ attempt }) => attempt)), new Set([1]));
});

test('a page that never finished in many runs of the program is given up', async (t) => {
  const scene = await open(t, done);
  const { id: teamId } = await team(scene);
  const job = sampleJob(teamId, { tasks: [sampleTask('/')] });
  await scene.store.jobs.add(job);
  for (let run = 0; run < 25; run++) {
    const now = START + run;
    await scene.store.queue.claim({
      owner: `run ${run}`,
      jobId: job.id,
      slots: 1,
      hostSlots: {},
      otherHostSlots: 1,
      now,
      leaseUntil: now,
    });
  }
  scene.clock.set(START + 100);
  scene.worker.run((await scene.store.jobs.view(job.id, teamId, START))!);
  await until(async () => (await scene.store.jobs.view(job.id, teamId, START))?.status === 'completed');
  const { errors } = await scene.store.jobs.problems(job.id);
  assert.match(errors[0]!.message, /25 times/);
});
