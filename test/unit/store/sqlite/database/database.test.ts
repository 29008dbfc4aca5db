// Statements that are written for PostgreSQL run on SQLite: locks and types go, lists are JSON, and transactions take turns.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createConnection } from '../../../../../src/runtime/sqlite/sqlite.ts';
import { type Database, sql } from '../../../../../src/store/sql/database.ts';
import { createSqliteDatabase } from '../../../../../src/store/sqlite/database/database.ts';
import { toSqlite } from '../../../../../src/store/sqlite/database/dialect.ts';

function openMemory(t: TestContext): Database {
  const connection = createConnection(new DatabaseSync(':memory:'));
  t.after(() => connection.close());
  connection.prepare('CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT, is_afloat INTEGER)').run();
  return createSqliteDatabase(connection);
}

test('locks, types and the spelling of lists are left to PostgreSQL, the choice of an index to SQLite', () => {
  for (const [written, read] of [
    ['SELECT id FROM boats WHERE id = ? FOR UPDATE', 'SELECT id FROM boats WHERE id = ?'],
    [
      'SELECT id FROM a JOIN b ORDER BY id LIMIT ? FOR NO KEY UPDATE OF a SKIP LOCKED',
      'SELECT id FROM a JOIN b ORDER BY id LIMIT ? + 0',
    ],
    [
      'WHERE id = ANY(?::bigint[]) AND name = ANY(?)',
      'WHERE id IN (SELECT value FROM json_each(?)) AND name IN (SELECT value FROM json_each(?))',
    ],
    ['FROM unnest(?::text[]) AS link (key)', 'FROM (SELECT value AS key FROM json_each(?)) AS link'],
    ['SET at = greatest(at, ?::bigint) WHERE url_key(url) = url_key(?)', 'SET at = max(at, ?) WHERE url = ?'],
    ['ORDER BY id LIMIT ALL OFFSET ?', 'ORDER BY id LIMIT -1 OFFSET ?'],
    ['FROM boats /* INDEXED BY boats_by_name */ WHERE', 'FROM boats INDEXED BY boats_by_name WHERE'],
    [
      "WHERE state IN ('waiting', 'paused', 'spare') AND tasks.kind NOT IN ('a', 'b', 'c') AND kind IN ('a', 'b')",
      "WHERE (state = 'waiting' OR state = 'paused' OR state = 'spare') AND tasks.kind NOT IN ('a', 'b', 'c') AND kind IN ('a', 'b')",
    ],
    ['ON CONFLICT (id) DO UPDATE SET name = excluded.name', 'ON CONFLICT (id) DO UPDATE SET name = excluded.name'],
  ])
    assert.equal(toSqlite(written!), read);
});

test('values, lists and parts of statements reach the statement in their order', async (t) => {
  const database = openMemory(t);
  await database.insert('boats', [
    { id: 1, name: 'Anna', is_afloat: true },
    { id: 2, name: 'Berta', is_afloat: false },
    { id: 3, name: undefined, is_afloat: true },
  ]);
  const named = sql`AND name = ANY(${['Anna', 'Berta']}::text[])`;
  const boats = (isNamed: boolean) =>
    database.rows`SELECT id FROM boats WHERE id < ${3} ${isNamed ? named : sql``} AND is_afloat = ${true} FOR UPDATE`;
  assert.deepEqual(
    (await boats(true)).map((row) => ({ ...(row as object) })),
    [{ id: 1 }],
  );
  assert.equal((await boats(false)).length, 1);
  assert.equal((await database.one<{ name: string | null }>`SELECT name FROM boats WHERE id = ${3}`)?.name, null);
  assert.equal(await database.run`UPDATE boats SET name = ${'Cora'} WHERE id = ANY(${[2, 3, 4]}::bigint[])`, 2);
});

test('lists of any length, and those of an expression, select the same rows', async (t) => {
  const database = openMemory(t);
  const all = [1, 2, 3, 4, 5, 6];
  await database.insert(
    'boats',
    all.map((id) => ({ id, name: `${id}`, is_afloat: true })),
  );
  for (const length of all.map((_, index) => index)) {
    const ids = all.slice(0, length);
    const names = ids.map(String);
    const found = [
      await database.rows<{ id: number }>`SELECT id FROM boats WHERE id = ANY(${ids}::bigint[]) ORDER BY id`,
      await database.rows<{ id: number }>`SELECT id FROM boats WHERE (name = ANY(${names})) AND id > ${0} ORDER BY id`,
      await database.rows<{ id: number }>`SELECT id FROM boats WHERE name || '' = ANY(${names}::text[]) ORDER BY id`,
    ];
    for (const rows of found)
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids,
      );
    const others = await database.rows`SELECT id FROM boats WHERE is_afloat AND NOT boats.id = ANY(${ids}::bigint[])`;
    assert.equal(others.length, all.length - length);
  }
});

test('an added row has an id', async (t) => {
  const database = openMemory(t);
  await database.run`INSERT INTO boats (id) VALUES (${41})`;
  assert.equal(await database.add`INSERT INTO boats (name) VALUES (${'Anna'})`, 42);
});

test('a transaction is whole or nothing, and nobody else sees or joins it', async (t) => {
  const database = openMemory(t);
  const add = (id: number, fails = false) =>
    database.transaction(async (tx) => {
      await tx.run`INSERT INTO boats (id) VALUES (${id})`;
      await tx.one`SELECT 1`;
      if (fails) throw new Error('aground');
    });
  const results = await Promise.allSettled([
    add(1),
    add(2, true),
    database.run`INSERT INTO boats (id) VALUES (${3})`,
    add(4),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  const ids = await database.rows<{ id: number }>`SELECT id FROM boats ORDER BY id`;
  assert.deepEqual(
    ids.map(({ id }) => id),
    [1, 3, 4],
  );
});

test('when one of several statements fails that were sent together, nothing of the others stays', async (t) => {
  const database = openMemory(t);
  const failing = database.transaction(async (tx) => {
    const later = async () => {
      for (let id = 10; id < 60; id++) await tx.run`INSERT INTO boats (id) VALUES (${id})`;
    };
    await Promise.all([later(), tx.run`INSERT INTO ships (id) VALUES (${1})`]);
  });
  const slower = database.transaction(async (tx) => {
    const later = async () => {
      for (let id = 10; id < 60; id++) await tx.run`INSERT INTO boats (id) VALUES (${id})`;
    };
    const aground = async () => {
      await tx.one`SELECT 1`;
      throw new Error('aground');
    };
    await Promise.all([later(), aground()]);
  });
  const results = await Promise.allSettled([failing, slower, database.run`INSERT INTO boats (id) VALUES (${1})`]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  await new Promise(setImmediate);
  assert.deepEqual(
    (await database.rows<{ id: number }>`SELECT id FROM boats`).map(({ id }) => id),
    [1],
  );
});
