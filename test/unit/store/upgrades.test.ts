// A data folder of every schema version since the first can be opened, and what is in it can be read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createService } from '../../../src/compose/service.ts';
import { readConfig } from '../../../src/config/settings.ts';
import { createPageSharing } from '../../../src/contracts/page-owner.ts';
import { hashKey } from '../../../src/operations/team/keys.ts';
import { readMigrations } from '../../../src/store/sqlite/open-database.ts';
import type { Store } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/util/clock.ts';
import { type FolderFacts, hasDataFolder, unpackDataFolder } from '../../support/data-folders.ts';
import { findInFolder } from '../../support/found-bytes.ts';
import { openTemporaryStore, queryDatabase, temporaryFolder } from './temporary-folder.ts';

const VERSIONS = readMigrations().map(({ version }) => version);
const SECRET = 'sesame-4711';
const HEADERS = { Authorization: `Bearer ${SECRET}` };
/** Results of the first schema are dropped by the second, and pages were indexed from the third on. */
const [RESULTS, INDEX] = [2, 3];
/** Versions before this one stored webhooks in clear. */
const SEALED = 11;

test('every schema version has a data folder', () => {
  const missing = VERSIONS.filter((version) => !hasDataFolder(version));
  assert.deepEqual(missing, [], 'Make it with: node scripts/test/make-data-folder.ts');
});

for (const version of VERSIONS.filter(hasDataFolder)) {
  describe(`a data folder of schema ${version}`, () => {
    test('is migrated, and everything in it can be read', async (t) => {
      const dataDir = temporaryFolder(t);
      const facts = unpackDataFolder(version, dataDir);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA user_version'), [version]);
      assert.equal(findInFolder(dataDir, [SECRET]).length > 0, version < SEALED, 'whether it has secrets in clear');

      const { store } = await openTemporaryStore(t, { dataDir });
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA user_version'), [VERSIONS.at(-1)]);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA foreign_key_check'), []);
      assert.deepEqual(queryDatabase(dataDir, 'PRAGMA integrity_check'), ['ok']);
      assert.deepEqual(findInFolder(dataDir, [SECRET]), [], 'nothing is left in clear');

      const team = (await store.teams.findByKey(hashKey(facts.key), facts.at))?.team;
      assert.equal(team?.name, 'default');
      const [page] = queryDatabase(dataDir, 'SELECT url FROM pages ORDER BY id') as string[];
      const { viewerOf } = createPageSharing({ isolatesTeams: false });
      const query = { viewer: viewerOf(team!.id), host: new URL(page!).host, subdomains: false, limit: 10 };
      const known = (await store.pages.known(query)).map(({ title }) => title);
      if (version >= RESULTS) assert.ok(known.includes('Harbour') && known.includes('Tides'), String(known));
      if (version >= RESULTS) await readJobs(facts, team!.id, store);
      if (facts.profile) {
        assert.match((await store.profiles.read(team!.id, facts.profile)) ?? '', /"cookies":\[.*sesame-4711/);
      }
      if (facts.history) {
        assert.equal(String(Buffer.from((await store.history.find(facts.history))!.version)), 'Tide tables');
        assert.equal((await store.history.known('harbour', '', 10)).length, 1);
      }
      if (facts.runId) await readRuns(facts, team!.id, store);
      if (facts.restrictedKey) await readPolicy(facts, team!.id, store);
      if (version >= INDEX) assert.ok((await store.feed.after(0, 100)).length > 0, 'the index can be filled again');
      await store.pages.sweep(facts.at);
    });
  });
}

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
  if (facts.pausedId) assert.ok((await store.jobs.view(facts.pausedId, teamId, at))!.pausedAt);
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

// One folder with an index of another version, and one with the index of its time.
for (const version of [3, 10]) {
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
