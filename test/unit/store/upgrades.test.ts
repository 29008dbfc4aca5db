// A data folder of every schema version from the base on can be opened, and what is in it can be read. Older ones are refused.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createService } from '../../../src/compose/service.ts';
import { readConfig } from '../../../src/config/settings.ts';
import { hashKey } from '../../../src/operations/team/keys.ts';
import { createPageSharing } from '../../../src/page/page-owner.ts';
import { DataFolderError } from '../../../src/store/data-folder/data-folder.ts';
import type { Store } from '../../../src/store/ports/store.ts';
import { readMigrations } from '../../../src/store/sqlite/database/open-database.ts';
import { makeBackup } from '../../../src/store/tools/backup/backup.ts';
import { restoreBackup } from '../../../src/store/tools/backup/restore.ts';
import { inspectFolder } from '../../../src/store/tools/inspect/inspect-folder.ts';
import { moveFolder } from '../../../src/store/tools/migrate/move-folder.ts';
import { systemClock } from '../../../src/util/clock.ts';
import { type FolderFacts, hasDataFolder, unpackDataFolder } from '../../support/data-folders.ts';
import { findInFolder } from '../../support/found-bytes.ts';
import { OWN_THREAD, openTemporaryStore, queryDatabase, temporaryFolder } from './temporary-folder.ts';

const VERSIONS = readMigrations().map(({ version }) => version);
const BASE = VERSIONS[0]!;
const SECRET = 'sesame-4711';
const HEADERS = { Authorization: `Bearer ${SECRET}` };

test('every schema version has a data folder', () => {
  const missing = VERSIONS.filter((version) => !hasDataFolder(version));
  assert.deepEqual(missing, [], 'Make it with: node scripts/test/make-data-folder.ts');
});

for (const version of VERSIONS.filter(hasDataFolder)) {
  describe(`a data folder of schema ${version}`, () => {
    test('gets the newest schema, and everything in it can be read', async (t) => {
      const dataDir = temporaryFolder(t);
      const facts = unpackDataFolder(version, dataDir);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA user_version'), [version]);

      const { store } = await openTemporaryStore(t, { dataDir });
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA user_version'), [VERSIONS.at(-1)]);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA foreign_key_check'), []);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA integrity_check'), ['ok']);
      assert.deepEqual(findInFolder(dataDir, [SECRET]), [], 'nothing is in clear');

      const team = (await store.teams.findByKey(hashKey(facts.key), facts.at))?.team;
      assert.equal(team?.name, 'default');
      const [page] = queryDatabase(dataDir, 'SELECT url FROM pages ORDER BY id') as string[];
      const { viewerOf } = createPageSharing({ isolatesTeams: false });
      const query = { viewer: viewerOf(team!.id), host: new URL(page!).host, subdomains: false, limit: 10 };
      const known = (await store.pages.known(query)).map(({ title }) => title);
      assert.ok(known.includes('Harbour') && known.includes('Tides'), String(known));
      await readJobs(facts, team!.id, store);
      assert.match((await store.profiles.read(team!.id, facts.profile!)) ?? '', /"cookies":\[.*sesame-4711/);
      assert.equal(String(Buffer.from((await store.history.find(facts.history!))!.version)), 'Tide tables');
      assert.equal((await store.history.known('harbour', '', 10)).length, 1);
      await readRuns(facts, team!.id, store);
      await readPolicy(facts, team!.id, store);
      assert.ok((await store.feed.after(0, 100)).length > 0, 'the index can be filled again');
      await store.pages.sweep(facts.at);
    });

    test('has the schema of a new one', async (t) => {
      const dataDir = temporaryFolder(t);
      unpackDataFolder(version, dataDir);
      await openTemporaryStore(t, { dataDir });
      assert.deepEqual(schemaOf(dataDir), schemaOf((await openTemporaryStore(t)).dataDir));
    });
  });
}

