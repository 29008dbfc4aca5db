// What every JobStore does, whichever adapter it is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assembleDocument } from '../../src/operations/document.ts';
import {
  byRobots,
  byScope,
  claim,
  claimOne,
  countersOf,
  documentsOf,
  donePage,
  failure,
  finish,
  onHost,
  resultPaths,
  sampleJob,
  sampleTask,
  startJob,
  viewOf,
  visit,
} from './job-samples.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START, sampleOutcome } from './samples.ts';

const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

export function testJobStore(adapter: string, open: OpenStore): void {
  describe(`JobStore on ${adapter}: adding and looking`, () => {
    test('a job is there as it was added, for its own team only', async (t) => {
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
        credits: 0,
        expiresAt: START + DAY,
      });
      assert.equal(await store.jobs.view(job.id, stranger.id, START), undefined);
      assert.equal(await store.jobs.view('no such job', teamId, START), undefined);
    });

    test('a job beyond the number a team may have is refused, and nothing of it is kept', async (t) => {
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
        'teams count by themselves',
      );
      await visit(running, '/');
      assert.equal(
        await store.jobs.add(refused),
        'added',
        'what has ended counts no more, and the key was not used up',
      );
    });

    test('the same key starts no second job of the team within 24 hours', async (t) => {
      const store = await open(t);
      const { teamId } = await startJob(store, { idempotencyKey: 'key' });
      const other = await store.teams.ensureTeam('other', START);
      const again = (createdAt: number) => sampleJob(teamId, { idempotencyKey: 'key', createdAt, maxUnfinished: 2 });
      const refused = again(START + DAY - 1);
      assert.equal(await store.jobs.add(refused), 'key-used');
      assert.equal(await store.jobs.view(refused.id, teamId, START), undefined);
      assert.equal(await store.jobs.add(sampleJob(other.id, { idempotencyKey: 'key' })), 'added');
      assert.equal(await store.jobs.add(again(START + DAY)), 'added', 'swept or not');
      assert.equal(await store.jobs.add(again(START + DAY + 1)), 'key-used');
      await store.pages.sweep(START + 2 * DAY);
      assert.equal(await store.jobs.add(again(START + 2 * DAY)), 'queue-full', 'and is free again after that');
    });

    test('of tasks with the same key the first one counts', async (t) => {
      const first = sampleTask('/a', { depth: 1 });
      const running = await startJob(await open(t), {
        tasks: [first, { ...first, url: 'http://site.test/A', depth: 2 }],
      });
      assert.equal((await viewOf(running)).total, 1);
      assert.equal((await claimOne(running)).depth, 1);
    });

    test('what robots.txt or the scope forbids is listed, never visited, and in no total', async (t) => {
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
      assert.deepEqual((await claim(running, { places: 10 })).tasks.length, 1);
    });

    test('a job with nothing to do completes at once', async (t) => {
      const running = await startJob(await open(t), { tasks: [byRobots('/')] });
      const { status, finishedAt, expiresAt } = await viewOf(running);
      assert.deepEqual([status, finishedAt, expiresAt], ['completed', START, START + DAY]);
    });

    test('at most 10,000 of each kind of aside are kept: spares, blocked, refused', async (t) => {
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
      await store.jobs.append(id, running.teamId, pages('/page/10000', '/page/10001'), START);
      assert.equal((await viewOf(running)).total, 2, 'the first is the last spare, the second had been dropped');
    });

    test('running jobs are told oldest first, of one team or of all', async (t) => {
      const store = await open(t);
      const other = await store.teams.ensureTeam('other', START);
      const second = await startJob(store, { createdAt: START + 2 });
      const first = await startJob(store, { createdAt: START + 1, options: { only: 'this' } });
      const foreign = sampleJob(other.id, { createdAt: START });
      await store.jobs.add(foreign);
      const done = await startJob(store, { createdAt: START });
      await visit(done, '/');
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
      assert.equal(await store.jobs.append(id, teamId, pages('/b', '/c', '/d'), START), 'appended');
      const { total, limit } = await viewOf(running);
      assert.deepEqual({ total, limit }, { total: 4, limit: 4 });
    });

    test('a batch that has completed runs again with what is appended', async (t) => {
      const running = await startJob(await open(t), { kind: 'batch_scrape', limit: 1, tasks: pages('/a') });
      const { store, id, teamId } = running;
      await visit(running, '/a');
      assert.equal((await viewOf(running)).status, 'completed');
      assert.equal(await store.jobs.append(id, teamId, pages('/a'), START + 1), 'appended');
      assert.equal((await viewOf(running)).status, 'completed', 'unless there is nothing new');
      assert.equal(await store.jobs.append(id, teamId, pages('/b'), START + 1), 'appended');
      const again = await viewOf(running);
      assert.deepEqual([again.status, again.finishedAt, again.total], ['scraping', undefined, 2]);
      await visit(running, '/b', {}, START + HOUR);
      const { status, expiresAt } = await viewOf(running);
      assert.deepEqual([status, expiresAt], ['completed', START + HOUR + DAY]);
      assert.deepEqual(await resultPaths(running), ['/a', '/b']);
    });

    test('nothing is appended to what was cancelled or has failed, is unknown or is foreign', async (t) => {
      const store = await open(t);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const cancelled = await startJob(store);
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      assert.equal(await store.jobs.append(cancelled.id, cancelled.teamId, pages('/a'), START), 'cancelled');
      const failed = await startJob(store);
      await finish(failed, await claimOne(failed), { state: 'fatal', message: 'No.' });
      assert.equal(await store.jobs.append(failed.id, failed.teamId, pages('/a'), START), 'failed');
      assert.equal(await store.jobs.append(failed.id, stranger.id, pages('/a'), START), undefined);
      assert.equal(await store.jobs.append('no such job', failed.teamId, pages('/a'), START), undefined);
    });

    test('cancelling ends a job: what is open is never claimed, what is done stays', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id, teamId } = running;
      await visit(running, '/a');
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

    test('cancelling again tells the status the job has; of an unknown or foreign one, nothing', async (t) => {
      const store = await open(t);
      const stranger = await store.teams.ensureTeam('stranger', START);
      const running = await startJob(store);
      const { id, teamId } = running;
      assert.equal(await store.jobs.cancel(id, stranger.id, START), undefined);
      assert.equal(await store.jobs.cancel('no such job', teamId, START), undefined);
      await visit(running, '/');
      assert.equal(await store.jobs.cancel(id, teamId, START), 'completed');
      const other = await startJob(store);
      assert.equal(await store.jobs.cancel(other.id, teamId, START), 'cancelled');
      assert.equal(await store.jobs.cancel(other.id, teamId, START), 'cancelled');
    });

    test('a job that may keep nothing is gone at once when it is cancelled, even after its end', async (t) => {
      const store = await open(t);
      const ended = await startJob(store, { zeroDataRetention: true });
      await visit(ended, '/');
      assert.equal(await store.jobs.cancel(ended.id, ended.teamId, START), 'cancelled');
      const begun = await startJob(store, { zeroDataRetention: true, tasks: pages('/a', '/b') });
      await visit(begun, '/a');
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

  describe(`JobStore on ${adapter}: results and retention`, () => {
    test('results come in the order of completion, page by page, and keep their places', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { tasks: pages('/a', '/b', '/c') });
      const { tasks } = await claim(running, { places: 3 });
      for (const index of [1, 0]) await finish(running, tasks[index]!, donePage(tasks[index]!));
      assert.deepEqual(await resultPaths(running), ['/b', '/a']);
      await finish(running, tasks[2]!, donePage(tasks[2]!));
      assert.deepEqual(await resultPaths(running), ['/b', '/a', '/c']);
      assert.deepEqual(
        (await documentsOf(running, 1, 1)).map(({ markdown }) => markdown),
        ['http://site.test/a'],
      );
      assert.deepEqual(await documentsOf(running, 3), []);
      const { count, json } = await store.jobs.results('no such job', { skip: 0, limit: 10, maxBytes: 10 });
      assert.deepEqual([count, json.byteLength], [0, 0]);
    });

    test('a page of results ends before the size that was asked for, but never empty', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id } = running;
      for (const path of ['/a', '/b', '/c']) await visit(running, path, { text: path.repeat(50_000) });
      const count = async (skip: number, maxBytes: number) =>
        (await store.jobs.results(id, { skip, limit: 10, maxBytes })).count;
      assert.equal(await count(0, 1), 1);
      assert.equal(await count(0, 201_000), 2);
      assert.equal(await count(1, 201_000), 2);
      assert.equal(await count(0, 302_000), 3);
    });

    test('a result is the very text of its document: content, warning, metadata', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id } = running;
      const metadata = { title: 'Grüße "world"', statusCode: 200, proxyUsed: 'basic', creditsUsed: 1 };
      const outcomes = [sampleOutcome('line\nbreak'), { ...sampleOutcome(''), content: {} }, sampleOutcome('plain')];
      const warnings = ['Cut\noff.', undefined, ''];
      for (const [index, outcome] of outcomes.entries()) {
        const task = await claimOne(running);
        const keep = { result: { transformKey: 'markdown', outcome, now: START } };
        const sketch = { text: `${index}`, metadata, warning: warnings[index], keep };
        await finish(running, task, donePage(task, sketch));
      }
      const { json } = await store.jobs.results(id, { skip: 0, limit: 10, maxBytes: 1e6 });
      const documents = outcomes.map(({ content }, index) =>
        assembleDocument(
          content,
          { sourceURL: '', url: '', ...metadata, proxyUsed: 'basic' } as never,
          warnings[index],
        ),
      );
      const expected = documents.map((document) => JSON.stringify({ ...document, metadata }));
      assert.equal(new TextDecoder().decode(json), expected.join(','));
    });

    test('pages that failed are told with their reasons, in the order they failed', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const { tasks } = await claim(running, { places: 2 });
      await finish(running, tasks[1]!, { ...failure('Second.'), scrapeId: 'scrape b' } as never, START + 1);
      await finish(running, tasks[0]!, { ...failure('First.'), scrapeId: 'scrape a' } as never, START + 2);
      const { errors } = await running.store.jobs.problems(running.id);
      const code = 'SCRAPE_SITE_ERROR';
      assert.deepEqual(errors, [
        { id: 'scrape b', at: START + 1, url: 'http://site.test/b', code, message: 'Second.' },
        { id: 'scrape a', at: START + 2, url: 'http://site.test/a', code, message: 'First.' },
      ]);
      assert.deepEqual(await running.store.jobs.problems('no such job'), { errors: [], robotsBlocked: [] });
    });

    test('a running job never expires; a finished one is gone 24 hours after its end, swept or not', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const { store, id, teamId } = running;
      await visit(running, '/a');
      await store.pages.sweep(START + 9 * DAY);
      await visit(running, '/b', {}, START + 9 * DAY);
      const { expiresAt } = await viewOf(running);
      assert.equal(expiresAt, START + 10 * DAY);
      assert.ok(await store.jobs.view(id, teamId, expiresAt - 1));
      await store.pages.sweep(expiresAt - 1);
      assert.equal((await documentsOf(running)).length, 2);
      assert.equal(await store.jobs.view(id, teamId, expiresAt), undefined);
      assert.equal(await store.jobs.cancel(id, teamId, expiresAt), undefined);
      assert.equal(await store.jobs.append(id, teamId, pages('/c'), expiresAt), undefined);
      await store.pages.sweep(expiresAt);
      assert.equal(await store.jobs.view(id, teamId, START), undefined);
      assert.deepEqual(await documentsOf(running), []);
    });

    test('a job that may keep nothing is gone an hour after its end', async (t) => {
      const running = await startJob(await open(t), { zeroDataRetention: true });
      await visit(running, '/', {}, START + MINUTE);
      assert.equal((await viewOf(running)).expiresAt, START + MINUTE + HOUR);
      assert.equal((await documentsOf(running)).length, 1);
      await running.store.pages.sweep(START + MINUTE + HOUR);
      assert.deepEqual(await documentsOf(running), []);
    });

    test('a page of a job can be read by itself as long as the job is there, with the options of the job', async (t) => {
      const running = await startJob(await open(t), { options: { limit: 5 }, tasks: pages('/', '/b') });
      const { store, teamId } = running;
      const stranger = await store.teams.ensureTeam('stranger', START);
      await visit(running, '/', {
        scrapeId: 'scrape',
        text: 'the text',
        metadata: { statusCode: 200 },
        warning: 'Cut.',
      });
      const found = await store.scrapes.find('scrape', teamId, START + 9 * DAY);
      assert.deepEqual(found, {
        id: 'scrape',
        teamId,
        url: 'http://site.test/',
        options: { limit: 5 },
        metadata: { statusCode: 200 },
        warning: 'Cut.',
        createdAt: START,
        expiresAt: START + DAY,
        outcome: sampleOutcome('the text'),
      });
      assert.equal(await store.scrapes.find('scrape', stranger.id, START), undefined);
      await visit(running, '/b', {}, START + HOUR);
      assert.ok(await store.scrapes.find('scrape', teamId, START + HOUR + DAY - 1));
      assert.equal(await store.scrapes.find('scrape', teamId, START + HOUR + DAY), undefined);
    });

    test('a page of a job that may keep nothing cannot be read by itself', async (t) => {
      const running = await startJob(await open(t), { zeroDataRetention: true });
      await visit(running, '/', { scrapeId: 'scrape' });
      assert.equal(await running.store.scrapes.find('scrape', running.teamId, START), undefined);
    });

    test('one of several jobs can expire without touching the others', async (t) => {
      const store = await open(t);
      const [old, young] = [await startJob(store), await startJob(store, { tasks: [onHost('other.test', '/')] })];
      await visit(old, '/');
      const task = await claimOne(young);
      await finish(young, task, donePage(task), START + HOUR);
      await store.pages.sweep(START + DAY);
      assert.equal(await store.jobs.view(old.id, old.teamId, START), undefined);
      assert.equal((await countersOf(young)).completed, 1);
      assert.equal((await documentsOf(young)).length, 1);
    });
  });
}
