// Every JobStore adapter passes these tests on what lists show: jobs of a team, pages that have ended, hosts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobListQuery } from '../../src/store/ports/jobs/job-views.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import {
  byRobots,
  byScope,
  claim,
  claimOne,
  completePage,
  donePage,
  failure,
  finish,
  kickOff,
  onHost,
  sampleJob,
  sampleTask,
  startJob,
} from './job-samples.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START } from './samples.ts';

const ALL: JobListQuery = { kinds: ['crawl', 'batch_scrape'], limit: 100 };

export function testJobViews(adapter: string, open: OpenStore): void {
  describe(`JobStore on ${adapter}: lists`, () => {
    test('the jobs of a team are listed newest first, page by page, without those of others or of runs', async (t) => {
      const store = await open(t);
      const { id: teamId } = await store.teams.ensureTeam('default', START);
      const { id: otherId } = await store.teams.ensureTeam('other', START);
      const ids: string[] = [];
      // Two share a moment: their ids decide.
      for (const minute of [0, 1, 1, 2, 3]) {
        const job = sampleJob(teamId, { id: uuidv7(START), createdAt: START + minute * MINUTE });
        await store.jobs.add(job);
        ids.push(job.id);
      }
      await store.jobs.add(sampleJob(otherId));
      await store.jobs.add(sampleJob(teamId, { runId: uuidv7(START) }));
      const listed = await store.jobs.list(teamId, ALL, START);
      const [first, b, c, fourth, fifth] = ids as [string, string, string, string, string];
      assert.deepEqual(
        listed.map(({ id }) => id),
        [fifth, fourth, ...[b, c].sort().reverse(), first],
      );
      const paged: string[] = [];
      for (let after: JobListQuery['after']; ; ) {
        const page = await store.jobs.list(teamId, { ...ALL, after, limit: 2 }, START);
        paged.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        if (!last) break;
        after = { at: last.createdAt, id: last.id };
      }
      assert.deepEqual(
        paged,
        listed.map(({ id }) => id),
      );
    });

    test('a listed job has its target, its counters and its end, and is gone when it has expired', async (t) => {
      const store = await open(t);
      const crawl = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b'), sampleTask('/c')] });
      const { teamId } = crawl;
      await completePage(crawl, '/a', { credits: 5 });
      await finish(crawl, await claimOne(crawl), failure());
      const tasks = ['/x', '/y'].map((path) => sampleTask(path, { key: uuidv7(START) }));
      tasks.sort((one, two) => (one.key < two.key ? -1 : 1));
      const batch = await startJob(store, { kind: 'batch_scrape', url: '', tasks, createdAt: START + 1 });
      const secret = await startJob(store, { zeroDataRetention: true, createdAt: START + 2 });
      await store.jobs.pause(crawl.id, teamId, START + MINUTE);
      const [third, second, first] = await store.jobs.list(teamId, ALL, START);
      assert.deepEqual(first, {
        id: crawl.id,
        kind: 'crawl',
        status: 'scraping',
        target: 'http://site.test/',
        ...{ limit: 100, total: 2, completed: 1, failed: 1, credits: 5 },
        createdAt: START,
        pausedAt: START + MINUTE,
        expiresAt: first!.expiresAt,
        storedBytes: first!.storedBytes,
      });
      assert.deepEqual([second!.id, second!.target], [batch.id, tasks[0]!.url]);
      assert.deepEqual([third!.id, third!.target], [secret.id, undefined]);
      assert.deepEqual(await store.jobs.batchUrls(batch.id, 10), [tasks[0]!.url, tasks[1]!.url]);
      assert.deepEqual(await store.jobs.batchUrls(batch.id, 1), [tasks[0]!.url]);
      assert.deepEqual(await store.jobs.batchUrls(crawl.id, 10), []);

      const idsOf = async (query: Partial<JobListQuery>, now = START) =>
        (await store.jobs.list(teamId, { ...ALL, ...query }, now)).map(({ id }) => id);
      assert.deepEqual(await idsOf({ kinds: ['batch_scrape'] }), [batch.id]);
      assert.deepEqual(await idsOf({ kinds: [] }), []);
      assert.deepEqual(await idsOf({ isPaused: true }), [crawl.id]);
      assert.deepEqual(await idsOf({ isPaused: false }), [secret.id, batch.id]);
      await store.jobs.cancel(crawl.id, teamId, START + HOUR);
      assert.deepEqual(await idsOf({ statuses: ['cancelled'] }), [crawl.id]);
      assert.deepEqual(await idsOf({ statuses: ['scraping'] }), [secret.id, batch.id]);
      assert.deepEqual(await idsOf({ statuses: ['cancelled'] }, START + HOUR + DAY), []);
    });

    test('ended pages are listed with what is known of them, the last first, and each once', async (t) => {
      const tasks = ['/a', '/b', '/c', '/d', '/e'].map((path) => sampleTask(path));
      const running = await startJob(await open(t), { tasks: [kickOff, ...tasks, byRobots('/no'), byScope('/out')] });
      const { store, id } = running;
      const claimed = (await claim(running, { slots: 6 })).tasks;
      const [start, a, b, c, d] = claimed as [never, never, never, never, never];
      await finish(running, start, { state: 'kicked-off' });
      const metadata = { title: ['Grüße', 'twice'], statusCode: 404, creditsUsed: 3 };
      await finish(running, c, donePage(c, { metadata, warning: 'Cut off.' }), START + 1);
      await finish(running, a, failure('It is down.'), START + 2);
      // A moment that three share.
      for (const task of [b, d]) await finish(running, task, donePage(task), START + 2);
      const read = (query = {}) => store.jobs.endedPages(id, { states: ['done', 'failed'], limit: 100, ...query });
      const pages = await read();
      assert.deepEqual(
        pages.map(({ url, state }) => [new URL(url).pathname, state]),
        [
          ['/d', 'done'],
          ['/b', 'done'],
          ['/a', 'failed'],
          ['/c', 'done'],
        ],
      );
      const { task: _, id: scrapeId, ...failed } = pages[2]!;
      assert.match(scrapeId, /^[0-9a-f-]{36}$/);
      assert.deepEqual(failed, {
        url: 'http://site.test/a',
        at: START + 2,
        state: 'failed',
        code: 'SCRAPE_SITE_ERROR',
        message: 'It is down.',
      });
      const { title, statusCode, credits, warning } = pages[3]!;
      assert.deepEqual([title, statusCode, credits, warning], ['Grüße', 404, 3, 'Cut off.']);
      const paged: string[] = [];
      for (let after: { at: number; task: number } | undefined; ; ) {
        const [page] = await read({ after, limit: 1 });
        if (!page) break;
        paged.push(page.url);
        after = { at: page.at, task: page.task };
      }
      assert.deepEqual(
        paged,
        pages.map(({ url }) => url),
      );
      assert.equal((await read({ states: ['failed'] })).length, 1);
      assert.equal((await read({ states: ['done'] })).length, 3);
      await store.jobs.retry(id, running.teamId, { now: START, maxUnfinished: 100 });
      assert.deepEqual(await read({ states: ['failed'] }), []);
      assert.deepEqual(await store.jobs.endedPages('no such job', { states: ['done'], limit: 10 }), []);
    });

    test('the frontier counts the pages of each host by state, those first with the most to do', async (t) => {
      const tasks = [
        kickOff,
        ...['/1', '/2', '/3'].map((path) => onHost('a.test', path)),
        ...['/1', '/2', '/3', '/4', '/5'].map((path) => onHost('b.test', path)),
        onHost('c.test', '/1'),
        byRobots('/no'),
        byScope('/out'),
      ];
      const running = await startJob(await open(t), { tasks });
      const { store, id } = running;
      const nothing = { waiting: 0, running: 0, done: 0, failed: 0, blocked: 0 };
      assert.deepEqual((await store.jobs.frontier(id, 10)).sum, { ...nothing, waiting: 9, blocked: 1 });
      const hostSlots = { 'a.test': 2, 'b.test': 3, 'c.test': 0, 'site.test': 0 };
      const claimed = (await claim(running, { slots: 5, hostSlots })).tasks;
      const [a1, a2] = claimed.filter(({ host }) => host === 'a.test');
      const [b1, b2] = claimed.filter(({ host }) => host === 'b.test');
      await finish(running, a1!, donePage(a1!));
      await finish(running, a2!, failure());
      await finish(running, b1!, { state: 'retry', at: START + HOUR });
      await finish(running, b2!, { state: 'blocked' });
      const { hosts, hostCount, sum } = await store.jobs.frontier(id, 10);
      assert.deepEqual(hosts, [
        { host: 'b.test', ...nothing, waiting: 3, running: 1, blocked: 1 },
        { host: 'a.test', ...nothing, waiting: 1, done: 1, failed: 1 },
        { host: 'c.test', ...nothing, waiting: 1 },
        { host: 'site.test', ...nothing, blocked: 1 },
      ]);
      assert.deepEqual([hostCount, sum], [4, { waiting: 5, running: 1, done: 1, failed: 1, blocked: 2 }]);
      const top = await store.jobs.frontier(id, 1);
      assert.deepEqual([top.hosts.length, top.hostCount, top.sum], [1, 4, sum]);
      assert.deepEqual((await store.jobs.frontier('no such job', 10)).hosts, []);
    });
  });
}
