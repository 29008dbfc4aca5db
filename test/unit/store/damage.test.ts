// Damaged data folders: the doctor names the file and what to do, a start says the same, and damage costs only what it hit.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { InspectionFinding } from '../../../src/store/tools/inspect/finding.ts';
import { inspectFolder } from '../../../src/store/tools/inspect/inspect-folder.ts';
import { donePage, finishAs, sampleJob, sampleTask } from '../../conformance/job-samples.ts';
import { pageToStore, queryFor, START, sampleOutcome, samplePage } from '../../conformance/samples.ts';
import { fullTest, test } from '../../support/full-run.ts';
import { blobFiles, openTemporaryStore, queryDatabase, temporaryFolder } from './temporary-folder.ts';

const PAGE_BYTES = 4096;
const MARK = 'marked-page';

/** A closed folder with a secret, a large cached page, and small ones. */
async function makeFolder(t: TestContext): Promise<string> {
  const dataDir = temporaryFolder(t);
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1e9 });
  writeFileSync(join(dataDir, 'secret'), new Uint8Array(32));
  for (const [key, text] of [
    ['large', randomText(200_000)],
    ['small', MARK],
  ] as const) {
    const result = { transformKey: 'markdown', outcome: sampleOutcome(text), now: START };
    await store.pages.save(pageToStore(key, `http://site.test/${key}`, samplePage(text), null, result));
  }
  await store.close();
  return dataDir;
}

const randomText = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(33 + Math.random() * 90)).join('');

const inspect = (dataDir: string, now = START) => inspectFolder({ dataDir, minFreeBytes: 0, now });
const stateOf = (findings: InspectionFinding[], check: string) => findings.find((finding) => finding.check === check);

function overwrite(file: string, from: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, from);
  closeSync(handle);
}

test('an intact folder has nothing to be mended, with or without a service', async (t) => {
  const dataDir = await makeFolder(t);
  const isWell = (findings: InspectionFinding[]) => findings.every(({ state }) => state === 'ok' || state === 'warn');
  assert.ok(isWell(inspect(dataDir)), JSON.stringify(inspect(dataDir)));
  await openTemporaryStore(t, { dataDir });
  assert.ok(isWell(inspect(dataDir)));
  assert.equal(stateOf(inspect(dataDir), 'store')?.state, 'ok');
});

/** Name of the damage, what does it, the check that finds it, and what it says. */
const DAMAGES: [name: string, damage: (dataDir: string) => void, check: string, words: RegExp][] = [
  [
    'a store that is no database',
    (dir) => writeFileSync(join(dir, 'store.db'), 'hello'.repeat(5_000)),
    'store',
    /store\.db cannot be read \(file is not a database\)/,
  ],
  [
    'a store cut in half',
    (dir) => truncateSync(join(dir, 'store.db'), Math.floor(statSync(join(dir, 'store.db')).size / 2)),
    'store',
    /store\.db (is damaged|cannot be read)/,
  ],
  [
    'a store with zeros in the middle',
    (dir) => overwrite(join(dir, 'store.db'), 2 * PAGE_BYTES, new Uint8Array(20 * PAGE_BYTES)),
    'store',
    /store\.db (is damaged|cannot be read)/,
  ],
  [
    'a store of a newer version',
    (dir) => changeStore(dir, 'PRAGMA user_version = 9999'),
    'store version',
    /schema 9999/,
  ],
  [
    'an index that is no database',
    (dir) => writeFileSync(join(dir, 'index.db'), 'hello'.repeat(5_000)),
    'index',
    /index\.db cannot be read/,
  ],
  [
    'a missing large content',
    (dir) => rmSync(join(dir, 'blobs', blobFiles(dir)[0]!.slice(0, 2)), { recursive: true }),
    'blobs',
    /large contents are missing/,
  ],
  ['a lost secret', (dir) => rmSync(join(dir, 'secret')), 'secret', /secret is missing/],
  ['a short secret', (dir) => writeFileSync(join(dir, 'secret'), 'x'), 'secret', /has 1 bytes instead of 32/],
  [
    'pages from the future',
    (dir) => changeStore(dir, `UPDATE pages SET fetched_at = ${START + 3_600_000}`),
    'clock',
    /3600 seconds after/,
  ],
];

function changeStore(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  database.exec(sql);
  database.close();
}

