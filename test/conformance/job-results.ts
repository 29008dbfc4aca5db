// Every JobStore adapter passes these tests on the results of jobs and their expiry.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claim,
  claimOne,
  completePage,
  countersOf,
  documentsOf,
  donePage,
  failure,
  finish,
  onHost,
  resultPaths,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START, sampleOutcome, written } from './samples.ts';

const pages = (...paths: string[]) => paths.map((path) => sampleTask(path));

export function testJobResults(adapter: string, open: OpenStore): void {
  describe(`JobStore on ${adapter}: results and retention`, () => {
    test('results come in the order of completion, page by page, and never change position', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { tasks: pages('/a', '/b', '/c') });
      const { tasks } = await claim(running, { slots: 3 });
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

    test('a page of results stays below the requested size but has at least one result', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id } = running;
      for (const path of ['/a', '/b', '/c']) await completePage(running, path, { text: path.repeat(50_000) });
      const count = async (skip: number, maxBytes: number) =>
        (await store.jobs.results(id, { skip, limit: 10, maxBytes })).count;
      assert.equal(await count(0, 1), 1);
      assert.equal(await count(0, 201_000), 2);
      assert.equal(await count(1, 201_000), 2);
      assert.equal(await count(0, 302_000), 3);
    });

    test('a result is the exact JSON of its document: content, warning, metadata', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b', '/c') });
      const { store, id } = running;
      const metadata = { title: 'Grüße "world"', statusCode: 200, proxyUsed: 'basic', creditsUsed: 1 };
      const outcomes = [
        sampleOutcome('line\nbreak'),
        { ...sampleOutcome(''), content: written({}) },
        sampleOutcome('plain'),
      ];
      const contents = outcomes.map(({ content }) => new TextDecoder().decode(content));
      const warnings = ['Cut\noff.', undefined, ''];
      for (const [index, outcome] of outcomes.entries()) {
        const task = await claimOne(running);
        const toStore = { result: { transformKey: 'markdown', outcome, now: START } };
        const sketch = { text: `${index}`, metadata, warning: warnings[index], toStore };
        await finish(running, task, donePage(task, sketch));
      }
      const { json } = await store.jobs.results(id, { skip: 0, limit: 10, maxBytes: 1e6 });
      const expected = contents.map((content, index) => {
        const warning = warnings[index] ? { warning: warnings[index] } : {};
        return JSON.stringify({ ...JSON.parse(content), ...warning, metadata });
      });
      assert.equal(new TextDecoder().decode(json), expected.join(','));
    });

    test('failed pages are listed with their reasons, in the order they failed', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b') });
      const { tasks } = await claim(running, { slots: 2 });
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
      await completePage(running, '/a');
      await store.pages.sweep(START + 9 * DAY);
      await completePage(running, '/b', {}, START + 9 * DAY);
      const { expiresAt } = await viewOf(running);
      assert.equal(expiresAt, START + 10 * DAY);
      assert.ok(await store.jobs.view(id, teamId, expiresAt - 1));
      await store.pages.sweep(expiresAt - 1);
      assert.equal((await documentsOf(running)).length, 2);
      assert.equal(await store.jobs.view(id, teamId, expiresAt), undefined);
      assert.equal(await store.jobs.cancel(id, teamId, expiresAt), undefined);
      assert.equal(await store.jobs.append(id, teamId, { tasks: pages('/c'), now: expiresAt }), undefined);
      await store.pages.sweep(expiresAt);
      assert.equal(await store.jobs.view(id, teamId, START), undefined);
      assert.deepEqual(await documentsOf(running), []);
    });

    test('a job is kept for as long as it says, and its size is known', async (t) => {
      const running = await startJob(await open(t), { tasks: pages('/a', '/b'), retentionMs: 3 * DAY });
      const { store, id, teamId } = running;
      for (const path of ['/a', '/b']) await completePage(running, path);
      const { expiresAt, storedBytes } = await viewOf(running);
      assert.equal(expiresAt, START + 3 * DAY);
      assert.ok(storedBytes > 0);
      assert.deepEqual(await store.jobs.stored(teamId, ['crawl'], START), { jobs: 1, bytes: storedBytes });
      assert.deepEqual(await store.jobs.stored(teamId, ['batch_scrape'], START), { jobs: 0, bytes: 0 });
      const [listed] = await store.jobs.list(teamId, { kinds: ['crawl'], limit: 1 }, START);
      assert.equal(listed?.storedBytes, storedBytes);
      await store.pages.sweep(expiresAt - 1);
      assert.ok(await store.jobs.view(id, teamId, expiresAt - 1));
      assert.deepEqual(await store.jobs.stored(teamId, ['crawl'], expiresAt), { jobs: 0, bytes: 0 });
    });

    test('a zero-data-retention job is gone an hour after its end', async (t) => {
      const running = await startJob(await open(t), { zeroDataRetention: true });
      await completePage(running, '/', {}, START + MINUTE);
      assert.equal((await viewOf(running)).expiresAt, START + MINUTE + HOUR);
      assert.equal((await documentsOf(running)).length, 1);
      await running.store.pages.sweep(START + MINUTE + HOUR);
      assert.deepEqual(await documentsOf(running), []);
    });

    test('a page of a job can be read by its scrape id until the job expires, with the options of the job', async (t) => {
      const running = await startJob(await open(t), { options: { limit: 5 }, tasks: pages('/', '/b') });
      const { store, teamId } = running;
      const stranger = await store.teams.ensureTeam('stranger', START);
      await completePage(running, '/', {
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
        startUrl: 'http://site.test/',
        options: { limit: 5 },
        metadata: { statusCode: 200 },
        warning: 'Cut.',
        createdAt: START,
        expiresAt: START + DAY,
        outcome: sampleOutcome('the text'),
      });
      assert.equal(await store.scrapes.find('scrape', stranger.id, START), undefined);
      await completePage(running, '/b', {}, START + HOUR);
      assert.ok(await store.scrapes.find('scrape', teamId, START + HOUR + DAY - 1));
      assert.equal(await store.scrapes.find('scrape', teamId, START + HOUR + DAY), undefined);
    });

    test('a page of a zero-data-retention job cannot be read by its scrape id', async (t) => {
      const running = await startJob(await open(t), { zeroDataRetention: true });
      await completePage(running, '/', { scrapeId: 'scrape' });
      assert.equal(await running.store.scrapes.find('scrape', running.teamId, START), undefined);
    });

    test('a job can expire without affecting others', async (t) => {
      const store = await open(t);
      const [old, young] = [await startJob(store), await startJob(store, { tasks: [onHost('other.test', '/')] })];
      await completePage(old, '/');
      const task = await claimOne(young);
      await finish(young, task, donePage(task), START + HOUR);
      await store.pages.sweep(START + DAY);
      assert.equal(await store.jobs.view(old.id, old.teamId, START), undefined);
      assert.equal((await countersOf(young)).completed, 1);
      assert.equal((await documentsOf(young)).length, 1);
    });
  });
}
