// Opening the database: migrations, and clear errors for files that cannot be used.
import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { MigrationFile } from '../../../../../src/store/data-folder/migration-files.ts';
import { openDatabase, readMigrations } from '../../../../../src/store/sqlite/database/open-database.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const FIRST: MigrationFile = { version: 1, sql: 'CREATE TABLE one (a); INSERT INTO one VALUES (1)' };
const SECOND: MigrationFile = { version: 2, sql: 'CREATE TABLE two (a); INSERT INTO two SELECT a FROM one' };
const BROKEN: MigrationFile = { version: 2, sql: 'CREATE TABLE two (a); INSERT INTO nowhere VALUES (1)' };

const tables = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);
const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.user_version;

test('migrations are numbered without gaps from the base on, and their files are in that order', () => {
  const versions = readMigrations().map((migration) => migration.version);
  assert.deepEqual(
    versions,
    versions.map((_, index) => versions[0]! + index),
  );
});

test('an empty folder gets the newest schema, and opening it again changes nothing', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  const first = openDatabase(file);
  assert.equal(version(first), readMigrations().at(-1)?.version);
  const made = tables(first);
  assert.ok(made.includes('pages') && made.includes('teams') && made.includes('scrapes'));
  first.close();
  const second = openDatabase(file);
  assert.deepEqual(tables(second), made);
  second.close();
});

test('the database and its side files are readable by their owner only', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  const database = openDatabase(file);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(name).mode & 0o777, 0o600, name);
  database.close();
});

test('the connection uses a write-ahead log, checks foreign keys and waits for locks', (t) => {
  const database = openDatabase(join(temporaryFolder(t), 'store.db'));
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
  assert.deepEqual(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(pragma), ['wal', 1, 1, 5000]);
  database.close();
});

test('only missing migrations are applied', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  openDatabase(file, [FIRST]).close();
  const database = openDatabase(file, [FIRST, SECOND]);
  assert.deepEqual(tables(database), ['one', 'two']);
  assert.equal(version(database), 2);
  assert.equal(database.prepare('SELECT count(*) AS n FROM two').get()?.n, 1);
  database.close();
});

test('a migration that fails half-way is rolled back, and the one before it stays', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  assert.throws(() => openDatabase(file, [FIRST, BROKEN]), {
    message: `The database ${file} could not be migrated to schema 2 (no such table: nowhere). Restore a copy of it, or report this as a bug.`,
  });
  const database = openDatabase(file, [FIRST, SECOND]);
  assert.deepEqual(tables(database), ['one', 'two']);
  assert.equal(version(database), 2);
  database.close();
});

test('a database of a newer version is rejected by name and left alone', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  openDatabase(file, [FIRST, SECOND]).close();
  assert.throws(() => openDatabase(file, [FIRST]), {
    message: `The database ${file} belongs to a newer version of Trawl (schema 2, this program knows 1). Update Trawl, or set TRAWL_DATA_DIR to another folder.`,
  });
});

test('the first migration makes a new database, and one from before it is rejected and left alone', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  openDatabase(file, [FIRST]).close();
  const base: MigrationFile = { version: 7, sql: 'CREATE TABLE base (a)' };
  assert.throws(() => openDatabase(file, [base]), {
    message: `The database ${file} has schema 1, and this version of Trawl upgrades from schema 7 on. Start commit f6905ffc of Trawl on it once, which upgrades it to schema 7.`,
  });
  const database = openDatabase(file, [FIRST]);
  assert.deepEqual([tables(database), version(database)], [['one'], 1]);
  database.close();
  const fresh = openDatabase(join(temporaryFolder(t), 'store.db'), [base]);
  assert.deepEqual([tables(fresh), version(fresh)], [['base'], 7]);
  fresh.close();
});

test('a file that is damaged or not a database is an error that names it', (t) => {
  const folder = temporaryFolder(t);
  const text = join(folder, 'text.db');
  writeFileSync(text, 'This is not a database. '.repeat(100));
  assert.throws(() => openDatabase(text), {
    message: `The database ${text} cannot be opened (file is not a database). Run \`trawl doctor\`. Then restore a backup (\`trawl restore\`), or move the data folder away to start with an empty one.`,
  });
  const damaged = join(folder, 'damaged.db');
  openDatabase(damaged).close();
  writeFileSync(damaged, new Uint8Array(4096).fill(0xff), { flag: 'r+' });
  assert.throws(() => openDatabase(damaged), /^Error: The database .*damaged\.db cannot be opened \(/);
});

test('a folder in place of the database is an error that names it', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  mkdirSync(file);
  assert.throws(() => openDatabase(file), /^Error: The database .*store\.db cannot be opened \(/);
});

test('two processes that open an empty folder at once both get the complete schema', (t) => {
  const file = join(temporaryFolder(t), 'store.db');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA journal_mode = WAL');
  // The other process finishes its migration between our check of the version and our lock.
  const racing: MigrationFile = {
    get version() {
      if (version(other) === 0) other.exec(`${FIRST.sql}; PRAGMA user_version = 1`);
      return 1;
    },
    sql: FIRST.sql,
  };
  const database = openDatabase(file, [racing]);
  assert.equal(database.prepare('SELECT count(*) AS n FROM one').get()?.n, 1);
  database.close();
  other.close();
});