/** Without comments, layout, and the quotes that a table gets when it is renamed. The order of indexes counts, too. */
const schemaOf = (dataDir: string): unknown[] =>
  (queryDatabase(dataDir, 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY tbl_name, rowid') as string[][])
    .filter(([, name]) => name !== 'sqlite_sequence')
    .map(([type, name, table, sql]) => [type, name, table, sql?.replaceAll(/--.*$/gm, '')])
    .map((row) => row.map((text) => text?.replaceAll(/[\s"]+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1')));

async function readJobs(facts: FolderFacts, teamId: string, store: Store): Promise<void> {
  const { at } = facts;
  const scrape = await store.scrapes.find(facts.scrapeId, teamId, at);
  assert.match(Buffer.from(scrape!.outcome.content).toString(), /tide tables/);
  const own = await store.scrapes.find(facts.ownScrapeId, teamId, at);
  assert.deepEqual((own!.options as { headers: object }).headers, HEADERS);
  const crawl = await store.jobs.view(facts.crawlId!, teamId, at);
  assert.deepEqual([crawl!.status, crawl!.completed], ['completed', facts.crawled]);
  const { count } = await store.jobs.results(facts.crawlId!, { skip: 0, limit: 10, maxBytes: 1e6 });
  assert.equal(count, facts.crawled);
  assert.equal((await store.jobs.view(facts.batchId!, teamId, at))!.status, 'completed');
  const [unfinished] = await store.jobs.unfinished(teamId);
  assert.equal(unfinished!.id, facts.unfinishedId);
  assert.deepEqual((unfinished!.options as { scrapeOptions: { headers: object } }).scrapeOptions.headers, HEADERS);
  assert.ok((await store.jobs.view(facts.pausedId!, teamId, at))!.pausedAt);
  const due = await store.deliveries.due(at + 86_400_000, 10);
  assert.ok(due.length > 0);
  for (const { url, headers } of due) assert.ok(url.endsWith(SECRET) && headers['X-Token'] === SECRET);
}

async function readRuns({ runId, monitorId, checkId, at }: FolderFacts, teamId: string, store: Store): Promise<void> {
  const run = await store.runs.view(runId!, teamId, at);
  assert.deepEqual([run!.kind, run!.status], ['agent', 'completed']);
  assert.match((run!.request as { prompt: string }).prompt, /high water\? sesame-4711/);
  assert.match(JSON.stringify(run!.result), /high water/);
  assert.ok((await store.runs.steps(runId!)).some(({ name, state }) => name === 'scrape' && state === 'finished'));
  const monitor = await store.monitors.find(monitorId!, teamId, at);
  assert.equal(monitor!.definition.name, 'Tides');
  const check = await store.runs.view(checkId!, teamId, at);
  assert.equal(check!.group, monitorId);
  const pages = await store.monitors.pages(checkId!, { skip: 0, limit: 10 });
  assert.deepEqual(
    pages.map(({ status }) => status),
    ['new'],
  );
}

async function readPolicy({ restrictedKey, at }: FolderFacts, teamId: string, store: Store): Promise<void> {
  const owner = await store.teams.findByKey(hashKey(restrictedKey!), at);
  assert.deepEqual([owner!.team.name, owner!.team.settings], ['pilots', { plan: 'hobby' }]);
  assert.deepEqual(owner!.limits, { formats: ['markdown'] });
  assert.deepEqual((await store.threatPolicies.find(teamId))!.policy.blacklist, ['pirates.example']);
  assert.equal((await store.siem.read(teamId))!.settings!.token, SECRET);
  const actions = (await store.audit.list({ limit: 10 })).map(({ action }) => action);
  assert.deepEqual([...new Set(actions)].sort(), [
    'key.created',
    'siem.changed',
    'team.created',
    'threat-policy.changed',
  ]);
}

for (const version of VERSIONS.filter(hasDataFolder)) {
  test(`the service finds the pages of a data folder of schema ${version} by search`, async (t) => {
    const dataDir = temporaryFolder(t);
    const facts = unpackDataFolder(version, dataDir);
    const settings = {
      TRAWL_PORT: '0',
      TRAWL_BROWSER: 'off',
      TRAWL_INDEX_MANUAL: 'off',
      TRAWL_INSTALL_MODELS: 'off',
      TRAWL_KEYLESS_PROVIDERS: 'off',
    };
    const config = readConfig({ ...settings, TRAWL_DATA_DIR: dataDir, TRAWL_LOG_LEVEL: 'silent' });
    const late = Date.now() - facts.at;
    const service = await createService(config, { clock: { ...systemClock, now: () => Date.now() - late } });
    t.after(service.close);
    const response = await fetch(new URL('/v2/search', service.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${facts.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'harbour tides' }),
    });
    const { data } = (await response.json()) as { data: { web: { title: string }[] } };
    assert.ok(
      data.web.some(({ title }) => title === 'Tides'),
      JSON.stringify(data),
    );
  });
}

describe('a data folder from before the base', () => {
  /** What is in it does not matter: nobody looks further than its version. */
  function oldFolder(t: TestContext): string {
    const dataDir = temporaryFolder(t);
    unpackDataFolder(BASE, dataDir);
    // An empty folder is not packed.
    mkdirSync(join(dataDir, 'blobs'), { recursive: true });
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    database.exec(`PRAGMA user_version = ${BASE - 1}`);
    database.close();
    return dataDir;
  }
  const happened = (what: string) =>
    `${what} has schema ${BASE - 1}, and this version of Trawl upgrades from schema ${BASE} on`;
  const START = `Start commit f6905ffc of Trawl on it once, which upgrades it to schema ${BASE}.`;

  test('is refused by a start, by its move and by the doctor with the commit that upgrades it, and stays as it is', async (t) => {
    const dataDir = oldFolder(t);
    const file = join(dataDir, 'store.db');
    const before = readFileSync(file);
    await assert.rejects(openTemporaryStore(t, { dataDir, ...OWN_THREAD }), {
      message: `${happened(`The database ${file}`)}. ${START}`,
    });
    const move = { from: dataDir, url: 'postgres://nobody@127.0.0.1:1/none', secret: new Uint8Array(32) };
    await assert.rejects(moveFolder(move), { message: `${happened(`The data folder ${dataDir}`)}. ${START}` });
    const findings = inspectFolder({ dataDir, minFreeBytes: 0, now: Date.now() });
    assert.deepEqual(
      findings.filter(({ state }) => state === 'fail'),
      [{ check: 'store version', state: 'fail', text: happened(`The database ${file}`), todo: START }],
    );
    assert.deepEqual(readFileSync(file), before);
  });

  test('can be backed up, and its backup is refused without a trace', async (t) => {
    const [source, dataDir] = ['backup', 'restored'].map((name) => join(temporaryFolder(t), name)) as [string, string];
    await makeBackup({ dataDir: oldFolder(t), target: source, now: 0 });
    await assert.rejects(restoreBackup({ source, dataDir }), (error) => {
      assert.ok(error instanceof DataFolderError);
      assert.equal(
        error.message,
        `${happened(`The backup ${source}`)}. Restore it with commit f6905ffc of Trawl and start that once, which upgrades it to schema ${BASE}.`,
      );
      return true;
    });
    assert.equal(existsSync(dataDir), false);
  });
});
