// Several processes finish pages of one job at the same time, while it is paused, cancelled or extended.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import postgres from 'postgres';
import type { ClaimedTask } from '../../../../../src/store/ports/jobs/job-queue.ts';
import {
  claim,
  claimOne,
  donePage,
  finishAs,
  OWNER,
  onHost,
  resultPaths,
  sampleTask,
  startJob,
  viewOf,
  webhookFor,
} from '../../../../conformance/job-samples.ts';
import { START } from '../../../../conformance/samples.ts';
import { type Clients, NEEDS_POSTGRES, openClients, startShared, workOff } from './clients.ts';

const PAGES = 160;
const onSomeHost = (number: number) => onHost(`host-${number % 16}.test`, `/${number}`);
/** Links that overlap with those of other pages, so that many transactions find the same page. */
const linksOf = (task: ClaimedTask) => {
  const number = Number(new URL(task.url).pathname.slice(1));
  return [1, 2, 3, 4, 5, 7, 11].map((step) => onSomeHost((number + step) % PAGES));
};

async function eventsOf({ database }: Clients): Promise<string[]> {
  const sql = postgres(database.url, { max: 1 });
  try {
    return (await sql`SELECT event FROM deliveries ORDER BY id`).map(({ event }) => event);
  } finally {
    await sql.end();
  }
}

describe('finishing pages in Postgres', NEEDS_POSTGRES, () => {
  test('eight processes finish a crawl: each page once, the counters add up, and it completes once', async (t) => {
    const clients = await openClients(t, 8);
    const shared = await startShared(clients, {
      tasks: [0, 50, 100].map(onSomeHost),
      limit: 1_000,
      webhook: webhookFor(),
    });
    const isOver = async () => (await viewOf(shared[0]!)).status === 'completed';
    await Promise.all(
      shared.map(async (running, index) => {
        while (!(await isOver()))
          await workOff(running, `worker ${index}`, (task) => donePage(task, { links: linksOf(task) }));
      }),
    );
    const { total, completed, credits } = await viewOf(shared[0]!);
    assert.deepEqual([total, completed, credits], [PAGES, PAGES, PAGES]);
    assert.equal(new Set(await resultPaths(shared[0]!)).size, PAGES);
    const events = await eventsOf(clients);
    assert.deepEqual([events[0], events.at(-1), events.length], ['started', 'completed', PAGES + 2]);
  });

  test('the limit holds, and spares take the place of failed pages', async (t) => {
    const clients = await openClients(t, 4);
    const tasks = Array.from({ length: 60 }, (_, number) => onSomeHost(number));
    const shared = await startShared(clients, { tasks, limit: 20 });
    const isFailed = (task: ClaimedTask) => task.id % 3 === 0;
    const failed = { state: 'failed', scrapeId: 'x', code: 'X', message: 'Down.', credits: 0 } as const;
    await Promise.all(
      shared.map((running, index) =>
        workOff(running, `worker ${index}`, (task) => (isFailed(task) ? { ...failed } : donePage(task))),
      ),
    );
    // Spares that were promoted after the owner of their host had stopped.
    while ((await viewOf(shared[0]!)).status === 'scraping')
      for (const running of shared) await workOff(running, 'last');
    const view = await viewOf(shared[0]!);
    assert.deepEqual([view.status, view.total, view.completed], ['completed', 20, 20]);
    assert.equal((await resultPaths(shared[0]!)).length, 20);
  });

  test('a finish that is repeated, because its outcome is unknown, counts once', async (t) => {
    const [mine, theirs] = await startShared(await openClients(t, 2), { tasks: [sampleTask('/')] });
    const task = await claimOne(mine!);
    const both = await Promise.all(
      [mine!, theirs!].map(({ store }) => finishAs(store, OWNER, task, donePage(task, { credits: 3 }))),
    );
    assert.deepEqual(both.map(({ became }) => became).sort(), ['done', 'lost']);
    const { completed, credits } = await viewOf(mine!);
    assert.deepEqual([completed, credits], [1, 3]);
  });

  test('a job that is cancelled or paused while pages are finished keeps counters that add up', async (t) => {
    const clients = await openClients(t, 4);
    const tasks = Array.from({ length: 40 }, (_, number) => onSomeHost(number));
    for (const act of ['pause', 'cancel'] as const) {
      const shared = await startShared(clients, { tasks });
      const { store, id, teamId } = shared[0]!;
      await Promise.all([
        ...shared.map((running, index) => workOff(running, `worker ${index}`)),
        store.jobs[act](id, teamId, START),
      ]);
      const { status, completed, total } = await viewOf(shared[0]!);
      assert.equal((await resultPaths(shared[0]!)).length, completed);
      assert.deepEqual((await claim(shared[1]!, { slots: 9 })).tasks, []);
      if (act === 'cancel') assert.ok(status === 'cancelled' || completed === 40);
      else {
        assert.equal(total, 40);
        await store.jobs.resume(id, teamId, START);
        for (const running of shared) await workOff(running, 'last');
        assert.equal((await viewOf(shared[0]!)).status, 'completed');
      }
    }
  });

  test('pages that are appended while the last page finishes are read', async (t) => {
    const clients = await openClients(t, 2);
    for (let round = 0; round < 8; round++) {
      const shared = await startShared(clients, { kind: 'batch_scrape', limit: 1, tasks: [sampleTask('/first')] });
      const [mine, theirs] = shared;
      const task = await claimOne(mine!);
      const [, appended] = await Promise.all([
        finishAs(mine!.store, OWNER, task, donePage(task)),
        theirs!.store.jobs.append(theirs!.id, theirs!.teamId, { tasks: [sampleTask('/more')], now: START }),
      ]);
      assert.equal(appended, 'appended');
      const before = await viewOf(mine!);
      assert.deepEqual([before.status, before.total, before.completed], ['scraping', 2, 1]);
      await workOff(mine!, OWNER);
      const { status, total, completed } = await viewOf(theirs!);
      assert.deepEqual([status, total, completed], ['completed', 2, 2]);
    }
  });

  test('tasks of several jobs are finished together by several processes, without waiting for each other forever', async (t) => {
    const { stores } = await openClients(t, 4);
    const tasks = Array.from({ length: 8 }, (_, number) => onSomeHost(number));
    const jobs = [];
    for (let at = 0; at < 3; at++) jobs.push(await startJob(stores[0]!, { tasks }));
    const claimed: ClaimedTask[] = [];
    for (const job of jobs) claimed.push(...(await claim(job, { slots: 8 })).tasks);
    // Each process has tasks of all jobs, in another order.
    const shares = stores.map((_, index) => claimed.filter((__, at) => at % stores.length === index));
    await Promise.all(
      shares.map((share, index) =>
        stores[index]!.queue.finish(
          OWNER,
          (index % 2 ? share.toReversed() : share).map((task) => ({ id: task.id, outcome: donePage(task) })),
          START,
        ),
      ),
    );
    for (const job of jobs) assert.equal((await viewOf(job)).status, 'completed');
  });
});
