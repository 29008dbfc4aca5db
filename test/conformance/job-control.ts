// Every JobStore adapter passes these tests on pausing, extending and retrying jobs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewTask } from '../../src/store/ports/jobs/job-queue.ts';
import {
  claim,
  claimedPaths,
  claimOne,
  completePage,
  donePage,
  failure,
  finish,
  finishAs,
  kickOff,
  type Running,
  resultPaths,
  sampleTask,
  startJob,
  viewOf,
  webhookFor,
} from './job-samples.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START } from './samples.ts';

const pages = (...paths: string[]): NewTask[] => paths.map((path) => sampleTask(path));
const rerun = { now: START, maxUnfinished: 100 };
const pause = ({ store, id, teamId }: Running, now = START) => store.jobs.pause(id, teamId, now);
const resume = ({ store, id, teamId }: Running) => store.jobs.resume(id, teamId, START);
const setLimit = ({ store, id, teamId }: Running, limit: number, request = rerun) =>
  store.jobs.setLimit(id, teamId, { ...request, limit });
const retry = ({ store, id, teamId }: Running, request = rerun) => store.jobs.retry(id, teamId, request);
const errorsOf = async ({ store, id }: Running) => (await store.jobs.problems(id)).errors;
/** Claims the next task and lets it fail. */
const failPage = async (running: Running) => finish(running, await claimOne(running), failure());
/** The paths of all tasks that can be claimed. */
const claimable = async (running: Running) => claimedPaths((await claim(running, { slots: 1_000 })).tasks);

