// Every PageHistory adapter passes these tests, together with the ports that write looks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskOutcome } from '../../src/store/ports/jobs/job-queue.ts';
import type { PageLook } from '../../src/store/ports/pages/page-history.ts';
import type { Store } from '../../src/store/ports/store.ts';
import {
  claim,
  claimedPaths,
  claimOne,
  completePage,
  countersOf,
  donePage,
  failure,
  finish,
  finishAs,
  kickOff,
  type Running,
  sampleTask,
  startJob,
} from './job-samples.ts';
import { HOUR, MINUTE, noise, type OpenStore, START, sampleCharge, sampleResult, sampleScrape } from './samples.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const lookAt = (key: string, version: string | undefined, look: Partial<PageLook> = {}): PageLook => ({
  key,
  url: `http://site.test/${key}`,
  at: START,
  ...(version !== undefined && { version: bytes(version) }),
  ...look,
});

const teamIn = async ({ teams }: Store) => (await teams.ensureTeam('default', START)).id;

/** Stores a scrape that saw this. */
async function scrape(store: Store, look: PageLook, id: string = crypto.randomUUID()): Promise<void> {
  const teamId = await teamIn(store);
  await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { result: sampleResult('text') }, { id, look }));
}

async function seen({ history }: Store, key: string): Promise<[number, string] | undefined> {
  const found = await history.find(key);
  return found && [found.at, new TextDecoder().decode(found.version)];
}

const known = (path: string) => sampleTask(path, { isKnown: true });

