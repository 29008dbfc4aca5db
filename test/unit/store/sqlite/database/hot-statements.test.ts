// What every page or request runs opens no temporary table: SQLite makes each of fresh memory, which costs more than most statements.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { claim, donePage, OWNER, type Running, sampleTask, startJob } from '../../../../conformance/job-samples.ts';
import {
  MINUTE,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../../../../conformance/samples.ts';
import { openTemporaryStore } from '../../temporary-folder.ts';

const SITE = 'http://site.test';
const PATTERN = '/list/{number}';

const newPage = (key: string, now = START) =>
  pageToStore(key, `${SITE}/${key}`, samplePage('<p>', now), null, sampleResult(key, now));

/** Ends one page, with a page for the cache and links that are known, new, of a pattern, and refused. */
async function endPage(running: Running, name: string) {
  const [task] = (await claim(running)).tasks;
  const toStore = newPage(name);
  toStore.page.entry = new TextEncoder().encode('{}');
  const links = [
    sampleTask('/'),
    sampleTask(`/${name}`, { pattern: PATTERN }),
    sampleTask(`/${name}/blocked`, { refused: { by: 'robots' } }),
  ];
  await running.store.queue.finish(OWNER, [{ id: task!.id, outcome: donePage(task!, { toStore, links }) }], START);
}

/**
 * What runs with each page or request: whatever else does belongs here. Lists are short, since longer ones are worth a table. A page
 * that is removed still opens one, for the screenshots that refer to it.
 */
const HOT: Record<string, (running: Running) => Promise<unknown>> = {
  'a key is looked up': ({ store }) => store.teams.findByKey('hash', START),
  'a page is looked for in the cache': ({ store }) => store.pages.find(queryFor('known')),
  'a page with a screenshot is looked for': ({ store }) => store.pages.find(queryFor('known', { screenshot: '{}' })),
  'a scrape stores its page': ({ store, teamId }) =>
    store.scrapes.add(
      sampleCharge(teamId, { request: { id: 'request', isRatable: true } }),
      sampleScrape(teamId, newPage('scraped')),
    ),
  'a scrape is answered from the cache': async ({ store, teamId }) => {
    const { resultId } = (await store.pages.find(queryFor('known'))) as { resultId: string };
    await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }, { id: 'cached' }));
  },
  'a cached page gets another format, and the same one again': async ({ store }) => {
    const { pageId } = (await store.pages.find(queryFor('known')))!;
    for (const format of ['html', 'html'])
      await store.pages.save({ pageId, result: sampleResult('known', START, format) });
  },
  'a page is fetched again': async ({ store }) => {
    for (let version = 1; version <= 2; version++) await store.pages.save(newPage('known', START + version));
  },
  'a scrape is read back': ({ store, teamId }) => store.scrapes.find('cached', teamId, START),
  'tasks are claimed and pages end': async (running) => {
    await endPage(running, 'one');
    await endPage(running, 'two');
  },
  'a lease is extended': async (running) => {
    const { tasks } = await claim(running);
    assert.deepEqual(await running.store.queue.extend(OWNER, [tasks[0]!.id], START + MINUTE, START), []);
  },
  'a job shows its state and its documents': async ({ store, id, teamId }) => {
    await store.jobs.view(id, teamId, START);
    assert.equal((await store.jobs.results(id, { skip: 0, limit: 10, maxBytes: 1e6 })).count, 2);
  },
  'the index follows': async ({ store }) => {
    const { newest } = await store.feed.state();
    assert.ok((await store.feed.after(0, 10)).length > 0);
    await store.feed.acknowledge(newest);
  },
};

for (const [what, run] of Object.entries(HOT)) {
  test(`no temporary table is opened when ${what}`, async (t) => {
    const { dataDir, store } = await openTemporaryStore(t);
    const running = await startJob(store);
    await store.teams.addKey({ hash: 'hash', prefix: 'fc-hash', team: 'default' }, { actor: 'operator', at: START });
    await store.pages.save(newPage('known'));
    if (what.startsWith('a job')) await HOT['tasks are claimed and pages end']!(running);
    if (what.startsWith('the index')) await endPage(running, 'indexed');
    if (what.startsWith('a scrape is read')) await HOT['a scrape is answered from the cache']!(running);
    const ran = watchStatements(t);
    await run(running);
    const statements = [...ran];
    assert.ok(statements.length > 0);
    assert.deepEqual(withTemporaryTables(join(dataDir, 'store.db'), statements), []);
  });
}

/** The statements that run from now on. */
function watchStatements(t: TestContext): ReadonlySet<string> {
  const ran = new Set<string>();
  for (const name of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      ran.add(this.sourceSQL);
      return original.apply(this, values);
    } as never);
  }
  return ran;
}

function withTemporaryTables(file: string, statements: readonly string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return statements.filter((statement) =>
      database
        .prepare(`EXPLAIN ${statement}`)
        .all()
        .some(({ opcode }) => opcode === 'OpenEphemeral' || opcode === 'OpenAutoindex'),
    );
  } finally {
    database.close();
  }
}
