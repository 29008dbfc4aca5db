// Every JobQueue adapter passes these tests on finishing tasks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHARED } from '../../src/page/page-owner.ts';
import type { ClaimedTask } from '../../src/store/ports/jobs/job-queue.ts';
import {
  byRobots,
  byScope,
  claim,
  claimOne,
  completePage,
  countersOf,
  documentsOf,
  donePage,
  failure,
  finish,
  kickOff,
  nearFingerprint,
  OWNER,
  resultPaths,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import {
  creditsSince,
  DAY,
  markdownOf,
  type OpenStore,
  pageToStore,
  queryFor,
  START,
  sampleFingerprint,
  samplePage,
  sampleResult,
} from './samples.ts';

const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

export function testJobQueue(adapter: string, open: OpenStore): void {
  describe(`JobQueue on ${adapter}: finishing tasks`, () => {
    test('tasks that end together are finished in order, each by its own outcome', async (t) => {
      const running = await startJob(await open(t));
      await completePage(running, '/', { links: pages('/a', '/b', '/c') });
      const { tasks } = await claim(running, { slots: 3 });
      const [a, b, c] = tasks as [ClaimedTask, ClaimedTask, ClaimedTask];
      const ended = [
        { id: a.id, outcome: donePage(a, { links: pages('/d', '/b'), credits: 2 }) },
        // Another worker may have taken over: that changes nothing for the others.
        { id: 999_999, outcome: failure() },
        { id: b.id, outcome: failure() },
        { id: c.id, outcome: donePage(c, { links: pages('/d'), credits: 3 }) },
      ];
      const finished = await running.store.queue.finish(OWNER, ended, START);
      assert.deepEqual(
        finished.map(({ became, added, job }) => [became, added, job.total, job.completed]),
        [
          ['done', 1, 5, 2],
          ['lost', 0, 0, 0],
          ['failed', 0, 4, 2],
          ['done', 0, 4, 3],
        ],
      );
      assert.equal((await viewOf(running)).credits, 6);
      assert.deepEqual(await resultPaths(running), ['/', '/a', '/c']);
      await completePage(running, '/d');
      assert.equal((await viewOf(running)).status, 'completed');
    });

    test('a completed page is counted and charged, and its links are added', async (t) => {
      const running = await startJob(await open(t));
      const { store, teamId } = running;
      const links = [...pages('/a', '/', '/b', '/a'), byRobots('/no'), byScope('/out')];
      const finished = await completePage(running, '/', { credits: 5, links, home: 'http://www.site.test/' });
      assert.deepEqual(finished, {
        became: 'done',
        added: 2,
        job: { status: 'scraping', home: 'http://www.site.test/', total: 3, completed: 1 },
      });
      assert.deepEqual(await countersOf(running), {
        status: 'scraping',
        total: 3,
        completed: 1,
        failed: 0,
        blocked: 1,
        credits: 5,
        active: 0,
        waiting: 2,
      });
      assert.equal(await creditsSince(store, teamId, START), 5);
      assert.equal(await store.scrapes.lastSuccessAt(teamId), START);
      await completePage(running, '/a', { links: pages('/b', '/') });
      const last = await completePage(running, '/b', { links: pages('/no', '/out') });
      assert.deepEqual(last.job, { status: 'completed', home: 'http://www.site.test/', total: 3, completed: 3 });
    });

    test('a failed page leaves the total and is listed; its credits count', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const finished = await finish(running, await claimOne(running), failure('Down.', 1));
      assert.deepEqual([finished.became, finished.job.total], ['failed', 1]);
      await completePage(running, '/b');
      const { status, total, completed, failed, credits } = await viewOf(running);
      assert.deepEqual([status, total, completed, failed, credits], ['completed', 1, 1, 1, 2]);
      assert.equal(await creditsSince(running.store, running.teamId, START), 2);
    });

    test('a job whose pages all failed is completed, without results', async (t) => {
      const running = await startJob(await open(t));
      const { job } = await finish(running, await claimOne(running), failure());
      assert.deepEqual([job.status, job.total, job.completed], ['completed', 0, 0]);
      assert.equal(await running.store.scrapes.lastSuccessAt(running.teamId), null);
    });

    test('a page that turns out to be forbidden is counted as blocked', async (t) => {
      const running = await startJob(await open(t));
      const { became, job } = await finish(running, await claimOne(running), { state: 'blocked' });
      assert.deepEqual([became, job.status, job.total], ['blocked', 'completed', 0]);
      assert.equal((await viewOf(running)).blocked, 1);
      assert.deepEqual(await running.store.jobs.problems(running.id), {
        errors: [],
        robotsBlocked: ['http://site.test/'],
      });
    });

    test('a kick-off that ends adds its last links and sets the home of the job', async (t) => {
      const running = await startJob(await open(t), { tasks: [kickOff] });
      const start = await claimOne(running);
      const home = 'http://moved.test/';
      const ended = await finish(running, start, {
        state: 'kicked-off',
        links: [sampleTask('/a'), sampleTask('/a')],
        home,
      });
      assert.deepEqual([ended.became, ended.added, ended.job.home], ['done', 1, home]);
      assert.equal((await completePage(running, '/a')).job.status, 'completed');
      assert.equal((await viewOf(running)).home, home);
    });

    test('a job runs until its kick-off has ended, and then completes', async (t) => {
      const running = await startJob(await open(t), { tasks: [kickOff, sampleTask('/')] });
      const start = await claimOne(running);
      assert.equal((await completePage(running, '/')).job.status, 'scraping');
      assert.equal(await running.store.queue.discover(OWNER, start.id, pages('/', '/a'), START), true);
      assert.equal((await viewOf(running)).total, 2);
      assert.equal((await completePage(running, '/a')).job.status, 'scraping');
      const { became, job } = await finish(running, start, { state: 'kicked-off' });
      assert.deepEqual([became, job.status, job.total, job.completed], ['done', 'completed', 2, 2]);
    });

    test('a fatal outcome fails the job and drops its open tasks', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const { became, job } = await finish(running, await claimOne(running), { state: 'fatal', message: 'No robots.' });
      assert.deepEqual([became, job.status], ['failed', 'failed']);
      const { status, error, finishedAt, expiresAt } = await viewOf(running);
      assert.deepEqual([status, error, finishedAt, expiresAt], ['failed', 'No robots.', START, START + DAY]);
      assert.deepEqual((await claim(running)).tasks, []);
      assert.deepEqual(await running.store.queue.load(running.teamId), { active: 0, waiting: 0 });
    });

    test('a page is cached together with its result, in one step', async (t) => {
      const running = await startJob(await open(t));
      const { store } = running;
      const toStore = pageToStore('key', 'http://site.test/', samplePage('<p>'), null, sampleResult('text'));
      await completePage(running, '/', { toStore, text: 'text' });
      const cached = await store.pages.find(queryFor('key'));
      assert.ok(cached && 'outcome' in cached && markdownOf(cached.outcome) === 'text');
      await store.pages.delete('http://site.test/', SHARED);
      await store.pages.sweep(START + DAY - 1);
      assert.equal(
        (await documentsOf(running))[0]?.markdown,
        'text',
        'the job keeps the result when the cache does not',
      );
    });

    test('a result found in the cache is shared, not copied', async (t) => {
      const running = await startJob(await open(t));
      const { store } = running;
      const toStore = pageToStore('key', 'http://site.test/', samplePage('<p>'), null, sampleResult('cached'));
      const resultId = await store.pages.save(toStore);
      await completePage(running, '/', { toStore: { resultId } });
      assert.equal((await documentsOf(running))[0]?.markdown, 'cached');
    });

    test('a page whose cached result is gone meanwhile waits to be scraped again', async (t) => {
      const running = await startJob(await open(t));
      const { became, job } = await completePage(running, '/', { toStore: { resultId: '4711' }, links: pages('/a') });
      assert.deepEqual([became, job.total, job.completed], ['waiting', 1, 0]);
      assert.equal(await creditsSince(running.store, running.teamId, START), 0);
      assert.equal((await completePage(running, '/')).job.status, 'completed');
      assert.equal((await viewOf(running)).credits, 1);
    });

    test('a finish that cannot be written changes nothing, and the task can be finished again', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      await completePage(running, '/a', { scrapeId: 'scrape' });
      const before = await viewOf(running);
      const task = await claimOne(running);
      await assert.rejects(finish(running, task, donePage(task, { scrapeId: 'scrape', links: pages('/c') })));
      assert.deepEqual(await viewOf(running), before);
      assert.equal(await creditsSince(running.store, running.teamId, START), 1);
      assert.equal((await finish(running, task, donePage(task))).job.status, 'completed');
    });
  });

  describe(`JobQueue on ${adapter}: the limit and spare pages`, () => {
    test('pages beyond the limit replace pages without a result, oldest first', async (t) => {
      const running = await startJob(await open(t), { limit: 2, tasks: pages('/a', '/b', '/c', '/d', '/e') });
      const { tasks } = await claim(running, { slots: 9 });
      assert.equal(tasks.length, 2);
      const failed = await finish(running, tasks[0]!, failure());
      assert.deepEqual([failed.added, failed.job.total], [1, 2]);
      const blocked = await finish(running, tasks[1]!, { state: 'blocked' });
      assert.deepEqual([blocked.added, blocked.job.total], [1, 2]);
      await completePage(running, '/c', { links: pages('/f') });
      const last = await completePage(running, '/d');
      assert.deepEqual(last.job, { status: 'completed', home: 'http://site.test/', total: 2, completed: 2 });
      assert.deepEqual(await resultPaths(running), ['/c', '/d']);
    });

    test('a link to a page that is already a spare adds nothing', async (t) => {
      const running = await startJob(await open(t), { limit: 1, tasks: pages('/a', '/spare') });
      const { added, job } = await completePage(running, '/a', { links: pages('/spare', '/other') });
      assert.deepEqual([added, job.status, job.total], [0, 'completed', 1]);
    });

    test('a spare comes before a link that is found later', async (t) => {
      const running = await startJob(await open(t), { limit: 2, tasks: pages('/a', '/b', '/spare') });
      await completePage(running, '/a', { text: 'same', group: 'g' });
      const { became, added } = await completePage(running, '/b', { text: 'same', group: 'g', links: pages('/new') });
      assert.deepEqual([became, added], ['duplicate', 1]);
      assert.equal((await completePage(running, '/spare')).job.status, 'completed');
    });
  });

  describe(`JobQueue on ${adapter}: one page under two addresses`, () => {
    test('a redirect to a completed page is a duplicate: no result, no credit, not counted', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/new', '/old') });
      await completePage(running, '/new');
      const { became, job } = await completePage(running, '/old', {
        finalKey: 'site.test/new',
        text: 'x',
        links: pages('/l'),
      });
      assert.deepEqual([became, job.total, job.completed], ['duplicate', 2, 1]);
      assert.deepEqual(await resultPaths(running), ['/new']);
      assert.equal((await viewOf(running)).credits, 1);
      assert.equal((await completePage(running, '/l')).job.status, 'completed', 'its links are still followed');
    });

    test('a redirect to a waiting page makes the waiting one the duplicate', async (t) => {
      for (const state of ['waiting', 'paused', 'spare'] as const) {
        const limit = state === 'spare' ? 1 : 2;
        const tasks = state === 'paused' ? pages('/new', '/old') : pages('/old', '/new');
        const running = await startJob(await open(t), { limit, tasks });
        if (state === 'paused') await finish(running, await claimOne(running), { state: 'retry', at: START + 9 });
        const { became, job } = await completePage(running, '/old', { finalKey: 'site.test/new' });
        assert.deepEqual([became, job.status, job.total, job.completed], ['done', 'completed', 1, 1], state);
      }
    });

    test('of two running tasks that end at the same address, the first to finish counts', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/new', '/old', '/older') });
      const { tasks } = await claim(running, { slots: 3 });
      await finish(running, tasks[1]!, donePage(tasks[1]!, { finalKey: 'site.test/new' }));
      assert.equal((await finish(running, tasks[0]!, donePage(tasks[0]!))).became, 'duplicate');
      const older = donePage(tasks[2]!, { finalKey: 'site.test/new' });
      assert.equal((await finish(running, tasks[2]!, older)).became, 'duplicate');
      assert.deepEqual(await resultPaths(running), ['/old']);
    });

    test('a link to the final address of a redirected page is known', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/old') });
      const { added, job } = await completePage(running, '/old', {
        finalKey: 'site.test/new',
        links: pages('/new', '/old'),
      });
      assert.deepEqual([added, job.status, job.total], [0, 'completed', 1]);
    });

    test('pages with the same canonical address are one page if their texts match', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/a?x=1', '/a?x=2', '/a?x=3') });
      const fingerprint = sampleFingerprint('text');
      const own = { group: 'site.test/a' };
      assert.equal((await completePage(running, '/a', { ...own, fingerprint })).became, 'done');
      assert.equal((await completePage(running, '/a?x=1', { ...own, fingerprint })).became, 'duplicate');
      const near = nearFingerprint(fingerprint, 3, 'near');
      assert.equal((await completePage(running, '/a?x=2', { ...own, fingerprint: near })).became, 'duplicate');
      const far = nearFingerprint(fingerprint, 4, 'far');
      assert.equal((await completePage(running, '/a?x=3', { ...own, fingerprint: far })).became, 'done');
    });

    test('the same text under another canonical address is another page', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      await completePage(running, '/a', { text: 'same' });
      assert.equal((await completePage(running, '/b', { text: 'same' })).became, 'done');
    });

    test('a site whose pages all name one canonical address loses only true copies', async (t) => {
      const paths = Array.from({ length: 150 }, (_, index) => `/${index}`);
      const copies = Array.from({ length: 20 }, (_, index) => `/copy/${index}`);
      const running = await startJob(await open(t), { limit: 1_000, tasks: pages(...paths, ...copies) });
      for (const path of paths) await completePage(running, path, { group: 'site.test/' });
      assert.equal((await viewOf(running)).completed, 150);
      for (const [index, path] of copies.entries()) {
        const { became } = await completePage(running, path, {
          group: 'site.test/',
          text: `http://site.test/${7 * index}`,
        });
        assert.equal(became, 'duplicate', path);
      }
    });

    test('the page of a duplicate can still be cached', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      await completePage(running, '/a', { text: 'same', group: 'g' });
      const toStore = pageToStore('key', 'http://site.test/b', samplePage('<p>'), null, sampleResult('same'));
      assert.equal((await completePage(running, '/b', { text: 'same', group: 'g', toStore })).became, 'duplicate');
      assert.ok(await running.store.pages.find(queryFor('key')));
    });
  });
}
