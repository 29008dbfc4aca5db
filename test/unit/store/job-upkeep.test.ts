// What jobs leave on disk, counted outside the store, and what happens to claims when a process ends.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SHARED } from '../../../src/page/page-owner.ts';
import type { NewTask } from '../../../src/store/ports/jobs/job-queue.ts';
import {
  byRobots,
  claim,
  claimOne,
  completePage,
  documentsOf,
  donePage,
  finish,
  kickOff,
  sampleTask,
  startJob,
  viewOf,
  webhookFor,
} from '../../conformance/job-samples.ts';
import {
  DAY,
  noise,
  pageToStore,
  START,
  sampleFingerprint,
  samplePage,
  sampleResult,
} from '../../conformance/samples.ts';
import { blobFiles, openTemporaryStore, queryDatabase } from './temporary-folder.ts';

const JOB_TABLES = [
  'jobs',
  'job_requests',
  'job_keys',
  'job_patterns',
  'tasks',
  'scrapes',
  'deliveries',
  'results',
  'bodies',
];
const LARGE_TEXT = Buffer.from(noise(100_000)).toString('base64');

const counts = (dataDir: string, tables = JOB_TABLES) =>
  Object.fromEntries(tables.map((table) => [table, queryDatabase(dataDir, `SELECT count(*) FROM ${table}`)[0]]));
const nothing = Object.fromEntries(JOB_TABLES.map((table) => [table, 0]));

const asKnown = (task: NewTask): NewTask => ({ ...task, isKnown: true });
const manyTasks = (count: number) => Array.from({ length: count }, (_, index) => sampleTask(`/${index}`));

test('an expired job is removed with everything that belongs to it, including files', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const family = (number: number) => sampleTask(`/f?${number}`, { pattern: 'f' });
  const running = await startJob(store, {
    webhook: webhookFor(),
    idempotencyKey: 'key',
    limit: 3,
    tasks: [family(1), family(2), sampleTask('/large'), byRobots('/no'), ...manyTasks(250)],
  });
  for (const number of [1, 2]) await completePage(running, `/f?${number}`, { fingerprint: sampleFingerprint('same') });
  await completePage(running, '/large', { text: LARGE_TEXT });
  assert.equal((await viewOf(running)).status, 'completed');
  assert.equal(blobFiles(dataDir).length, 1);
  assert.ok(Object.values(counts(dataDir)).every((count) => Number(count) > 0));
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir), nothing);
  assert.deepEqual(blobFiles(dataDir), []);
});

test('a cancelled job with zero data retention leaves no row and no file', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const tasks = [sampleTask('/large'), ...manyTasks(1_500)];
  const running = await startJob(store, { zeroDataRetention: true, webhook: webhookFor(), limit: 1_000, tasks });
  await completePage(running, '/large', { text: LARGE_TEXT });
  await claimOne(running);
  await store.jobs.cancel(running.id, running.teamId, START);
  assert.deepEqual(counts(dataDir), nothing);
  assert.deepEqual(blobFiles(dataDir), []);
});

test('the counters of a job agree with its tasks', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store, { limit: 4, tasks: [kickOff, byRobots('/no'), ...manyTasks(12)] });
  const { tasks } = await claim(running, { slots: 4 });
  await finish(running, tasks[0]!, { state: 'kicked-off' });
  await finish(running, tasks[1]!, { state: 'blocked' });
  await finish(running, tasks[2]!, donePage(tasks[2]!, { finalKey: 'site.test/11', links: manyTasks(20) }));
  const counted = 'SELECT spares, total, completed, blocked, kick_offs FROM jobs';
  const rows = `SELECT sum(state = 'spare'), sum(kind = 'page' AND state IN ('waiting', 'running', 'paused', 'done')),
    sum(kind = 'page' AND state = 'done'), sum(state = 'blocked'),
    sum(kind = 'kick-off' AND state IN ('waiting', 'running', 'paused')) FROM tasks`;
  assert.deepEqual(queryDatabase(dataDir, counted), [[14, 4, 1, 2, 0]]);
  assert.deepEqual(queryDatabase(dataDir, rows), queryDatabase(dataDir, counted));
});

