// The statements that the embedded store runs at the end of a page, as verb and table, in their order: what a rewrite of the SQL
// layer may neither add to nor leave out. Recorded in statements.golden; `TRAWL_RECORD=1 node scripts/test.ts test/recorded`
// writes it anew.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedTask, NewTask, TaskOutcome } from '../../src/store/ports/jobs/job-queue.ts';
import {
  claim,
  donePage,
  failure,
  OWNER,
  type Running,
  sampleTask,
  startJob,
  webhookFor,
} from '../conformance/job-samples.ts';
import { openSqlite } from '../conformance/open-sqlite.ts';
import {
  DAY,
  pageToStore,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../conformance/samples.ts';
import { compareWithGolden } from './golden.ts';
import { sequenceOf, summaryOf, watchStatements } from './statements.ts';

const LINKS = [sampleTask('/linked-1'), sampleTask('/linked-2')];

/** As a crawl ends a page: it was fetched, can be searched, and is known to later crawls. */
function crawledPage(task: ClaimedTask, links: NewTask[] = []): TaskOutcome {
  const fetched = { ...samplePage(`<p>${task.url}`), finalUrl: task.url };
  const toStore = pageToStore(task.key, task.url, fetched, START + DAY, sampleResult(task.url));
  toStore.page.entry = new TextEncoder().encode(JSON.stringify({ text: task.url }));
  const look = { key: task.key, url: task.url, at: START, crawl: 'crawl', version: new TextEncoder().encode(task.url) };
  return donePage(task, { toStore, look, links });
}

test('the end of a page runs the recorded statements', async (t) => {
  const during = watchStatements(t);
  const store = await openSqlite(t);
  const found = new Map<string, unknown>();
  const record = async (name: string, work: () => Promise<unknown>) => {
    found.set(name, sequenceOf(await during(work)));
  };
  const paths = ['/', '/a', '/b', '/c', '/d', '/e', '/f', '/g'];
  const running = await startJob(store, { webhook: webhookFor(), tasks: paths.map((path) => sampleTask(path)) });
  const claimed = async (slots: number, of: Running = running) => {
    let tasks: ClaimedTask[] = [];
    await record(`claim of ${slots}`, async () => {
      ({ tasks } = await claim(of, { slots }));
    });
    assert.equal(tasks.length, slots);
    return tasks;
  };
  const end = (name: string, tasks: ClaimedTask[], outcome: (task: ClaimedTask) => TaskOutcome) => {
    const ended = tasks.map((task) => ({ id: task.id, outcome: outcome(task) }));
    return record(name, () => store.queue.finish(OWNER, ended, START));
  };
  await end('a page of a crawl with two new links and a webhook', await claimed(1), (task) => crawledPage(task, LINKS));
  await end('a page whose links are known', await claimed(1), (task) => crawledPage(task, LINKS));
  await end('a page that says the same as another one', await claimed(1), (task) =>
    donePage(task, { text: 'http://site.test/', finalKey: 'site.test/' }),
  );
  await end('three pages in one transaction', await claimed(3), (task) => crawledPage(task));
  await end('a page that failed', await claimed(1), () => failure());
  await end('a page that is tried again', await claimed(1), () => ({ state: 'retry', at: START }));

  const short = await startJob(store);
  await end('the last page of a crawl without a webhook', await claimed(1, short), (task) => crawledPage(task));

  const toStore = pageToStore('alone', 'http://site.test/alone', samplePage('<p>'), null, sampleResult('alone'));
  const scrape = sampleScrape(running.teamId, toStore);
  const charge = sampleCharge(running.teamId, { job: scrape.id, request: { id: scrape.id, isRatable: true } });
  await record('a scrape', () => store.scrapes.add(charge, scrape));
  compareWithGolden('statements', found);
});

test('a statement is told by its verb and its table', () => {
  const told = {
    'INSERT INTO a (b) VALUES (?) ON CONFLICT (b) DO UPDATE SET b = 1': 'INSERT a',
    'INSERT OR IGNORE INTO a SELECT * FROM b': 'INSERT a',
    'UPDATE a SET b = (SELECT 1 FROM c)': 'UPDATE a',
    'DELETE FROM a WHERE b IN (SELECT b FROM c)': 'DELETE a',
    'WITH x AS (SELECT 1 FROM y) SELECT * FROM x': 'SELECT y',
    'WITH x AS (SELECT 1) UPDATE a SET b = 1': 'UPDATE a',
    "SELECT b, 'INSERT INTO z' FROM a -- FROM c": 'SELECT a',
    'BEGIN IMMEDIATE': 'BEGIN IMMEDIATE',
  };
  assert.deepEqual(Object.keys(told).map(summaryOf), Object.values(told));
});
