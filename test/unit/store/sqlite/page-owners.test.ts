// Data folders from before pages had owners.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase, readMigrations } from '../../../../src/store/sqlite/open-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('what was stored before is shared, the manual is for everyone, and no change number is given out twice', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  const migrations = readMigrations();
  const before = migrations.findIndex(({ sql }) => sql.includes('owned_entries'));
  const old = openDatabase(file, migrations.slice(0, before));
  old.exec(`INSERT INTO bodies (id, bytes) VALUES (1, x'00'), (2, x'00'), (3, x'00');
    INSERT INTO pages (key, url, header, body_id, size, fetched_at, used_at)
      VALUES ('k', 'http://site.test/', '{}', 1, 1, 5, 5), ('m', 'http://self.test/docs/1', '{}', 2, 1, 5, 5);
    INSERT INTO index_entries (url, first_seen_at, body_id, rank, fetched_at)
      VALUES ('http://site.test/', 5, 3, 1, 6), ('http://self.test/docs/1', 5, NULL, 0, 0), ('http://gone.test/', 5, NULL, 0, 0);
    DELETE FROM index_entries WHERE url = 'http://gone.test/';
    INSERT INTO notes VALUES ('manual in the index', '{"http://self.test/docs/1":"hash"}')`);
  old.close();
  const database = openDatabase(file, migrations);
  t.after(() => database.close());
  const owners = (table: string) => database.prepare(`SELECT url, owner FROM ${table} ORDER BY url`).all();
  const expected = [
    { url: 'http://self.test/docs/1', owner: '*' },
    { url: 'http://site.test/', owner: '' },
  ];
  for (const table of ['pages', 'index_entries']) {
    assert.deepEqual(
      owners(table).map((row) => ({ ...row })),
      expected,
      table,
    );
  }
  const [kept] = database.prepare("SELECT * FROM index_entries WHERE owner = ''").all();
  const { change, first_seen_at: firstSeen, body_id: body, rank, fetched_at: fetched } = kept!;
  assert.deepEqual([change, firstSeen, body, rank, fetched], [1, 5, 3, 1, 6]);
  const add =
    'INSERT INTO index_entries (owner, url, first_seen_at, rank, fetched_at) VALUES (?, ?, 0, 0, 0) RETURNING change';
  assert.equal(database.prepare(add).get('a', 'http://site.test/')?.change, 4);
  assert.throws(() => database.prepare(add).get('a', 'http://site.test/'), /UNIQUE/);
});

for (const [teams, heir] of [
  [['default'], 'default'],
  [['default', 'second'], '?'],
] as const) {
  test(`of ${teams.length} teams, pages with credentials in their addresses go to ${heir}`, (t) => {
    const file = join(temporaryFolder(t), 'store.db');
    const migrations = readMigrations();
    const before = migrations.findIndex(({ sql }) => sql.includes('carries_secret'));
    const old = openDatabase(file, migrations.slice(0, before));
    for (const team of teams) old.prepare('INSERT INTO teams (id, name, created_at) VALUES (?, ?, 0)').run(team, team);
    const pages = [
      ['http://site.test/', 'http://site.test/'],
      ['http://site.test/?token=x', 'http://site.test/'],
      ['http://site.test/moved', 'http://site.test/?sig=x'],
    ] as const;
    for (const [id, [url, finalUrl]] of pages.entries()) {
      old.prepare("INSERT INTO bodies (id, bytes) VALUES (?, x'00')").run(id);
      old
        .prepare(
          'INSERT INTO pages (key, url, header, body_id, size, fetched_at, used_at) VALUES (?, ?, ?, ?, 1, 5, 5)',
        )
        .run(url, url, JSON.stringify({ finalUrl }), id);
      old
        .prepare("INSERT INTO index_entries (owner, url, first_seen_at, rank, fetched_at) VALUES ('', ?, 5, 0, 5)")
        .run(id === 2 ? finalUrl : url);
    }
    old.close();
    const database = openDatabase(file, migrations);
    t.after(() => database.close());
    for (const [table, order] of [
      ['pages', 'id'],
      ['index_entries', 'change'],
    ]) {
      const owners = database.prepare(`SELECT owner FROM ${table} ORDER BY ${order}`).all();
      assert.deepEqual(
        owners.map(({ owner }) => owner),
        ['', heir, heir],
        table,
      );
    }
  });
}
