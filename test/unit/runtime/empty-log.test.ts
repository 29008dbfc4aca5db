// Emptying the log of a database never waits for others, and changes nothing about how long other calls wait.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createEmptyLog } from '../../../src/runtime/sqlite/empty-log.ts';
import { createConnection } from '../../../src/runtime/sqlite/sqlite.ts';

test('the log is emptied as soon as nobody reads, and the time that calls wait for a lock stays', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'some.db');
  const database = new DatabaseSync(file, { timeout: 5_000 });
  t.after(() => database.close());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (thing); INSERT INTO things VALUES (1)');
  const reader = new DatabaseSync(file);
  t.after(() => reader.close());
  const limit = () => database.prepare('PRAGMA busy_timeout').get()!.timeout;

  const emptyLog = createEmptyLog(createConnection(database));
  assert.equal(limit(), 5_000, 'before the first call');
  reader.exec('BEGIN; SELECT * FROM things');
  database.exec('INSERT INTO things VALUES (2)');
  emptyLog();
  assert.ok(statSync(`${file}-wal`).size > 0);
  reader.exec('COMMIT');
  emptyLog();
  assert.equal(statSync(`${file}-wal`).size, 0);
  assert.equal(limit(), 5_000, 'after a call');
});
