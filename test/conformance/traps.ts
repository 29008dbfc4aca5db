// Every JobQueue adapter ends crawler traps: endless families of addresses.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewTask } from '../../src/store/ports/jobs/job-queue.ts';
import {
  claim,
  claimOne,
  completePage,
  documentsOf,
  donePage,
  finish,
  nearFingerprint,
  OWNER,
  type PageSketch,
  type Running,
  sampleTask,
  startJob,
  viewOf,
} from './job-samples.ts';
import { type OpenStore, START, sampleFingerprint } from './samples.ts';

const CALENDAR = 'site.test/calendar?*';

const month = (number: number, task: Partial<NewTask> = {}): NewTask =>
  sampleTask(`/calendar?m=${number}`, { pattern: CALENDAR, chained: number > 0, ...task });

/** Goes from month to month, each linking to the next, while the job runs. Returns the number of pages. */
async function walk(running: Running, most: number, sketch: (number: number) => PageSketch): Promise<number> {
  for (let number = 0; number < most; number++) {
    const { job } = await completePage(running, `/calendar?m=${number}`, {
      links: [month(number + 1)],
      ...sketch(number),
    });
    if (job.status === 'completed') return number + 1;
  }
  return most;
}

const openCalendar = async (open: OpenStore, t: Parameters<OpenStore>[0], rest: NewTask[] = []): Promise<Running> =>
  startJob(await open(t), { limit: 10_000, tasks: [...rest, month(0)] });

/** Every month has the words of every other, in another order. */
const emptyMonth = (number: number): PageSketch => ({
  fingerprint: { ...sampleFingerprint(`month ${number}`), gist: sampleFingerprint('empty').gist },
});

