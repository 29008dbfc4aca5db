// Counting a large job again and again must not keep the store from everything else.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createFrontierCounts } from '../../../../../src/store/sqlite/jobs/job-views/frontier-counts.ts';
import { createConnection } from '../../../../../src/util/sqlite.ts';

test('what was costly to count is remembered for a while, what was cheap is not', (t) => {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec(`CREATE TABLE jobs (number INTEGER, id TEXT);
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, job INTEGER, kind TEXT, state TEXT, host TEXT, ended_at INTEGER);
    CREATE INDEX ended_pages ON tasks (job, ended_at, id, host, state)
      WHERE kind = 'page' AND state IN ('done', 'failed', 'blocked');
    INSERT INTO jobs VALUES (1, 'job')`);
  const add = () => database.exec(`INSERT INTO tasks (job, kind, state, host) VALUES (1, 'page', 'done', 'a.test')`);
  let [cost, cpu, now] = [5, 0, 0];
  const times = { cpuMs: () => (cpu += cost), nowMs: () => now };
  const count = createFrontierCounts(createConnection(database), times);
  const done = () => count('job', 10).sum.done;
  add();
  assert.equal(done(), 1);
  add();
  assert.equal(done(), 2);
  cost = 100;
  assert.equal(done(), 2);
  add();
  now = 1_999;
  assert.equal(done(), 2);
  now = 2_000;
  assert.equal(done(), 3);
  assert.deepEqual(count('job', 0).hosts, []);
});
