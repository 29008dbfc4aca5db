// Every JobStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  byRobots,
  byScope,
  claim,
  claimOne,
  completePage,
  donePage,
  finish,
  resultPaths,
  sampleJob,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import { DAY, HOUR, type OpenStore, START } from './samples.ts';

const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

export function testJobStore(adapter: string, open: OpenStore): void {
  describe(`JobStore on ${adapter}: adding and viewing`, () => {
    test('a job is stored as it was added, and only its own team can view it', async (t) => {
      const store = await open(t);
      const { id: teamId } = await store.teams.ensureTeam('default', START);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const job = sampleJob(teamId, { limit: 7, tasks: pages('/', '/a') });
      assert.equal(await store.jobs.add(job), 'added');
      assert.deepEqual(await store.jobs.view(job.id, teamId, START), {
        id: job.id,
        teamId,
        kind: 'crawl',
        url: job.url,
        options: job.options,
        limit: 7,
        createdAt: START,
        home: job.url,
        status: 'scraping',
        total: 2,
        completed: 0,
        failed: 0,
        blocked: 0,
        hasWebhook: false,
        credits: 0,
        storedBytes: 0,
        zeroDataRetention: false,
        expiresAt: START + DAY,
      });
      assert.equal(await store.jobs.view(job.id, stranger.id, START), undefined);
      assert.equal(await store.jobs.view('no such job', teamId, START), undefined);
    });

    test('a job with many tasks is seen whole or not at all', async (t) => {
      const store = await open(t);
      const { id: teamId } = await store.teams.ensureTeam('default', START);
      const paths = Array.from({ length: 20_000 }, (_, index) => `/${index}`);
      const job = sampleJob(teamId, { limit: 20_000, tasks: pages(...paths), idempotencyKey: 'many' });
      let isAdded = false;
      const adding = store.jobs.add(job).finally(() => {
        isAdded = true;
      });
      // It may be there before those who add it know, so each look is judged by itself.
      const looks: Record<string, () => Promise<number | undefined>> = {
        load: async () => (await store.queue.load(teamId)).waiting,
        unfinished: async () => (await store.jobs.unfinished(teamId))[0]?.total,
        list: async () =>
          (await store.jobs.list(teamId, { kinds: ['crawl', 'batch_scrape'], limit: 10 }, START))[0]?.total,
        view: async () => (await store.jobs.view(job.id, teamId, START))?.total,
      };
      let count = 0;
      for (; !isAdded; count += 1) {
        for (const [what, look] of Object.entries(looks))
          assert.ok([undefined, 0, 20_000].includes(await look()), what);
      }
      assert.ok(count > 1);
      assert.equal(await adding, 'added');
      assert.equal((await store.jobs.view(job.id, teamId, START))?.total, 20_000);
      assert.deepEqual(await store.queue.load(teamId), { active: 0, waiting: 20_000 });
      assert.equal(await store.jobs.add(sampleJob(teamId, { idempotencyKey: 'many' })), 'key-used');

      const more = { tasks: pages(...paths.map((path) => `${path}/more`)), now: START };
      assert.equal(await store.jobs.append(job.id, teamId, more), 'appended');
      const { total, limit } = (await store.jobs.view(job.id, teamId, START))!;
      assert.deepEqual([total, limit], [40_000, 40_000]);
    });

    test("a job beyond the team's limit is refused, and nothing of it is stored", async (t) => {
      const store = await open(t);
      const running = await startJob(store);
      const { teamId } = running;
      const other = await store.teams.ensureTeam('other', START);
      const refused = sampleJob(teamId, { maxUnfinished: 1, idempotencyKey: 'again' });
      assert.equal(await store.jobs.add(refused), 'queue-full');
      assert.equal(await store.jobs.view(refused.id, teamId, START), undefined);
      assert.deepEqual(await store.queue.load(teamId), { active: 0, waiting: 1 });
      assert.equal(
        await store.jobs.add(sampleJob(other.id, { maxUnfinished: 1 })),
        'added',
        'each team has its own limit',
      );
      await completePage(running, '/');
      assert.equal(
        await store.jobs.add(refused),
        'added',
        'finished jobs no longer count, and the key was not used up',
      );
    });

    test('the same idempotency key starts no second job of the team within 24 hours', async (t) => {
      const store = await open(t);
      const { teamId } = await startJob(store, { idempotencyKey: 'key' });
      const other = await store.teams.ensureTeam('other', START);
      const again = (createdAt: number) => sampleJob(teamId, { idempotencyKey: 'key', createdAt, maxUnfinished: 2 });
      const refused = again(START + DAY - 1);
      assert.equal(await store.jobs.refusal(refused, refused.createdAt), 'key-used');
      assert.equal(await store.jobs.add(refused), 'key-used');
      assert.equal(await store.jobs.view(refused.id, teamId, START), undefined);
      const free = sampleJob(other.id, { idempotencyKey: 'key' });
      assert.equal(await store.jobs.refusal(free, START), undefined);
      assert.equal(await store.jobs.add(free), 'added');
      assert.equal(await store.jobs.add(again(START + DAY)), 'added', 'the key is free after 24 hours, swept or not');
      assert.equal(await store.jobs.add(again(START + DAY + 1)), 'key-used');
      await store.pages.sweep(START + 2 * DAY);
      assert.equal(await store.jobs.refusal(again(START + 2 * DAY), START + 2 * DAY), 'queue-full');
      assert.equal(await store.jobs.add(again(START + 2 * DAY)), 'queue-full', 'the key is free again after that');
    });

    test('of tasks with the same key, the first one counts', async (t) => {
      const first = sampleTask('/a', { depth: 1 });
      const running = await startJob(await open(t), {
        tasks: [first, { ...first, url: 'http://site.test/A', depth: 2 }],
      });
      assert.equal((await viewOf(running)).total, 1);
      assert.equal((await claimOne(running)).depth, 1);
    });

    test('pages forbidden by robots.txt or the scope are listed, never claimed, and not counted in the total', async (t) => {
      const running = await startJob(await open(t), { tasks: [byRobots('/no'), byScope('/out'), sampleTask('/')] });
      const { store, id } = running;
      const problems = await store.jobs.problems(id);
      assert.deepEqual(problems.robotsBlocked, ['http://site.test/no']);
      assert.deepEqual(
        problems.errors.map(({ id: _, ...error }) => error),
        [{ at: START, url: 'http://site.test/out', code: 'EXTERNAL_LINK', message: 'Not followed.' }],
      );
      assert.match(problems.errors[0]!.id, /^[0-9a-f-]{36}$/);
      const { status, total, failed, blocked } = await viewOf(running);
      assert.deepEqual({ status, total, failed, blocked }, { status: 'scraping', total: 1, failed: 0, blocked: 1 });
      assert.deepEqual((await claim(running, { slots: 10 })).tasks.length, 1);
    });

    test('a job with nothing to do completes at once', async (t) => {
      const running = await startJob(await open(t), { tasks: [byRobots('/')] });
      const { status, finishedAt, expiresAt } = await viewOf(running);
      assert.deepEqual([status, finishedAt, expiresAt], ['completed', START, START + DAY]);
    });

    test('at most 10,000 each of spare, blocked and refused pages are stored', async (t) => {
      const many = (make: (path: string) => ReturnType<typeof sampleTask>, prefix: string) =>
        Array.from({ length: 10_050 }, (_, index) => make(`/${prefix}/${index}`));
      const tasks = [...many(byRobots, 'no'), ...many(byScope, 'out'), ...many(sampleTask, 'page')];
      const running = await startJob(await open(t), { limit: 1, tasks });
      const { store, id } = running;
      const problems = await store.jobs.problems(id);
      assert.equal(problems.robotsBlocked.length, 10_000);
      assert.equal(problems.errors.length, 10_000);
      assert.equal((await viewOf(running)).blocked, 10_000);
      assert.equal((await viewOf(running)).total, 1);
      await store.jobs.append(id, running.teamId, { tasks: pages('/page/10000', '/page/10001'), now: START });
      assert.equal((await viewOf(running)).total, 2, 'the first is the last spare, the second had been dropped');
    });

    test('unfinished jobs are listed oldest first, for one team or for all', async (t) => {
      const store = await open(t);
      const other = await store.teams.ensureTeam('other', START);
      const second = await startJob(store, { createdAt: START + 2 });
      const first = await startJob(store, { createdAt: START + 1, options: { only: 'this' } });
      const foreign = sampleJob(other.id, { createdAt: START });
      await store.jobs.add(foreign);
      const done = await startJob(store, { createdAt: START });
      await completePage(done, '/');
      const ids = async (teamId?: string) => (await store.jobs.unfinished(teamId)).map(({ id }) => id);
      assert.deepEqual(await ids(), [foreign.id, first.id, second.id]);
      assert.deepEqual(await ids(first.teamId), [first.id, second.id]);
      assert.deepEqual((await store.jobs.unfinished(first.teamId))[0], await viewOf(first));
    });
  });

  describe(`JobStore on ${adapter}: appending and cancelling`, () => {
    test('appended pages raise the total and the limit; known ones are not added again', async (t) => {
      const running = await startJob(await open(t), { kind: 'batch_scrape', limit: 2, tasks: pages('/a', '/b') });
      const { store, id, teamId } = running;
      assert.equal(await store.jobs.append(id, teamId, { tasks: pages('/b', '/c', '/d'), now: START }), 'appended');
      const { total, limit } = await viewOf(running);
      assert.deepEqual({ total, limit }, { total: 4, limit: 4 });
    });

    test('an idempotency key that was used for a job or an append adds no more pages', async (t) => {
      const running = await startJob(await open(t), {
        kind: 'batch_scrape',
        idempotencyKey: 'first',
        tasks: pages('/a'),
      });
      const { store, id, teamId } = running;
      const more = (idempotencyKey: string, path: string) =>
        store.jobs.append(id, teamId, { tasks: pages(path), now: START, idempotencyKey });
      assert.equal(await more('first', '/b'), 'key-used');
      assert.equal(await more('second', '/b'), 'appended');
      assert.equal(await more('second', '/c'), 'key-used');
      assert.equal((await viewOf(running)).total, 2);
    });

    test('a completed batch runs again with the appended pages', async (t) => {
      const running = await startJob(await open(t), { kind: 'batch_scrape', limit: 1, tasks: pages('/a') });
      const { store, id, teamId } = running;
      await completePage(running, '/a');
      assert.equal((await viewOf(running)).status, 'completed');
      assert.equal(await store.jobs.append(id, teamId, { tasks: pages('/a'), now: START + 1 }), 'appended');
      assert.equal((await viewOf(running)).status, 'completed', 'unless nothing is new');
      assert.equal(await store.jobs.append(id, teamId, { tasks: pages('/b'), now: START + 1 }), 'appended');
      const again = await viewOf(running);
      assert.deepEqual([again.status, again.finishedAt, again.total], ['scraping', undefined, 2]);
      await completePage(running, '/b', {}, START + HOUR);
      const { status, expiresAt } = await viewOf(running);
      assert.deepEqual([status, expiresAt], ['completed', START + HOUR + DAY]);
      assert.deepEqual(await resultPaths(running), ['/a', '/b']);
    });

    test("nothing is appended to a job that is cancelled, failed, unknown or another team's", async (t) => {
      const store = await open(t);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const cancelled = await startJob(store);
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      assert.equal(
        await store.jobs.append(cancelled.id, cancelled.teamId, { tasks: pages('/a'), now: START }),
        'cancelled',
      );
      const failed = await startJob(store);
      await finish(failed, await claimOne(failed), { state: 'fatal', message: 'No.' });
      assert.equal(await store.jobs.append(failed.id, failed.teamId, { tasks: pages('/a'), now: START }), 'failed');
      assert.equal(await store.jobs.append(failed.id, stranger.id, { tasks: pages('/a'), now: START }), undefined);
      assert.equal(
        await store.jobs.append('no such job', failed.teamId, { tasks: pages('/a'), now: START }),
        undefined,
      );
    });

    test('cancelling ends a job: open tasks are never claimed, results stay', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id, teamId } = running;
      await completePage(running, '/a');
      const late = await claimOne(running);
      assert.equal(await store.jobs.cancel(id, teamId, START + 5), 'cancelled');
      const { status, total, completed, finishedAt, expiresAt } = await viewOf(running, START + 5);
      assert.deepEqual({ status, total, completed }, { status: 'cancelled', total: 3, completed: 1 });
      assert.deepEqual([finishedAt, expiresAt], [START + 5, START + 5 + DAY]);
      assert.deepEqual(await claim(running), { tasks: [], fullHosts: [] });
      assert.equal((await finish(running, late, donePage(late))).became, 'lost');
      assert.equal(await store.queue.discover('worker 1', late.id, pages('/d'), START), false);
      assert.deepEqual(await store.queue.load(teamId), { active: 0, waiting: 0 });
      await store.pages.sweep(START + HOUR);
      assert.deepEqual(await resultPaths(running), ['/a']);
      assert.equal((await viewOf(running)).total, 3);
    });

    test('cancelling again returns the status of the job, or nothing for an unknown or foreign job', async (t) => {
      const store = await open(t);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const running = await startJob(store);
      const { id, teamId } = running;
      assert.equal(await store.jobs.cancel(id, stranger.id, START), undefined);
      assert.equal(await store.jobs.cancel('no such job', teamId, START), undefined);
      await completePage(running, '/');
      assert.equal(await store.jobs.cancel(id, teamId, START), 'completed');
      const other = await startJob(store);
      assert.equal(await store.jobs.cancel(other.id, teamId, START), 'cancelled');
      assert.equal(await store.jobs.cancel(other.id, teamId, START), 'cancelled');
    });

    test('a zero-data-retention job is gone as soon as it is cancelled, even after its end', async (t) => {
      const store = await open(t);
      const ended = await startJob(store, { zeroDataRetention: true });
      await completePage(ended, '/');
      assert.equal(await store.jobs.cancel(ended.id, ended.teamId, START), 'cancelled');
      const begun = await startJob(store, { zeroDataRetention: true, tasks: pages('/a', '/b') });
      await completePage(begun, '/a');
      const late = await claimOne(begun);
      assert.equal(await store.jobs.cancel(begun.id, begun.teamId, START), 'cancelled');
      assert.equal((await finish(begun, late, donePage(late))).became, 'lost');
      for (const { id, teamId } of [ended, begun]) {
        assert.equal(await store.jobs.view(id, teamId, START), undefined);
        assert.equal((await store.jobs.results(id, { skip: 0, limit: 10, maxBytes: 1e6 })).count, 0);
        assert.equal(await store.jobs.cancel(id, teamId, START), undefined);
      }
    });
  });
}
