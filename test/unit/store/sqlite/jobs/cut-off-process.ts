// A process that dies while it stores the tasks of a job. Arguments: the data folder and the id of the job.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { sampleJob, sampleTask } from '../../../../conformance/job-samples.ts';
import { START } from '../../../../conformance/samples.ts';

const [dataDir, id] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir: dataDir!, cacheMaxBytes: 1_000_000 });
const { id: teamId } = await store.teams.ensureTeam('default', START);
const tasks = Array.from({ length: 30_000 }, (_, index) => sampleTask(`/${index}`));
store.jobs.add(sampleJob(teamId, { id, tasks, idempotencyKey: 'once' })).then(() => process.exit(0));
// Nobody sees the job yet, but its row is there.
const database = new DatabaseSync(join(dataDir!, 'store.db'), { readOnly: true });
const row = database.prepare('SELECT 1 FROM jobs WHERE id = ?');
while (!row.get(id!)) await store.queue.load(teamId);
process.kill(process.pid, 'SIGKILL');
