// Every JobQueue adapter passes these tests on claiming, extending and releasing tasks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClaimRequest } from '../../src/store/ports/jobs/job-queue.ts';
import {
  claim,
  claimedPaths,
  claimOne,
  donePage,
  finish,
  finishAs,
  kickOff,
  OWNER,
  onHost,
  type Running,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import { DAY, MINUTE, type OpenStore, START } from './samples.ts';

const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

const claimUrls = async (running: Running, request: Partial<ClaimRequest>): Promise<string[]> =>
  (await claim(running, request)).tasks.map(({ url }) => url.replace('http://', ''));

export function testClaims(adapter: string, open: OpenStore): void {
  describe(`JobQueue on ${adapter}: claims`, () => {
    test('tasks of a host are claimed in the order they were found, each by one worker only', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/b', '/a', '/c') });
      const { tasks } = await claim(running, { slots: 2 });
      const { id, ...first } = tasks[0]!;
      assert.equal(typeof id, 'number');
      const { url, key, host, depth, steps, pattern } = sampleTask('/b');
      const expected = { kind: 'page', url, key, host, depth, steps, pattern, jobId: running.id, attempt: 1 };
      assert.deepEqual(first, expected);
      assert.deepEqual(claimedPaths(tasks), ['/b', '/a']);
      assert.deepEqual(claimedPaths((await claim(running, { slots: 9, owner: 'worker 2' })).tasks), ['/c']);
      const nothingYet = { tasks: [], fullHosts: [], nextAt: START + MINUTE };
      assert.deepEqual(await claim(running, { slots: 9 }), nothingYet, 'until a lease ends');
    });

    test('hosts take turns, and the next claim continues after the host served last', async (t) => {
      const tasks = ['/1', '/2', '/3'].flatMap((path) => ['a', 'b', 'c'].map((host) => onHost(`${host}.test`, path)));
      const running = await startJob(await open(t), { tasks });
      assert.deepEqual(await claimUrls(running, { slots: 2 }), ['a.test/1', 'b.test/1']);
      assert.deepEqual(await claimUrls(running, { slots: 2 }), ['c.test/1', 'a.test/2']);
      assert.deepEqual(await claimUrls(running, { slots: 9 }), [
        'b.test/2',
        'c.test/2',
        'a.test/3',
        'b.test/3',
        'c.test/3',
      ]);
    });

    test('no host gets more tasks than its free slots, and hosts with more tasks are listed as full', async (t) => {
      const tasks = ['a', 'b', 'c', 'constructor'].flatMap((host) =>
        ['/1', '/2', '/3'].map((path) => onHost(host, path)),
      );
      const running = await startJob(await open(t), { tasks });
      const request = { slots: 20, hostSlots: { a: 0, b: 3, unknown: 7 }, otherHostSlots: 1 };
      const first = await claim(running, request);
      assert.deepEqual(first.tasks.map(({ host }) => host).sort(), ['b', 'b', 'b', 'c', 'constructor']);
      assert.deepEqual(first.fullHosts.sort(), ['a', 'c', 'constructor']);
      const none = await claim(running, { slots: 20, otherHostSlots: 0 });
      assert.deepEqual([none.tasks, none.fullHosts.sort()], [[], ['a', 'c', 'constructor']]);
    });

    test('a job with many hosts serves all of them, even when full hosts come in between', async (t) => {
      const hosts = Array.from({ length: 3_000 }, (_, index) => `host-${index}.test`);
      const running = await startJob(await open(t), { limit: 5_000, tasks: hosts.map((host) => onHost(host, '/')) });
      const hostSlots = Object.fromEntries(hosts.slice(0, 1_500).map((host) => [host, 0]));
      const served = new Set<string>();
      for (let calls = 0; calls < 40 && served.size < 1_500; calls++) {
        const { tasks } = await claim(running, { slots: 100, hostSlots, otherHostSlots: 1 });
        for (const { host } of tasks) served.add(host);
      }
      assert.equal(served.size, 1_500);
    });

    test('a kick-off is claimed like any task but is not counted', async (t) => {
      const running = await startJob(await open(t), { tasks: [kickOff, sampleTask('/')] });
      const { tasks } = await claim(running, { slots: 2 });
      assert.deepEqual(
        tasks.map(({ kind }) => kind),
        ['kick-off', 'page'],
      );
      assert.equal((await viewOf(running)).total, 1);
      assert.deepEqual(await running.store.queue.load(running.teamId), { active: 1, waiting: 0 });
    });

    test('nothing is claimed from a job that is unknown or has ended', async (t) => {
      const running = await startJob(await open(t));
      assert.deepEqual(await claim({ ...running, id: 'no such job' }), { tasks: [], fullHosts: [] });
      await running.store.jobs.cancel(running.id, running.teamId, START);
      assert.deepEqual(await claim(running), { tasks: [], fullHosts: [] });
    });
  });

  describe(`JobQueue on ${adapter}: leases and retries`, () => {
    test('a task with an expired lease goes to the next worker, and the late worker cannot write', async (t) => {
      const running = await startJob(await open(t));
      const first = await claimOne(running, { leaseUntil: START + MINUTE });
      assert.deepEqual((await claim(running, { owner: 'worker 2', now: START + MINUTE - 1 })).tasks, []);
      const lease = { now: START + MINUTE, leaseUntil: START + 2 * MINUTE };
      const second = await claimOne(running, { owner: 'worker 2', ...lease });
      assert.deepEqual([second.id, second.attempt], [first.id, 2]);
      const late = await finish(running, first, donePage(first), START + MINUTE);
      assert.deepEqual([late.became, late.added, late.job.completed], ['lost', 0, 0]);
      assert.equal(await running.store.queue.discover(OWNER, first.id, pages('/x'), START), false);
      const { became } = await finishAs(running.store, 'worker 2', second, donePage(second), START + MINUTE);
      assert.equal(became, 'done');
      assert.equal((await finishAs(running.store, 'worker 2', second, donePage(second))).became, 'lost');
      assert.equal((await viewOf(running)).completed, 1);
    });

    test('an extended lease holds, and the owner learns which tasks it no longer owns', async (t) => {
      const store = await open(t);
      const [kept, dropped] = [await startJob(store, { tasks: pages('/a', '/b') }), await startJob(store)];
      const mine = (await claim(kept, { slots: 2 })).tasks.map(({ id }) => id);
      const cancelled = await claimOne(dropped);
      const foreign = await startJob(store);
      const theirs = await claimOne(foreign, { owner: 'worker 2' });
      await store.jobs.cancel(dropped.id, dropped.teamId, START);
      const ids = [...mine, cancelled.id, theirs.id, 999_999];
      const lost = await store.queue.extend(OWNER, ids, START + 5 * MINUTE, START);
      assert.deepEqual(lost, [cancelled.id, theirs.id, 999_999]);
      assert.deepEqual((await claim(kept, { slots: 9, now: START + 2 * MINUTE })).tasks, []);
      assert.equal(
        (await claim(foreign, { now: START + 2 * MINUTE })).tasks.length,
        1,
        'only its own leases were extended',
      );
      assert.equal((await claim(kept, { slots: 9, now: START + 5 * MINUTE })).tasks.length, 2);
    });

    test('a lease that its owner does not name ends, and a claim says when', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/held', '/forgotten') });
      const [held, forgotten] = (await claim(running, { slots: 2 })).tasks;
      await running.store.queue.extend(OWNER, [held!.id], START + 9 * MINUTE, START);
      const { tasks, nextAt } = await claim(running, { slots: 2, now: START + MINUTE / 2 });
      assert.deepEqual([tasks, nextAt], [[], START + MINUTE]);
      const again = await claim(running, { slots: 2, now: nextAt!, leaseUntil: START + 9 * MINUTE });
      assert.deepEqual(
        again.tasks.map(({ id }) => id),
        [forgotten!.id],
      );
    });

    test('a released task can be claimed by others at once and does not count as an attempt', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const mine = await claimOne(running);
      const theirs = await claimOne(running, { owner: 'worker 2' });
      await running.store.queue.release(OWNER);
      assert.deepEqual(await running.store.queue.extend(OWNER, [mine.id], START + MINUTE, START), [mine.id]);
      assert.deepEqual(await running.store.queue.extend('worker 2', [theirs.id], START + MINUTE, START), []);
      const again = await claimOne(running, { owner: 'worker 3' });
      assert.deepEqual([again.id, again.attempt], [mine.id, 1]);
    });

    test('a task to be retried later is not claimed before then, and the claim says when', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const task = await claimOne(running);
      const at = START + MINUTE;
      const paused = await finish(running, task, { state: 'retry', at });
      assert.deepEqual([paused.became, paused.job.status, paused.job.total], ['waiting', 'scraping', 2]);
      assert.deepEqual(await running.store.queue.load(running.teamId), { active: 0, waiting: 2 });
      assert.deepEqual(claimedPaths((await claim(running, { leaseUntil: START + DAY })).tasks), ['/b']);
      assert.deepEqual(await claim(running, { now: at - 1 }), { tasks: [], fullHosts: [], nextAt: at });
      const again = await claimOne(running, { now: at, leaseUntil: at + MINUTE });
      assert.deepEqual([again.id, again.attempt], [task.id, 2]);
      assert.deepEqual(await claim(running, { now: at - 1 }), { tasks: [], fullHosts: [], nextAt: at + MINUTE });
    });

    test('the load of a team counts the pages of its running jobs', async (t) => {
      const store = await open(t);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const one = await startJob(store, { limit: 2, tasks: pages('/a', '/b', '/spare') });
      const two = await startJob(store, { tasks: pages('/c', '/d') });
      await claim(one, { slots: 1 });
      await claim(two, { slots: 2 });
      assert.deepEqual(await store.queue.load(one.teamId), { active: 3, waiting: 1 });
      assert.deepEqual(await store.queue.load(stranger.id), { active: 0, waiting: 0 });
      await store.jobs.cancel(two.id, two.teamId, START);
      assert.deepEqual(await store.queue.load(one.teamId), { active: 1, waiting: 1 });
    });
  });
}
