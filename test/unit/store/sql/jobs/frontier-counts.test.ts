// Counting a large job again and again must not keep the store from everything else.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createConnection } from '../../../../../src/runtime/sqlite/sqlite.ts';
import { createFrontierCounts } from '../../../../../src/store/sql/jobs/job-views/frontier-counts.ts';
import { createSqliteDatabase } from '../../../../../src/store/sqlite/database/database.ts';

test('what was costly to count is remembered for a while, what was cheap is not', async (t) => {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec(`CREATE TABLE jobs (number INTEGER, id TEXT);
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, job INTEGER, kind TEXT, state TEXT, host TEXT, ended_at INTEGER);
    INSERT INTO jobs VALUES (1, 'job')`);
  const add = (pages: number) =>
    database.exec(`INSERT INTO tasks (job, kind, state, host)
      WITH RECURSIVE page (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM page WHERE number < ${pages})
      SELECT 1, 'page', 'done', 'a.test' FROM page`);
  let now = 0;
  const count = createFrontierCounts(
    createSqliteDatabase(createConnection(database)),
    () => new Map(),
    () => now,
  );
  const done = async () => (await count('job', 10)).sum.done;
  add(1);
  assert.equal(await done(), 1);
  add(39_998);
  assert.equal(await done(), 39_999);
  add(1);
  assert.equal(await done(), 40_000);
  add(1);
  now = 399;
  assert.equal(await done(), 40_000);
  now = 400;
  assert.equal(await done(), 40_001);
  assert.deepEqual((await count('job', 0)).hosts, []);
});
