// Several processes start and extend jobs at the same time, and calls are repeated whose outcome is unknown.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  claim,
  claimOne,
  donePage,
  finish,
  sampleJob,
  sampleTask,
  startJob,
  viewOf,
} from '../../../../conformance/job-samples.ts';
import { DAY, START } from '../../../../conformance/samples.ts';
import { NEEDS_POSTGRES, openClients } from './clients.ts';

describe('starting jobs in Postgres', NEEDS_POSTGRES, () => {
  test('an idempotency key that two processes use at once starts one job', async (t) => {
    const { stores } = await openClients(t, 2);
    const { id: teamId } = await stores[0]!.teams.ensureTeam('default', START);
    for (let round = 0; round < 5; round++) {
      const idempotencyKey = `${round} ${'k'.repeat(3_000)}`;
      const answers = await Promise.all(stores.map((store) => store.jobs.add(sampleJob(teamId, { idempotencyKey }))));
      assert.deepEqual(answers.sort(), ['added', 'key-used']);
    }
    assert.equal((await stores[0]!.jobs.unfinished(teamId)).length, 5);
  });

  test('processes that add jobs at once keep to the limit of unfinished jobs', async (t) => {
    const { stores } = await openClients(t, 4);
    const { id: teamId } = await stores[0]!.teams.ensureTeam('default', START);
    const answers = await Promise.all(stores.map((store) => store.jobs.add(sampleJob(teamId, { maxUnfinished: 2 }))));
    assert.deepEqual(answers.sort(), ['added', 'added', 'queue-full', 'queue-full']);
  });

  test('a job or pages that are added again, because the outcome was unknown, are there once', async (t) => {
    const { stores } = await openClients(t, 2);
    const [store, other] = stores;
    const { id: teamId } = await store!.teams.ensureTeam('default', START);
    for (const pages of [1, 5_000]) {
      const tasks = Array.from({ length: pages }, (_, at) => sampleTask(`/${at}`));
      const job = sampleJob(teamId, { kind: 'batch_scrape', tasks, limit: pages, idempotencyKey: `job of ${pages}` });
      assert.equal(await store!.jobs.add(job), 'added');
      assert.equal(await other!.jobs.add(job), 'added');
      const more = { tasks: [sampleTask('/more')], now: START, idempotencyKey: `more of ${pages}` };
      assert.equal(await store!.jobs.append(job.id, teamId, more), 'appended');
      assert.equal(await other!.jobs.append(job.id, teamId, more), 'appended');
      const others = { ...more, tasks: [sampleTask('/others')] };
      assert.equal(await other!.jobs.append(job.id, teamId, others), 'key-used');
      assert.equal((await viewOf({ store: store!, id: job.id, teamId })).total, pages + 1);
    }
  });

  test('URLs that no index can hold are stored, told apart and returned', async (t) => {
    const { stores } = await openClients(t, 1);
    const long = (end: string) => `/${randomBytes(6_000).toString('hex')}${end}`;
    const tasks = ['a', 'b'].map((end) => {
      const path = long(end);
      return sampleTask(path, { host: path.slice(1), pattern: path });
    });
    const running = await startJob(stores[0]!, { tasks: [...tasks, ...tasks] });
    assert.equal((await viewOf(running)).total, 2);
    const task = await claimOne(running);
    assert.ok(tasks.some(({ key }) => key === task.key));
    const links = [sampleTask(long('c')), sampleTask(task.key.replace('site.test', ''))];
    const page = donePage(task, { finalKey: `site.test${long('d')}`, links });
    assert.equal((await finish(running, task, page)).became, 'done');
    assert.equal((await viewOf(running)).total, 3);
    assert.equal((await claim(running, { slots: 9 })).tasks.length, 2);
  });

  test('two processes that sweep at once remove an expired job with everything of it', async (t) => {
    const { stores, database } = await openClients(t, 2);
    const tasks = Array.from({ length: 3_000 }, (_, at) => sampleTask(`/${at}`));
    const running = await startJob(stores[0]!, { tasks, limit: 2_000 });
    const task = await claimOne(running);
    await finish(running, task, donePage(task));
    await stores[0]!.jobs.cancel(running.id, running.teamId, START);
    await Promise.all(stores.map((store) => store.pages.sweep(START + 2 * DAY)));
    const { default: postgres } = await import('postgres');
    const sql = postgres(database.url, { max: 1 });
    const [left] = await sql`
      SELECT (SELECT count(*) FROM jobs)::int AS jobs, (SELECT count(*) FROM tasks)::int AS tasks,
        (SELECT count(*) FROM scrapes)::int AS scrapes`;
    await sql.end();
    assert.deepEqual({ ...left }, { jobs: 0, tasks: 0, scrapes: 0 });
  });
});