export function testPageHistory(adapter: string, open: OpenStore): void {
  describe(`PageHistory on ${adapter}`, () => {
    test('the last look of a scrape is found, and each key has its own', async (t) => {
      const store = await open(t);
      assert.equal(await seen(store, 'a'), undefined);
      await scrape(store, lookAt('a', 'first'));
      await scrape(store, lookAt('b', 'other'));
      await scrape(store, lookAt('a', 'second ü', { at: START + HOUR }));
      assert.deepEqual(await seen(store, 'a'), [START + HOUR, 'second ü']);
      assert.deepEqual(await seen(store, 'b'), [START, 'other']);
    });

    test('small, large and empty versions come back unchanged', async (t) => {
      const store = await open(t);
      for (const [index, version] of [new Uint8Array(), noise(100), noise(300_000)].entries()) {
        await scrape(store, { ...lookAt('a', ''), at: START + index, version });
        assert.deepEqual((await store.history.find('a'))?.version, version);
      }
    });

    test('a look that ends late does not replace a newer one', async (t) => {
      const store = await open(t);
      await scrape(store, lookAt('a', 'newer', { at: START + MINUTE }));
      await scrape(store, lookAt('a', 'older'));
      await scrape(store, lookAt('a', undefined));
      assert.deepEqual(await seen(store, 'a'), [START + MINUTE, 'newer']);
    });

    test('many looks at once leave the newest', async (t) => {
      const store = await open(t);
      const looks = Array.from({ length: 20 }, (_, index) => lookAt('a', `look ${index}`, { at: START + index }));
      await Promise.all(looks.toReversed().map((look) => scrape(store, look)));
      assert.deepEqual(await seen(store, 'a'), [START + 19, 'look 19']);
    });

    test('a scrape and its look are stored together or not at all', async (t) => {
      const store = await open(t);
      await scrape(store, lookAt('a', 'first'), 'same id');
      await assert.rejects(scrape(store, lookAt('a', 'second', { at: START + 1 }), 'same id'));
      assert.deepEqual(await seen(store, 'a'), [START, 'first']);
    });

    test('looks never expire', async (t) => {
      const store = await open(t, { cacheMaxBytes: 0 });
      await scrape(store, lookAt('a', 'old'));
      await store.pages.sweep(START + 100_000 * HOUR);
      assert.deepEqual(await seen(store, 'a'), [START, 'old']);
    });

    test('a page that is gone keeps its last version, and its crawls forget it', async (t) => {
      const store = await open(t);
      await scrape(store, lookAt('a', 'text', { crawl: 'site' }));
      await scrape(store, lookAt('b', 'text', { crawl: 'site' }));
      await scrape(store, lookAt('never-seen', undefined, { crawl: 'site' }));
      await scrape(store, lookAt('a', undefined, { crawl: 'site', at: START + 1 }));
      assert.deepEqual(await seen(store, 'a'), [START, 'text']);
      assert.equal(await seen(store, 'never-seen'), undefined);
      assert.deepEqual(await store.history.known('site', '', 10), ['http://site.test/b']);
    });

    test('crawls know their own pages in order, page by page, also after a single scrape', async (t) => {
      const store = await open(t);
      for (const key of ['c', 'a', 'b']) await scrape(store, lookAt(key, key, { crawl: 'one' }));
      await scrape(store, lookAt('d', 'd', { crawl: 'two' }));
      await scrape(store, lookAt('e', 'e'));
      await scrape(store, lookAt('a', 'again', { at: START + 1 }));
      const urls = ['a', 'b', 'c'].map((key) => `http://site.test/${key}`);
      assert.deepEqual(await store.history.known('one', '', 10), urls);
      assert.deepEqual(await store.history.known('one', urls[0]!, 1), [urls[1]]);
      assert.deepEqual(await store.history.known('three', '', 10), []);
    });
  });

  describe(`looks of jobs on ${adapter}`, () => {
    test('a page of a job and its look are stored together', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { tasks: [sampleTask('/a')] });
      await completePage(running, '/a', { look: lookAt('a', 'text') });
      assert.deepEqual(await seen(store, 'a'), [START, 'text']);
    });

    test('a worker that has lost its lease writes no look', async (t) => {
      const store = await open(t);
      const running = await startJob(store);
      const task = await claimOne(running);
      const { became } = await finishAs(store, 'other', task, donePage(task, { look: lookAt('a', 'text') }));
      assert.equal(became, 'lost');
      assert.equal(await seen(store, 'a'), undefined);
    });

    test('a duplicate, which is not answered, leaves no look', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b')] });
      await completePage(running, '/a', { look: lookAt('a', 'text') });
      const { became } = await completePage(running, '/b', { finalKey: 'site.test/a', look: lookAt('b', 'text') });
      assert.equal(became, 'duplicate');
      assert.equal(await seen(store, 'b'), undefined);
    });
  });

  describe(`pages known from earlier crawls on ${adapter}`, () => {
    const startAt = async (store: Store, limit = 10): Promise<Running> =>
      startJob(store, { limit, tasks: [sampleTask('/'), kickOff] });

    /** Finishes the kick-off, which comes with the first claim, with these pages. */
    async function kickedOff(running: Running, ...paths: string[]) {
      const { tasks } = await claim(running, { slots: 2 });
      const start = tasks.find(({ kind }) => kind === 'kick-off')!;
      await running.store.queue.discover('worker 1', start.id, paths.map(known), START);
      await finish(running, start, { state: 'kicked-off' });
      return tasks.find(({ kind }) => kind === 'page')!;
    }

    test('they come last, and are told apart from pages that a link leads to', async (t) => {
      const running = await startAt(await open(t));
      const start = await kickedOff(running, '/linked', '/left');
      assert.deepEqual((await claim(running)).tasks, [], 'they wait until the links are known');
      await finish(running, start, donePage(start, { links: [sampleTask('/linked')] }));
      const linked = await claimOne(running);
      assert.deepEqual([linked.url, linked.isUnlinked], ['http://site.test/linked', undefined]);
      const { added, job } = await finish(running, linked, donePage(linked));
      assert.deepEqual([added, job.status, job.total], [1, 'scraping', 3]);
      const left = await claimOne(running);
      assert.deepEqual([left.url, left.isUnlinked], ['http://site.test/left', true]);
      assert.equal((await finish(running, left, donePage(left))).job.status, 'completed');
    });

    test('they do not exceed the limit, and one takes the place of another that fails', async (t) => {
      const running = await startAt(await open(t), 2);
      const start = await kickedOff(running, '/a', '/b', '/c');
      await finish(running, start, donePage(start));
      const { tasks } = await claim(running, { slots: 5 });
      assert.deepEqual(claimedPaths(tasks), ['/a']);
      await finish(running, tasks[0]!, failure());
      await completePage(running, '/b');
      const { status, total, failed } = await countersOf(running);
      assert.deepEqual({ status, total, failed }, { status: 'completed', total: 2, failed: 1 });
      await running.store.pages.sweep(START);
    });

    test('one that another page redirects to is not read again', async (t) => {
      const running = await startAt(await open(t));
      const start = await kickedOff(running, '/a');
      const { job } = await finish(running, start, donePage(start, { finalKey: 'site.test/a' }));
      assert.equal(job.status, 'completed');
    });

    test('one that is linked but not to be read is left out', async (t) => {
      const running = await startAt(await open(t));
      const start = await kickedOff(running, '/deep', '/left');
      const outcome = donePage(start) as Extract<TaskOutcome, { state: 'done' }>;
      await finish(running, start, { ...outcome, mentions: ['site.test/deep', 'site.test/other'] });
      assert.equal((await completePage(running, '/left')).job.status, 'completed');
    });

    test('pages that are tasks already are not added again', async (t) => {
      const running = await startAt(await open(t));
      const start = await kickedOff(running, '/');
      assert.equal((await finish(running, start, donePage(start))).job.status, 'completed');
    });
  });
}
