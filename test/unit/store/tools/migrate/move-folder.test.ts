// An embedded data folder is moved into PostgreSQL: also when that is killed, and never over something else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openS3 } from '../../../../../src/store/blobs/s3/open-s3.ts';
import { createBlobRows } from '../../../../../src/store/postgres/blob-rows.ts';
import { connect } from '../../../../../src/store/postgres/database/database.ts';
import { readMigrations } from '../../../../../src/store/sqlite/database/open-database.ts';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { moveFolder } from '../../../../../src/store/tools/migrate/move-folder.ts';
import { monthStart, nextMonth } from '../../../../../src/text/dates/months.ts';
import { createDatabase, hasPostgres, SECRET } from '../../../../conformance/open-postgres.ts';
import { createPlace, hasS3, INSTALLATION, NO_S3 } from '../../../../conformance/open-s3.ts';
import { HOUR, START } from '../../../../conformance/samples.ts';
import { answersOf, fillFolder } from './sample-folder.ts';

const PROCESS = fileURLToPath(new URL('./move-process.ts', import.meta.url));

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-move-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const openFolder = (dataDir: string) => openSqliteStore({ dataDir, secret: SECRET, cacheMaxBytes: 1e9 });

/** Kills the move after so many lines. Returns those that it has printed. */
async function moveUntil(killAfter: number, from: string, url: string): Promise<string[]> {
  const child = spawn(process.execPath, [PROCESS, from, url, Buffer.from(SECRET).toString('hex')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === killAfter) child.kill('SIGKILL');
  }
  await exit;
  return lines;
}

/** What a move leaves that is killed between a large content and the rows that name it. */
async function putGarbage(from: string, url: string): Promise<void> {
  const database = connect({ url, connections: 1 });
  const isCopied = await database.sql<{ name: string }[]>`SELECT name FROM blobs`;
  const names = readdirSync(join(from, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isCopied.some(({ name }) => name === entry.name))
    .map(({ name }) => name);
  assert.ok(names.length > 0);
  const blobs = createBlobRows(database);
  for (const name of names) await blobs.put(name, new Uint8Array(10));
  await database.close();
}

describe('moving a data folder', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('a move that is killed again and again goes on, and the database answers like the folder', async (t) => {
    const from = folderOf(t);
    const sample = await fillFolder(from, SECRET);
    const { url, open } = await createDatabase(t);
    for (const killAfter of [1, 4, 6, 9]) {
      await moveUntil(killAfter, from, url);
      if (killAfter === 1) await putGarbage(from, url);
      await assert.rejects(open(), /is not finished. Run `trawl migrate --from DIR` again/);
    }
    const steps: string[] = [];
    const move = () => moveFolder({ from, url, secret: SECRET, onProgress: (words) => steps.push(words) });
    const summary = await move();
    assert.ok(summary.rows > 100 && summary.blobs >= 4, JSON.stringify(summary));
    assert.equal(summary.lost, 0);
    assert.ok(!steps.some((step) => step.startsWith('Copying teams')), 'what was copied is not copied again');
    await assert.rejects(move(), /was moved into this database already/);

    const embedded = await openFolder(from);
    t.after(() => embedded.close());
    const store = await open();
    assert.deepEqual(await answersOf(store, sample), await answersOf(embedded, sample));
    // Budgets count what was used before.
    const month = { from: monthStart(START), until: nextMonth(START) };
    const used = await store.ledger.usage(sample.teamId, { ...month, binMs: HOUR });
    const claim = { teamId: sample.teamId, limits: { team: 1_000, key: 1_000 }, month };
    const left = (await store.sharedLimits!.creditHolds.left(claim, START)).team;
    assert.ok(used.length > 0);
    assert.equal(left, 1_000 - used.reduce((sum, { credits }) => sum + credits, 0));
    // Numbers go on after those of the folder.
    const { id: teamId } = await store.teams.ensureTeam('new', START);
    const [recipient] = await store.mails.subscribe(teamId, [{ email: 'new@example.org', isTrusted: true }]);
    assert.equal(recipient!.number, 2);
  });

  test('large contents go to the object store', { skip: !hasS3 && NO_S3 }, async (t) => {
    const from = folderOf(t);
    await fillFolder(from, SECRET);
    const place = await createPlace(t);
    const openObjects = (isInUse: boolean) => openS3(place, { ...INSTALLATION, isInUse });
    const { url } = await createDatabase(t);
    const { blobs, lost } = await moveFolder({ from, url, secret: SECRET, openObjects });
    const bucket = await openS3(place, INSTALLATION);
    t.after(() => bucket.close());
    assert.deepEqual([(await bucket.list('', 1_000)).length, lost], [blobs, 0]);
  });

  test('a folder in use, another secret and another schema are refused', async (t) => {
    const from = folderOf(t);
    const { url, open } = await createDatabase(t);
    const move = (secret = SECRET) => moveFolder({ from, url, secret });
    await assert.rejects(move(), /There is no data folder in/);
    const store = await openFolder(from);
    await assert.rejects(move(), /is in use by process \d+. Stop it/);
    await store.close();
    await assert.rejects(move(new Uint8Array(32)), /TRAWL_SECRET=hex:\$\(od -An -vtx1 .*\/secret/);
    const database = new DatabaseSync(join(from, 'store.db'));
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    for (const [found, expected] of [
      [0, /Start this version once on it/],
      [readMigrations()[0]!.version - 1, /Start commit \w+ of Trawl on it once/],
      [version + 1, /belongs to a newer version/],
    ] as const) {
      database.exec(`PRAGMA user_version = ${found}`);
      await assert.rejects(move(), expected);
    }
    database.close();
    await open();
  });

  test('a database with data of its own, or of another folder, is refused', async (t) => {
    const [from, other] = [folderOf(t), folderOf(t)];
    for (const folder of [from, other]) await (await openFolder(folder)).close();
    const used = await createDatabase(t);
    await (await used.open()).teams.ensureTeam('default', START);
    await assert.rejects(moveFolder({ from, url: used.url, secret: SECRET }), /The database has data already/);

    rmSync(join(other, 'secret'));
    const secret = new Uint8Array(32).fill(9);
    await (await openSqliteStore({ dataDir: other, secret, cacheMaxBytes: 1e9 })).close();
    const begun = await createDatabase(t);
    await moveUntil(1, from, begun.url);
    await assert.rejects(moveFolder({ from: other, url: begun.url, secret }), /into this database (has begun|already)/);
  });

  test('a folder that was used since the move began is noticed', async (t) => {
    const from = folderOf(t);
    await fillFolder(from, SECRET);
    const { url } = await createDatabase(t);
    await moveUntil(3, from, url);
    const store = await openFolder(from);
    await store.teams.addKey({ hash: 'a', prefix: 'fc-2', team: 'default' }, { actor: 'operator', at: START });
    await store.close();
    await assert.rejects(
      moveFolder({ from, url, secret: SECRET }),
      /is not the same in the folder and in the database/,
    );
  });
});