test('tasks that will never run are removed by the next sweep: of cancelled jobs, and of those of runs', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const left = () => queryDatabase(dataDir, 'SELECT state, count(*) FROM tasks GROUP BY state ORDER BY state');
  const cancelled = await startJob(store, { limit: 300, tasks: manyTasks(600) });
  const { tasks } = await claim(cancelled, { slots: 3 });
  await finish(cancelled, tasks[0]!, { state: 'retry', at: START + 9 });
  await finish(cancelled, tasks[1]!, donePage(tasks[1]!));
  await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
  const runId = 'run';
  const completed = await startJob(store, { limit: 1, tasks: manyTasks(200), runId });
  await completePage(completed, '/0');
  const full = await startJob(store, { limit: 1, tasks: [sampleTask('/'), ...manyTasks(120).map(asKnown)], runId });
  await completePage(full, '/');
  const failed = await startJob(store, { tasks: manyTasks(5), runId });
  await finish(failed, await claimOne(failed), { state: 'fatal', message: 'No.' });
  const running = await startJob(store, { limit: 2, tasks: manyTasks(4) });
  const extendable = await startJob(store, { limit: 1, tasks: manyTasks(3) });
  await completePage(extendable, '/0');
  const retryable = await startJob(store, { tasks: manyTasks(2) });
  await finish(retryable, await claimOne(retryable), { state: 'fatal', message: 'No.' });
  await store.pages.sweep(START);
  assert.deepEqual(left(), [
    ['done', 4],
    ['spare', 4],
    ['waiting', 4],
  ]);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT DISTINCT has_leftovers FROM jobs'), [0]);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT DISTINCT known FROM jobs'), [0]);
  assert.equal((await viewOf(running)).total, 2);
});

test('a sweep removes no new pages of a batch that completed with spares and runs again', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store, { kind: 'batch_scrape', limit: 1, tasks: manyTasks(3) });
  await completePage(running, '/0');
  await store.jobs.append(running.id, running.teamId, { tasks: [sampleTask('/new')], now: START });
  await store.pages.sweep(START);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT key FROM tasks ORDER BY id'), [
    'site.test/0',
    'site.test/1',
    'site.test/2',
    'site.test/new',
  ]);
  assert.equal((await completePage(running, '/new')).job.status, 'completed');
});

test('a job with many tasks is removed in one sweep of several rounds', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store, { limit: 20_000, tasks: [kickOff, ...manyTasks(12_000)] });
  await store.jobs.cancel(running.id, running.teamId, START);
  let isSwept = false;
  const sweep = store.pages.sweep(START + DAY).then(() => {
    isSwept = true;
  });
  assert.equal(await store.jobs.view(running.id, running.teamId, START + DAY), undefined);
  assert.equal(isSwept, false, 'other calls run between the rounds');
  await sweep;
  assert.deepEqual(counts(dataDir), nothing);
});

test('a result shared by the cache and two jobs is removed with its last reference', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const results = () => queryDatabase(dataDir, 'SELECT count(*), sum(keep_until IS NULL) FROM results')[0];
  const toStore = pageToStore('key', 'http://site.test/', samplePage('<p>'), null, sampleResult('shared'));
  const resultId = await store.pages.save(toStore);
  const [first, second] = [await startJob(store), await startJob(store)];
  await completePage(first, '/', { toStore: { resultId } });
  await completePage(second, '/', { toStore: { resultId } }, START + 1_000);
  await store.pages.delete('http://site.test/', SHARED);
  await store.pages.sweep(START + DAY);
  assert.deepEqual(results(), [1, 1]);
  assert.equal((await documentsOf(second))[0]?.markdown, 'shared');
  await store.pages.sweep(START + DAY + 1_000);
  assert.deepEqual(results(), [0, null]);
});

test('a result of a cached page is not removed with a job', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store);
  const toStore = pageToStore('key', 'http://site.test/', samplePage('<p>'), null, sampleResult('cached'));
  await completePage(running, '/', { toStore });
  await store.pages.sweep(START + DAY);
  assert.deepEqual(counts(dataDir, ['pages', 'results', 'bodies', 'scrapes']), {
    pages: 1,
    results: 1,
    bodies: 2,
    scrapes: 0,
  });
});

test('claims are released at the next start, but not by a second process beside a running one', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store);
  const task = await claimOne(running);
  const beside = await openTemporaryStore(t, { dataDir, lock: false });
  await beside.store.close();
  assert.deepEqual(await store.queue.extend('worker 1', [task.id], START + 9, START), []);
  await store.close();
  const { store: next } = await openTemporaryStore(t, { dataDir });
  const again = await claimOne({ ...running, store: next });
  assert.deepEqual([again.id, again.attempt], [task.id, 2]);
});

test('a result whose content is lost does not affect the others', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const running = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b')] });
  await completePage(running, '/a', { text: LARGE_TEXT });
  await completePage(running, '/b');
  for (const name of blobFiles(dataDir)) rmSync(join(dataDir, 'blobs', name.slice(0, 2), name));
  const [first, second] = await documentsOf(running);
  assert.deepEqual(
    [first?.markdown, first?.warning],
    [undefined, 'The stored content of this page is lost. Scrape the page again.'],
  );
  assert.equal(first?.metadata.sourceURL, 'http://site.test/a');
  assert.equal(second?.markdown, 'http://site.test/b');
});
