// A job whose tasks were being stored when the service ended was never announced, and never begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { sampleJob, sampleTask } from '../../../../conformance/job-samples.ts';
import { HOUR, START } from '../../../../conformance/samples.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('a job that was cut off while its tasks were stored leaves nothing', async (t) => {
  const options = { dataDir: temporaryFolder(t), cacheMaxBytes: 1_000_000 };
  const store = await openSqliteStore(options);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const tasks = Array.from({ length: 30_000 }, (_, index) => sampleTask(`/${index}`));
  const job = sampleJob(teamId, { tasks, idempotencyKey: 'once' });
  const adding = store.jobs.add(job);
  adding.catch(() => {});
  while (!(await store.jobs.view(job.id, teamId, START))) await store.queue.load(teamId);
  await store.close();
  await assert.rejects(adding);

  const again = await openSqliteStore(options);
  t.after(() => again.close());
  assert.deepEqual(await again.jobs.unfinished(), []);
  assert.deepEqual(await again.queue.load(teamId), { active: 0, waiting: 0 });
  await again.pages.sweep(START + HOUR);
  assert.equal(await again.jobs.view(job.id, teamId, START), undefined);
  assert.equal(await again.jobs.add(sampleJob(teamId, { idempotencyKey: 'once' })), 'added');
});
