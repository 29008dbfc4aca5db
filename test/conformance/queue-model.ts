// Any sequence of operations on a job leaves its counters right, and every job ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClaimedTask, NewTask, TaskOutcome } from '../../src/store/ports/jobs/job-queue.ts';
import { runs, seedOr } from '../support/runs.ts';
import {
  byRobots,
  byScope,
  claim,
  countersOf,
  documentsOf,
  donePage,
  failure,
  finish,
  finishAs,
  kickOff,
  OWNER,
  type Running,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import { MINUTE, type OpenStore, START } from './samples.ts';

const SEED = seedOr(20260105);
const PATHS = 12;

const path = fc.nat(PATHS - 1).map((number) => `/p${number}`);
const newTask = fc
  .tuple(path, fc.constantFrom('page', 'page', 'page', 'page', 'page', 'robots', 'scope'))
  .map(([at, kind]): NewTask => (kind === 'page' ? sampleTask(at) : kind === 'robots' ? byRobots(at) : byScope(at)));
const newTasks = fc.array(newTask, { maxLength: 5 });

/** The next operation. `pick` chooses one of the running tasks. */
const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ act: fc.constant('claim' as const), slots: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 30,
    arbitrary: fc.record({
      act: fc.constant('done' as const),
      pick: fc.nat(),
      // The final address and the canonical address, often those of another page.
      finalPath: fc.option(path),
      group: fc.option(path),
      text: fc.nat(3),
      links: newTasks,
    }),
  },
  {
    weight: 15,
    arbitrary: fc.record({ act: fc.constantFrom('failed', 'blocked', 'retry', 'late'), pick: fc.nat() }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('discover' as const), pick: fc.nat(), links: newTasks }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom('append' as const), links: newTasks }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom('release' as const, 'expire' as const) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('try again' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fatal' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a caller of the ports knows from their answers. */
interface Known {
  running: ClaimedTask[];
  completed: number;
  failed: number;
  now: number;
}

const outcomeOf = (act: string, now: number): TaskOutcome =>
  act === 'failed' ? failure() : act === 'blocked' ? { state: 'blocked' } : { state: 'retry', at: now + 5 };

async function take(job: Running, known: Known, next: Step): Promise<void> {
  const { queue, jobs } = job.store;
  known.now += 1;
  const { now } = known;
  if (next.act === 'claim') {
    const { tasks } = await claim(job, { slots: next.slots, now, leaseUntil: now + MINUTE });
    if ((await viewOf(job)).pausedAt !== undefined) assert.deepEqual(tasks, [], 'nothing of a paused job is claimed');
    for (const task of tasks)
      assert.ok(!known.running.some(({ id }) => id === task.id), 'no other worker has the task');
    known.running.push(...tasks);
  } else if (next.act === 'append') {
    const appended = await jobs.append(job.id, job.teamId, { tasks: next.links, now });
    const { status } = await countersOf(job);
    assert.equal(appended, status === 'cancelled' || status === 'failed' ? status : 'appended');
  } else if (next.act === 'release') {
    await queue.release(OWNER);
    known.running = [];
  } else if (next.act === 'expire') {
    known.now += MINUTE;
    known.running = [];
    await claim(job, { slots: 0, now: known.now });
  } else if (next.act === 'cancel') {
    await jobs.cancel(job.id, job.teamId, now);
    known.running = [];
  } else if (next.act === 'fatal' && known.running.length > 0) {
    assert.equal((await finish(job, known.running[0]!, { state: 'fatal', message: 'No.' }, now)).became, 'failed');
    known.running = [];
  } else if (next.act === 'pause' || next.act === 'resume') {
    const { status } = await countersOf(job);
    assert.equal(await jobs[next.act](job.id, job.teamId, now), status);
  } else if (next.act === 'limit') {
    await changeLimit(job, known, next.limit);
  } else if (next.act === 'try again') {
    await tryAgain(job, known);
  } else if ('pick' in next && known.running.length > 0) {
    await settle(job, known, next, known.running[next.pick % known.running.length]!);
  }
}

async function changeLimit(job: Running, { running, completed, now }: Known, limit: number): Promise<void> {
  const before = await viewOf(job);
  const change = await job.store.jobs.setLimit(job.id, job.teamId, { limit, now, maxUnfinished: 1e9 });
  const { limit: after, status } = await viewOf(job);
  if (before.status === 'failed' || before.status === 'cancelled') return assert.equal(change, before.status);
  const begun = completed + running.filter(({ kind }) => kind === 'page').length;
  if (typeof change === 'object' && 'least' in change) {
    assert.ok(limit < change.least && change.least >= begun, 'only what is begun cannot be given up');
    return assert.deepEqual([after, status], [before.limit, before.status]);
  }
  assert.deepEqual([change, after], [{ hasDropped: false }, limit]);
  assert.ok(begun <= limit);
}

async function tryAgain(job: Running, known: Known): Promise<void> {
  const { status } = await viewOf(job);
  const retry = await job.store.jobs.retry(job.id, job.teamId, { now: known.now, maxUnfinished: 1e9 });
  if (status === 'cancelled') return assert.equal(retry, status);
  assert.ok(typeof retry === 'object');
  assert.equal(retry.retried + retry.left, known.failed);
  known.failed = retry.left;
  const after = await viewOf(job);
  if (retry.left > 0) assert.equal(after.total, after.limit, 'pages are only left when there is no room');
}

async function settle(job: Running, known: Known, next: Extract<Step, { pick: number }>, task: ClaimedTask) {
  const { now } = known;
  if (next.act === 'late') {
    assert.equal((await finishAs(job.store, 'stranger', task, failure(), now)).became, 'lost');
    return;
  }
  if ('links' in next && next.act === 'discover') {
    assert.equal(await job.store.queue.discover(OWNER, task.id, next.links, now), true);
    return;
  }
  known.running = known.running.filter(({ id }) => id !== task.id);
  if (task.kind === 'kick-off') {
    assert.equal((await finish(job, task, { state: 'kicked-off' }, now)).became, 'done');
    return;
  }
  const outcome = 'text' in next ? sketchPage(task, next) : outcomeOf(next.act, now);
  const { became } = await finish(job, task, outcome, now);
  if (became === 'done') known.completed += 1;
  if (became === 'failed') known.failed += 1;
  assert.ok(outcome.state === 'done' ? ['done', 'duplicate'].includes(became) : became !== 'lost', became);
}

function sketchPage(task: ClaimedTask, { finalPath, group, text, links }: Extract<Step, { text: number }>) {
  const finalKey = finalPath === null ? task.key : `site.test${finalPath}`;
  return donePage(task, {
    finalKey,
    group: group === null ? finalKey : `site.test${group}`,
    text: `text ${text}`,
    links,
  });
}

async function assertCounters(job: Running, known: Known): Promise<void> {
  const { status, total, completed, failed, blocked, active, waiting } = await countersOf(job);
  const { limit, pausedAt } = await viewOf(job);
  const { robotsBlocked, errors } = await job.store.jobs.problems(job.id);
  const results = await documentsOf(job);
  assert.deepEqual([completed, failed], [known.completed, known.failed]);
  assert.equal(results.length, completed);
  assert.equal(new Set(results.map(({ metadata }) => metadata.sourceURL)).size, completed, 'no page twice');
  assert.equal(blocked, robotsBlocked.length);
  assert.equal(errors.filter(({ code }) => code !== 'EXTERNAL_LINK').length, failed);
  assert.ok(total <= limit, 'the limit holds');
  if (status !== 'scraping') assert.equal(pausedAt, undefined, 'only a running job is paused');
  if (status === 'cancelled' || status === 'failed') return assert.deepEqual([active, waiting], [0, 0]);
  const pages = known.running.filter(({ kind }) => kind === 'page').length;
  assert.equal(active, pages);
  if (pausedAt !== undefined) assert.equal(waiting, 0);
  else assert.equal(total, active + waiting + completed);
  if (status === 'completed') assert.deepEqual([total, active, waiting], [completed, 0, 0]);
}

/** Completes all remaining pages, none of which has links. */
async function runToEnd(job: Running, known: Known): Promise<void> {
  await job.store.jobs.resume(job.id, job.teamId, known.now);
  for (let round = 0; round < 10 * PATHS; round++) {
    if ((await countersOf(job)).status !== 'scraping') return;
    known.now += MINUTE;
    await claim(job, { slots: 0, now: known.now });
    known.running = (await claim(job, { slots: 99, now: known.now, leaseUntil: known.now + MINUTE })).tasks;
    for (const [index, task] of known.running.entries()) {
      const page = { finalPath: null, group: null, text: 10 + index, links: [] };
      await settle(job, known, { act: 'done', pick: 0, ...page }, task);
    }
  }
  assert.fail('the job never ended');
}

export function testQueueModel(adapter: string, open: OpenStore): void {
  describe(`JobQueue on ${adapter}: any sequence`, () => {
    test(`the counters add up after every step, and every job ends (seed ${SEED})`, async (t) => {
      const store = await open(t);
      await fc.assert(
        fc.asyncProperty(
          fc.record({ limit: fc.integer({ min: 1, max: 6 }), tasks: newTasks, hasKickOff: fc.boolean() }),
          fc.array(step, { maxLength: 25 }),
          async ({ limit, tasks, hasKickOff }, steps) => {
            const job = await startJob(store, { limit, tasks: hasKickOff ? [kickOff, ...tasks] : tasks });
            const known: Known = { running: [], completed: 0, failed: 0, now: START };
            for (const next of steps) {
              await take(job, known, next);
              await assertCounters(job, known);
            }
            await runToEnd(job, known);
            await assertCounters(job, known);
          },
        ),
        { seed: SEED, numRuns: runs(30, 1_200) },
      );
    });
  });
}
