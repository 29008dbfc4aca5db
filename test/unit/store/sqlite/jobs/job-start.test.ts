// A job whose tasks were being stored when the service ended was never announced, and never begins.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { uuidv7 } from '../../../../../src/util/ids.ts';
import { sampleJob } from '../../../../conformance/job-samples.ts';
import { HOUR, START } from '../../../../conformance/samples.ts';
import { queryDatabase, temporaryFolder } from '../../temporary-folder.ts';

const PROCESS = join(import.meta.dirname, 'cut-off-process.ts');

test('a job that was cut off while its tasks were stored leaves nothing', async (t) => {
  const id = uuidv7(START);
  let dataDir: string;
  const rows = (): string[] => queryDatabase(dataDir, 'SELECT status FROM jobs') as string[];
  // The thread of the store may be done before the process dies.
  for (let tries = 0; tries === 0 || rows()[0] === 'scraping'; tries++) {
    assert.ok(tries < 20, 'all tasks were stored before the process died');
    dataDir = temporaryFolder(t);
    spawnSync(process.execPath, [PROCESS, dataDir, id]);
  }
  const store = await openSqliteStore({ dataDir: dataDir!, cacheMaxBytes: 1_000_000 });
  t.after(() => store.close());
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  assert.deepEqual(rows(), ['cancelled']);
  assert.equal(await store.jobs.view(id, teamId, START), undefined);
  assert.deepEqual(await store.jobs.unfinished(), []);
  assert.deepEqual(await store.queue.load(teamId), { active: 0, waiting: 0 });
  await store.pages.sweep(START + HOUR);
  assert.deepEqual(rows(), []);
  assert.equal(await store.jobs.add(sampleJob(teamId, { idempotencyKey: 'once' })), 'added');
});