for (const [name, damage, check, words] of DAMAGES) {
  test(`the doctor finds ${name} and says what to do`, async (t) => {
    const dataDir = await makeFolder(t);
    damage(dataDir);
    const found = stateOf(inspect(dataDir), check);
    assert.ok(found, JSON.stringify(inspect(dataDir)));
    assert.notEqual(found.state, 'ok', JSON.stringify(found));
    assert.match(found.text, words);
    assert.ok(found.todo);
  });
}

fullTest('a start with a store that cannot be used names the file and what to do', async (t) => {
  for (const [name, damage] of DAMAGES.slice(0, 4)) {
    const dataDir = await makeFolder(t);
    damage(dataDir);
    const opened = await openSqliteStore({ dataDir, cacheMaxBytes: 1e9 }).catch((error: Error) => error);
    // Damage in a part that the start does not read shows later.
    if (!(opened instanceof Error)) await opened.close();
    else {
      assert.match(opened.message, /store\.db/, name);
      assert.match(opened.message, /trawl doctor|Update Trawl/, name);
    }
  }
});

test('damage in the stored bytes of one page costs that page and not its neighbours', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const tasks = [0, 1, 2].map((number) => sampleTask(`/${number}`));
  const job = sampleJob(teamId, { tasks });
  await store.jobs.add(job);
  const claim = {
    owner: 'me',
    jobId: job.id,
    slots: 3,
    hostSlots: {},
    otherHostSlots: 9,
    now: START,
    leaseUntil: START + 60_000,
  };
  const texts = ['first', 'second', 'third'].map((word) => `${word} ${randomText(30_000)}`);
  for (const [index, task] of (await store.queue.claim(claim)).tasks.entries()) {
    const outcome = donePage(task);
    assert.ok(outcome.state === 'done');
    const result = { transformKey: 'markdown', outcome: sampleOutcome(texts[index]!), now: START };
    const toStore = pageToStore(`key${index}`, task.url, samplePage(texts[index]!), null, result);
    await finishAs(store, 'me', task, { ...outcome, page: { ...outcome.page, toStore } });
  }
  await store.close();
  damageResult(dataDir, 1);

  const { store: reopened } = await openTemporaryStore(t, { dataDir });
  const { count, json } = await reopened.jobs.results(job.id, { skip: 0, limit: 10, maxBytes: 1e9 });
  const documents = JSON.parse(`[${Buffer.from(json).toString()}]`) as { markdown?: string; warning?: string }[];
  assert.equal(count, 3);
  assert.deepEqual(
    documents.map(({ markdown }) => markdown?.split(' ')[0]),
    ['first', undefined, 'third'],
  );
  assert.match(documents[1]!.warning ?? '', /lost/);
  assert.equal(documents[0]!.warning, undefined);
  const found = await reopened.pages.find(queryFor('key0', { now: START }));
  assert.ok(found && 'outcome' in found);
});

/** Overwrites the middle of the bytes of one result, where they stand in the file. */
function damageResult(dataDir: string, position: number): void {
  const [bytes] = queryDatabase(
    dataDir,
    `SELECT bytes FROM scrapes JOIN results ON results.id = result_id JOIN bodies ON bodies.id = body_id
     WHERE position = ${position}`,
  ) as Uint8Array[];
  const file = join(dataDir, 'store.db');
  const needle = Buffer.from(bytes!.subarray(12_000, 12_064));
  const at = readFileSync(file).indexOf(needle);
  assert.ok(at > 0);
  const pageStart = Math.floor(at / PAGE_BYTES) * PAGE_BYTES;
  // The first bytes of an overflow page lead to the next one.
  overwrite(file, pageStart, new Uint8Array(PAGE_BYTES).fill(0xff));
}

test('a folder whose store and index are elsewhere is looked at without them', (t) => {
  const dataDir = temporaryFolder(t);
  const checksWith = (isElsewhere?: { store: boolean; index: boolean }) =>
    inspectFolder({ dataDir, minFreeBytes: 0, now: START, isElsewhere }).map(({ check }) => check);
  assert.deepEqual(checksWith(), ['data folder', 'secret', 'disk', 'store', 'index']);
  assert.deepEqual(checksWith({ store: true, index: false }), ['data folder', 'disk', 'index']);
  assert.deepEqual(checksWith({ store: true, index: true }), ['data folder', 'disk']);
});