export function testJobControl(adapter: string, open: OpenStore): void {
  describe(`JobStore on ${adapter}: pausing`, () => {
    test('no worker claims pages of a paused job; those in flight end, and a resumed job goes on', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const task = await claimOne(running);
      assert.equal(await pause(running, START + 1), 'scraping');
      assert.equal(await pause(running, START + 2), 'scraping');
      assert.equal((await viewOf(running)).pausedAt, START + 1, 'the second pause changes nothing');
      assert.deepEqual(await claim(running, { slots: 9, owner: 'worker 2' }), { tasks: [], fullHosts: [] });
      assert.deepEqual(await running.store.queue.load(running.teamId), { active: 1, waiting: 0 });
      assert.deepEqual(await running.store.queue.extend('worker 1', [task.id], START + MINUTE, START), []);
      assert.equal((await finish(running, task, donePage(task, { links: pages('/d') }))).became, 'done');
      assert.deepEqual(await claim(running, { slots: 9, now: START + DAY }), { tasks: [], fullHosts: [] });
      assert.equal(await resume(running), 'scraping');
      assert.equal(await resume(running), 'scraping');
      assert.equal((await viewOf(running)).pausedAt, undefined);
      assert.deepEqual(await claimable(running), ['/b', '/c', '/d']);
    });

    test('a paused job completes with its last page, and can be cancelled', async (t) => {
      const store = await open(t);
      const one = await startJob(store);
      const task = await claimOne(one);
      await pause(one);
      assert.equal((await finish(one, task, donePage(task))).job.status, 'completed');
      assert.equal((await viewOf(one)).pausedAt, undefined);
      assert.deepEqual([await pause(one), await resume(one)], ['completed', 'completed']);
      const other = await startJob(store);
      await pause(other);
      assert.equal(await store.jobs.cancel(other.id, other.teamId, START), 'cancelled');
      assert.deepEqual([await pause(other), await resume(other)], ['cancelled', 'cancelled']);
      assert.equal(await store.jobs.pause('no such job', one.teamId, START), undefined);
      const stranger = await store.teams.ensureTeam('stranger', START);
      assert.equal(await store.jobs.pause(other.id, stranger.id, START), undefined);
    });

    test('a pause of a week, or of an hour without data retention, cancels the job', async (t) => {
      const store = await open(t);
      const usual = await startJob(store, { webhook: webhookFor('cancelled') });
      const forgetful = await startJob(store, { zeroDataRetention: true });
      const working = await startJob(store);
      await pause(usual);
      await pause(forgetful);
      const idsAt = async (now: number) => (await store.jobs.endPauses(now)).map(({ id }) => id);
      assert.deepEqual(await idsAt(START + HOUR - 1), []);
      assert.deepEqual(await idsAt(START + HOUR), [forgetful.id]);
      assert.deepEqual(await idsAt(START + 7 * DAY - 1), []);
      const now = START + 7 * DAY;
      await store.pages.sweep(now - 1);
      assert.deepEqual(await idsAt(now), [usual.id]);
      const { status, pausedAt, expiresAt, error } = await viewOf(usual, now);
      assert.deepEqual([status, pausedAt, expiresAt], ['cancelled', undefined, now + DAY]);
      assert.match(error!, /paused for too long/);
      assert.equal((await store.deliveries.due(now, 9)).length, 1);
      assert.equal((await viewOf(working, now)).status, 'scraping');
    });
  });

  describe(`JobStore on ${adapter}: changing the limit`, () => {
    test('a completed crawl goes on with the pages that were found first, and reads its sitemaps again', async (t) => {
      const tasks = [kickOff, ...pages('/a', '/b', '/c', '/d', '/e')];
      const running = await startJob(await open(t), { limit: 2, tasks, webhook: webhookFor('completed') });
      await finish(running, await claimOne(running), { state: 'kicked-off' });
      await completePage(running, '/a');
      assert.equal((await completePage(running, '/b')).job.status, 'completed');
      await running.store.pages.sweep(START + HOUR);
      assert.deepEqual(await setLimit(running, 4), { hasDropped: false });
      const { status, total, limit, finishedAt } = await viewOf(running);
      assert.deepEqual([status, total, limit, finishedAt], ['scraping', 4, 4, undefined]);
      const again = await claimOne(running);
      assert.equal(again.kind, 'kick-off');
      await finish(running, again, { state: 'kicked-off', links: pages('/a', '/f') });
      await completePage(running, '/c');
      assert.equal((await completePage(running, '/d')).job.status, 'completed');
      assert.deepEqual(await resultPaths(running), ['/a', '/b', '/c', '/d']);
      const due = async () => {
        const calls = await running.store.deliveries.due(START, 9);
        for (const { id } of calls) await running.store.deliveries.settle(id, 'delivered', { at: START });
        return calls.length;
      };
      assert.deepEqual([await due(), await due(), await due()], [1, 1, 0], 'each end is reported');
    });

    test('a lower limit sets aside the pages found last, but none that is begun, and a higher one returns them', async (t) => {
      const running = await startJob(await open(t), { limit: 6, tasks: pages('/a', '/b', '/c', '/d', '/e', '/f') });
      const a = await claimOne(running);
      const b = await claimOne(running);
      await completePage(running, '/c');
      await finish(running, b, { state: 'retry', at: START + 5 });
      assert.deepEqual(await setLimit(running, 2), { least: 3 });
      assert.equal((await viewOf(running)).limit, 6, 'nothing has changed');
      assert.deepEqual(await setLimit(running, 4), { hasDropped: false });
      assert.equal((await viewOf(running)).total, 4);
      await setLimit(running, 5);
      await setLimit(running, 3);
      await finish(running, a, donePage(a));
      await completePage(running, '/b', {}, START + 5);
      assert.deepEqual([(await viewOf(running)).status, (await viewOf(running)).total], ['completed', 3]);
      await setLimit(running, 1_000);
      assert.deepEqual(await claimable(running), ['/d', '/e', '/f']);
    });

    test('thousands of pages are set aside and returned in order', async (t) => {
      const paths = Array.from({ length: 12_000 }, (_, at) => `/${at}`);
      const running = await startJob(await open(t), { limit: 20_000, tasks: pages(...paths) });
      await setLimit(running, 3);
      assert.equal((await viewOf(running)).total, 3);
      await setLimit(running, 12_000);
      assert.equal((await viewOf(running)).total, 12_000);
      assert.deepEqual(claimedPaths((await claim(running, { slots: 5, otherHostSlots: 9 })).tasks), paths.slice(0, 5));
    });

    test('of two limits that are set at the same time, the later one holds', async (t) => {
      const paths = Array.from({ length: 18_000 }, (_, at) => `/${at}`);
      const running = await startJob(await open(t), { limit: 12_000, tasks: pages(...paths) });
      const settled = { hasDropped: false };
      assert.deepEqual(await Promise.all([setLimit(running, 3), setLimit(running, 18_000)]), [settled, settled]);
      const { total, limit } = await viewOf(running);
      assert.deepEqual([total, limit], [18_000, 18_000]);
    });

    test('a crawl ends when its limit is lowered to what it has, and says if it has forgotten links', async (t) => {
      const running = await startJob(await open(t), { limit: 2, tasks: pages('/a', '/b') });
      const many = Array.from({ length: 10_001 }, (_, at) => sampleTask(`/more/${at}`));
      await completePage(running, '/a', { links: many });
      await setLimit(running, 1);
      assert.equal((await viewOf(running)).status, 'completed');
      assert.deepEqual(await setLimit(running, 2), { hasDropped: true });
      assert.equal((await completePage(running, '/b')).job.status, 'completed');
    });

    test('a failed or cancelled crawl keeps its limit, and a full queue lets no ended one run again', async (t) => {
      const store = await open(t);
      const failed = await startJob(store);
      await finish(failed, await claimOne(failed), { state: 'fatal', message: 'No.' });
      const cancelled = await startJob(store);
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      assert.deepEqual([await setLimit(failed, 9), await setLimit(cancelled, 9)], ['failed', 'cancelled']);
      assert.equal(await store.jobs.setLimit('no such job', failed.teamId, { ...rerun, limit: 9 }), undefined);
      const full = await startJob(store, { limit: 1, tasks: pages('/a', '/b') });
      await completePage(full, '/a');
      await startJob(store);
      assert.equal(await setLimit(full, 2, { ...rerun, maxUnfinished: 1 }), 'queue-full');
      assert.equal((await viewOf(full)).limit, 1);
      assert.deepEqual(await setLimit(full, 2, { ...rerun, maxUnfinished: 2 }), { hasDropped: false });
    });
  });

  describe(`JobStore on ${adapter}: retrying`, () => {
    test('failed pages wait again with all their attempts, and their errors and unsent events are gone', async (t) => {
      const webhook = webhookFor('page', 'completed');
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c'), webhook });
      await failPage(running);
      await completePage(running, '/b');
      assert.equal((await failPage(running)).job.status, 'completed');
      assert.deepEqual(await retry(running), { retried: 2, left: 0 });
      const { status, failed, total, finishedAt } = await viewOf(running);
      assert.deepEqual([status, failed, total, finishedAt], ['scraping', 0, 3, undefined]);
      assert.deepEqual(await errorsOf(running), []);
      const first = await claimOne(running);
      assert.deepEqual([first.url, first.attempt], ['http://site.test/a', 1]);
      await finish(running, first, donePage(first));
      await failPage(running);
      assert.deepEqual([(await errorsOf(running)).length, await resultPaths(running)], [1, ['/b', '/a']]);
      assert.equal((await viewOf(running)).status, 'completed');
      const types: string[] = [];
      for (let now = START; ; now += HOUR) {
        const [call] = await running.store.deliveries.due(now, 9);
        if (!call) break;
        types.push(`${call.event} ${JSON.parse(new TextDecoder().decode(call.body)).success}`);
        await running.store.deliveries.settle(call.id, 'delivered', { at: START });
      }
      assert.deepEqual(types, ['page true', 'completed true', 'page true', 'page false', 'completed true']);
      assert.deepEqual(await retry(running), { retried: 1, left: 0 });
      await pause(running);
      assert.deepEqual(await retry(running), { retried: 0, left: 0 }, 'it waits already');
    });

    test('a retried page takes its slot back from pages found later, and the limit holds', async (t) => {
      const running = await startJob(await open(t), { limit: 2, tasks: pages('/a', '/b', '/c', '/d') });
      await failPage(running);
      assert.deepEqual(await retry(running), { retried: 1, left: 0 });
      assert.deepEqual(await claimable(running), ['/a', '/b']);
      assert.equal((await viewOf(running)).total, 2);

      const full = await startJob(running.store, { limit: 2, tasks: pages('/a', '/b', '/c') });
      await failPage(full);
      await completePage(full, '/b');
      await completePage(full, '/c');
      assert.deepEqual(await retry(full), { retried: 0, left: 1 });
      assert.deepEqual([(await viewOf(full)).status, (await errorsOf(full)).length], ['completed', 1]);
      await setLimit(full, 3);
      assert.deepEqual(await retry(full), { retried: 1, left: 0 });
      assert.equal((await completePage(full, '/a')).job.status, 'completed');
      assert.deepEqual(await resultPaths(full), ['/b', '/c', '/a']);
    });

    test('a failed job goes on where it stopped, and an outcome from before counts for nothing', async (t) => {
      const running = await startJob(await open(t), { tasks: [kickOff, ...pages('/a', '/b', '/c')] });
      const first = await claimOne(running);
      await finish(running, first, { state: 'retry', at: START });
      const start = await claimOne(running);
      const [a, b] = [await claimOne(running), await claimOne(running)];
      await finish(running, a, donePage(a));
      await finish(running, start, { state: 'fatal', message: 'No credits.' });
      assert.deepEqual([(await viewOf(running)).status, (await viewOf(running)).error], ['failed', 'No credits.']);
      assert.equal((await finish(running, b, donePage(b))).became, 'lost');
      await running.store.pages.sweep(START + HOUR);
      assert.deepEqual(await retry(running), { retried: 0, left: 0 });
      const { status, error } = await viewOf(running);
      assert.deepEqual([status, error], ['scraping', undefined]);
      assert.equal((await finish(running, b, donePage(b))).became, 'lost', 'it waits for another claim');
      const { tasks } = await claim(running, { slots: 9, owner: 'worker 2' });
      assert.deepEqual(tasks.map(({ kind, attempt }) => [kind, attempt]).sort(), [
        ['kick-off', 1],
        ['page', 1],
        ['page', 1],
      ]);
      for (const task of tasks) {
        const outcome = task.kind === 'page' ? donePage(task) : ({ state: 'kicked-off' } as const);
        await finishAs(running.store, 'worker 2', task, outcome);
      }
      assert.equal((await viewOf(running)).status, 'completed');
      assert.deepEqual(await resultPaths(running), ['/a', '/b', '/c']);
    });

    test('a cancelled job stays so, and a full queue lets no ended job run again', async (t) => {
      const store = await open(t);
      const cancelled = await startJob(store, { tasks: pages('/a', '/b') });
      await failPage(cancelled);
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      assert.equal(await retry(cancelled), 'cancelled');
      assert.equal(await store.jobs.retry('no such job', cancelled.teamId, rerun), undefined);
      const ended = await startJob(store);
      await failPage(ended);
      await startJob(store);
      assert.equal(await retry(ended, { ...rerun, maxUnfinished: 1 }), 'queue-full');
      assert.equal((await errorsOf(ended)).length, 1);
      assert.deepEqual(await retry(ended, { ...rerun, maxUnfinished: 2 }), { retried: 1, left: 0 });
    });
  });
}