export function testTraps(adapter: string, open: OpenStore): void {
  describe(`JobQueue on ${adapter}: traps`, () => {
    test('a family is closed by 30 pages in a row without anything new, not by 29', async (t) => {
      const running = await openCalendar(open, t);
      // The first month is new.
      assert.equal(await walk(running, 100, emptyMonth), 31);
      assert.equal((await viewOf(running)).total, 31);
      const other = await openCalendar(open, t);
      const newAfter29 = (number: number): PageSketch => (number === 30 ? {} : emptyMonth(number));
      assert.equal(await walk(other, 100, newAfter29), 61, 'the count starts again');
    });

    test('links to a closed family are not added, whatever page they are on', async (t) => {
      const running = await openCalendar(open, t, [sampleTask('/a')]);
      const other = await claimOne(running);
      await walk(running, 31, emptyMonth);
      const links = [month(500), month(501, { chained: false }), sampleTask('/calendar')];
      const { added } = await finish(running, other, donePage(other, { links }));
      assert.equal(added, 1, 'only the address outside the family');
      assert.equal((await completePage(running, '/calendar')).job.status, 'completed');
    });

    test('closing a family drops its waiting, paused and spare pages, and frees their room in the limit', async (t) => {
      const store = await open(t);
      const facet = (number: number) => sampleTask(`/list?f=${number}`, { pattern: 'site.test/list?*', chained: true });
      const facets = Array.from({ length: 60 }, (_, index) => facet(index));
      const running = await startJob(store, { limit: 50, tasks: [...facets, sampleTask('/last')] });
      const first = await claimOne(running);
      await finish(running, first, { state: 'retry', at: START + 9_000 });
      for (let number = 1; number <= 31; number++) {
        await completePage(running, `/list?f=${number}`, { fingerprint: sampleFingerprint('the same') });
      }
      assert.equal((await viewOf(running)).total, 32);
      const last = await completePage(running, '/last');
      assert.deepEqual(last.job, { status: 'completed', home: 'http://site.test/', total: 32, completed: 32 });
    });

    test('a list of a thousand different items is never closed, chained or not', async (t) => {
      for (const chained of [false, true]) {
        const items = Array.from({ length: 1_000 }, (_, index) =>
          sampleTask(`/item/${index}`, { pattern: 'site.test/item/#', chained }),
        );
        const running = await startJob(await open(t), { limit: 10_000, tasks: items });
        for (let done = 0; done < items.length; ) {
          const { tasks } = await claim(running, { slots: 50 });
          assert.ok(tasks.length > 0);
          const ended = tasks.map((task) => ({ id: task.id, outcome: donePage(task, { text: task.url }) }));
          done += (await running.store.queue.finish(OWNER, ended, START)).length;
        }
        assert.equal((await documentsOf(running)).length, 1_000);
      }
    });

    test('pages that are not chained count as equal only if their texts are identical', async (t) => {
      const near = (number: number): PageSketch => ({
        fingerprint: {
          ...nearFingerprint(sampleFingerprint('base'), number % 3, `${number}`),
          gist: 'same gist 123456',
        },
      });
      const listed = Array.from({ length: 40 }, (_, index) => month(index, { chained: false }));
      const running = await startJob(await open(t), { tasks: listed });
      for (const [index] of listed.entries()) await completePage(running, `/calendar?m=${index}`, near(index));
      assert.equal((await viewOf(running)).completed, 40);
      const same = await startJob(await open(t), { tasks: listed });
      for (let index = 0; index < 31; index++) {
        await completePage(same, `/calendar?m=${index}`, { fingerprint: sampleFingerprint('the very same') });
      }
      assert.equal((await viewOf(same)).status, 'completed');
    });

    test('chained pages with a query are compared by similarity, those without a query are not', async (t) => {
      const near = (number: number): PageSketch => ({
        fingerprint: nearFingerprint(sampleFingerprint('base'), number % 7, `${number}`),
      });
      assert.equal(await walk(await openCalendar(open, t), 100, near), 31);
      const path = (number: number) =>
        sampleTask(`/calendar/${number}`, { pattern: 'site.test/calendar/#', chained: true });
      const running = await startJob(await open(t), { tasks: [path(0)] });
      for (let number = 0; number < 40; number++) {
        const { job } = await completePage(running, `/calendar/${number}`, {
          ...near(number),
          links: [path(number + 1)],
        });
        assert.equal(job.status, 'scraping');
      }
    });

    test('a page that links to an unknown path of another family counts as new', async (t) => {
      const withNewPath = (number: number): PageSketch => ({
        ...emptyMonth(number),
        links: [sampleTask(`/event-${number}?from=calendar`, { pattern: 'site.test/event-#?*' }), month(number + 1)],
      });
      const running = await openCalendar(open, t);
      for (let number = 0; number < 40; number++) {
        await completePage(running, `/calendar?m=${number}`, withNewPath(number));
        await completePage(running, `/event-${number}?from=calendar`);
      }
      assert.equal((await viewOf(running)).completed, 80);
    });

    test('a calendar that links to the pages of its empty days ends, too', async (t) => {
      const empty = (name: string) => ({ ...sampleFingerprint(name), gist: sampleFingerprint('empty day').gist });
      const day = (number: number, of: number) =>
        sampleTask(`/events/2031/01/${String(of).padStart(2, '0')}/${number}`, { pattern: 'site.test/events/#/#/#/#' });
      const running = await openCalendar(open, t);
      let completed = 0;
      for (let status = 'scraping'; status === 'scraping'; completed++) {
        const task = await claimOne(running);
        const number = Number(task.url.split('=')[1]);
        const sketch: PageSketch = task.url.includes('/events/')
          ? { fingerprint: empty(task.url) }
          : { ...emptyMonth(number), links: [1, 2, 3].map((of) => day(number, of)).concat(month(number + 1)) };
        status = (await finish(running, task, donePage(task, sketch))).job.status;
        assert.ok(completed < 500, 'the crawl never ends');
      }
      assert.ok(completed < 100, `${completed} pages`);
    });

    test('other queries of a known path, and new paths of the same family, are not new', async (t) => {
      const running = await openCalendar(open, t, [sampleTask('/plain'), sampleTask('/search?q=1')]);
      await claim(running, { slots: 2 });
      for (let number = 0; number <= 30; number++) {
        assert.equal((await running.store.queue.load(running.teamId)).waiting, 1, `month ${number} is waiting`);
        const known = ['/plain?n=', '/search?n='].map((path) => sampleTask(path + number, { pattern: 'other' }));
        const links = [...known, sampleTask(`/calendar-${number}`, { pattern: CALENDAR }), month(number + 1)];
        await completePage(running, `/calendar?m=${number}`, { ...emptyMonth(number), links });
        await claim(running, { slots: number < 30 ? 3 : 2 });
      }
      assert.equal((await running.store.queue.load(running.teamId)).waiting, 0);
    });

    test('addresses without a pattern are never closed', async (t) => {
      const paths = Array.from({ length: 60 }, (_, index) => `/about-${index}`);
      const tasks = paths.map((path) => sampleTask(path, { chained: true }));
      const running = await startJob(await open(t), { tasks });
      for (const path of paths) await completePage(running, path, { fingerprint: sampleFingerprint('the same') });
      assert.equal((await viewOf(running)).completed, 60);
    });
  });
}
