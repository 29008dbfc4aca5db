// What profiles leave on disk, checked outside the store.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { START } from '../../../../conformance/samples.ts';
import { blobFiles, openTemporaryStore, queryDatabase } from '../../temporary-folder.ts';

const TOKEN = 'a-cookie-that-nobody-may-read';
const SMALL = JSON.stringify({ cookies: [{ name: 'sid', value: TOKEN }] });
/** Does not compress well, so it is stored in a file. */
const LARGE = JSON.stringify({ value: TOKEN, more: randomBytes(200_000).toString('base64') });

const teamIn = async ({ teams }: Store) => (await teams.ensureTeam('default', START)).id;

const everyByte = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );

const bodyCount = (dataDir: string) => queryDatabase(dataDir, 'SELECT count(*) FROM bodies')[0];

test('the content of a profile is never stored in plain text, neither in the database nor in a file', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  await store.profiles.write(team, 'small', SMALL, START);
  await store.profiles.write(team, 'large', LARGE, START);
  assert.equal(blobFiles(dataDir).length, 1);
  await store.close();
  const bytes = everyByte(dataDir);
  assert.ok(bytes.includes('large'), 'names are stored in plain text');
  assert.ok(!bytes.includes(TOKEN));
  assert.ok(!bytes.includes('cookies'));
});

test('the same content is encrypted differently each time', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  for (const name of ['a', 'b']) await store.profiles.write(team, name, SMALL, START);
  const [a, b] = queryDatabase(dataDir, 'SELECT hex(bytes) FROM bodies');
  assert.notEqual(a, b);
});

test('overwritten and removed profiles leave nothing behind', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  await store.profiles.write(team, 'login', LARGE, START);
  await store.profiles.write(team, 'login', LARGE, START + 1);
  assert.deepEqual([bodyCount(dataDir), blobFiles(dataDir).length], [1, 1]);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT saved_at FROM profiles'), [START + 1]);
  await store.profiles.remove(team, 'login');
  assert.deepEqual([bodyCount(dataDir), blobFiles(dataDir).length], [0, 0]);
});

test('a profile survives a restart and a sweep', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  await store.profiles.write(team, 'login', LARGE, START);
  await store.close();
  const { store: again } = await openTemporaryStore(t, { dataDir });
  await again.pages.sweep(START * 2);
  assert.equal(await again.profiles.read(team, 'login'), LARGE);
});

test('with another secret a profile is unreadable rather than empty, and can still be removed', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  await store.profiles.write(team, 'login', SMALL, START);
  await store.close();
  writeFileSync(join(dataDir, 'secret'), randomBytes(32));
  const { store: again } = await openTemporaryStore(t, { dataDir });
  await assert.rejects(again.profiles.read(team, 'login'), { code: 'PROFILE_UNREADABLE', message: /`secret`/ });
  assert.equal(await again.profiles.remove(team, 'login'), true);
  assert.equal(await again.profiles.read(team, 'login'), undefined);
});

test('a profile that was changed, truncated or moved to another name or team is unreadable', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const team = await teamIn(store);
  const other = (await store.teams.ensureTeam('stranger', START)).id;
  await store.profiles.write(team, 'login', SMALL, START);
  await store.close();
  const changes = [
    "UPDATE bodies SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB)",
    'UPDATE bodies SET bytes = substr(bytes, 1, 20)',
    "UPDATE bodies SET bytes = CAST(x'07' || substr(bytes, 2) AS BLOB)",
    "UPDATE bodies SET bytes = x''",
    "UPDATE profiles SET name = 'other'",
    `UPDATE profiles SET team_id = '${other}'`,
  ];
  for (const change of changes) {
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    database.exec(change);
    const [row] = database.prepare('SELECT team_id AS team, name FROM profiles').all() as {
      team: string;
      name: string;
    }[];
    database.close();
    const opened = await openSqliteStore({ dataDir, cacheMaxBytes: 1e6 });
    try {
      await assert.rejects(opened.profiles.read(row!.team, row!.name), { code: 'PROFILE_UNREADABLE' }, change);
      await opened.profiles.remove(row!.team, row!.name);
      await opened.profiles.write(team, 'login', SMALL, START);
      assert.equal(await opened.profiles.read(team, 'login'), SMALL);
    } finally {
      await opened.close();
    }
  }
});

test('reading a missing profile does not create a secret', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  await store.profiles.read(await teamIn(store), 'login');
  assert.ok(!existsSync(join(dataDir, 'secret')));
});
