// Every JobQueue adapter passes these tests on what workers of several processes need: which jobs have something to claim, which
// still run, tasks that are given back, and limits of a job that hold for all its workers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claim, claimOne, donePage, finish, finishAs, OWNER, onHost, sampleTask, startJob } from './job-samples.ts';
import { MINUTE, type OpenStore, START } from './samples.ts';

const ASK = { fullHosts: [], now: START, limit: 10 };
const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

export function testClaimableJobs(adapter: string, open: OpenStore): void {
  describe(`JobQueue on ${adapter}: claimable jobs`, () => {
    test('a job is claimable while it has a waiting page, a page that is due, or one whose lease has ended', async (t) => {
      const store = await open(t);
      assert.deepEqual(await store.queue.claimable(ASK), []);
      const running = await startJob(store, { tasks: pages('/a') });
      assert.deepEqual(await store.queue.claimable(ASK), [running.id]);
      const task = await claimOne(running);
      assert.deepEqual(await store.queue.claimable(ASK), []);
      assert.deepEqual(await store.queue.claimable({ ...ASK, now: START + MINUTE }), [running.id]);
      await finish(running, task, { state: 'retry', at: START + 10 });
      assert.deepEqual(await store.queue.claimable({ ...ASK, now: START + 9 }), []);
      assert.deepEqual(await store.queue.claimable({ ...ASK, now: START + 10 }), [running.id]);
      await claimOne(running, { now: START + 10 });
      await finish(running, task, donePage(task), START + 10);
      assert.deepEqual(await store.queue.claimable({ ...ASK, now: START + MINUTE * 5 }), []);
    });

    test('paused and ended jobs are not claimable; a resumed one is', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { tasks: pages('/a') });
      await store.jobs.pause(running.id, running.teamId, START);
      assert.deepEqual(await store.queue.claimable(ASK), []);
      assert.deepEqual(
        (await store.jobs.running([running.id])).map(({ id, pausedAt }) => [id, pausedAt]),
        [[running.id, START]],
      );
      await store.jobs.resume(running.id, running.teamId, START);
      assert.deepEqual(await store.queue.claimable(ASK), [running.id]);
      await store.jobs.cancel(running.id, running.teamId, START);
      assert.deepEqual(await store.queue.claimable(ASK), []);
      assert.deepEqual(await store.jobs.running([running.id, 'unknown']), []);
    });

    test('pages of full hosts do not make a job claimable', async (t) => {
      const store = await open(t);
      const one = await startJob(store, { tasks: [onHost('full.test', '/1')] });
      const two = await startJob(store, { tasks: [onHost('full.test', '/1'), onHost('free.test', '/1')] });
      assert.deepEqual((await store.queue.claimable(ASK)).toSorted(), [one.id, two.id].toSorted());
      assert.deepEqual(await store.queue.claimable({ ...ASK, fullHosts: ['full.test'] }), [two.id]);
      assert.deepEqual(await store.queue.claimable({ ...ASK, fullHosts: ['full.test', 'free.test'] }), []);
    });

    test('teams take turns: one with many jobs does not hide those of the others', async (t) => {
      const store = await open(t);
      const many = [];
      for (let at = 0; at < 5; at++)
        many.push((await startJob(store, { tasks: pages('/a'), createdAt: START + at })).id);
      const { id: teamId } = await store.teams.ensureTeam('another', START);
      const late = await startJob(store, { teamId, tasks: pages('/a'), createdAt: START + 100 });
      assert.deepEqual(await store.queue.claimable({ ...ASK, limit: 3 }), [many[0], late.id, many[1]]);
    });

    test('tasks that are given back can be claimed again, and the others stay', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const { tasks } = await claim(running, { slots: 2 });
      const [back, kept] = tasks;
      await running.store.queue.release(OWNER, [back!.id]);
      await running.store.queue.release('worker 2', [kept!.id]);
      const ids = [back!.id, kept!.id];
      assert.deepEqual(await running.store.queue.extend(OWNER, ids, START + MINUTE, START), [back!.id]);
      const again = await claimOne(running);
      assert.deepEqual([again.id, again.attempt], [back!.id, 1]);
    });

    test('the limit of a job holds for all its workers together', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c', '/d') });
      const jobPace = { concurrency: 3, pauseMs: 0 };
      assert.equal((await claim(running, { slots: 2, jobPace })).tasks.length, 2);
      const { tasks } = await claim(running, { slots: 2, owner: 'worker 2', jobPace });
      assert.equal(tasks.length, 1);
      assert.deepEqual((await claim(running, { slots: 2, jobPace })).tasks, []);
      await finishAs(running.store, 'worker 2', tasks[0]!, donePage(tasks[0]!));
      assert.equal((await claim(running, { slots: 2, jobPace })).tasks.length, 1);
    });

    test('the pause between the pages of a job holds for all its workers together', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const jobPace = { concurrency: 1, pauseMs: 1_000 };
      const first = await claimOne(running, { jobPace });
      await finish(running, first, donePage(first));
      const theirs = { owner: 'worker 2', jobPace };
      assert.deepEqual(await claim(running, theirs), { tasks: [], fullHosts: [], nextAt: START + 1_000 });
      assert.equal((await claim(running, { ...theirs, now: START + 1_000 })).tasks.length, 1);
    });
  });
}
