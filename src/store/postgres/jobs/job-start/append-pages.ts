// Adds pages to a batch, which may have completed meanwhile: then it runs again.
import type { NewTask } from '../../../job-queue.ts';
import type { AppendedPages, JobStore } from '../../../job-store.ts';
import type { Job } from '../../../records/jobs/job-record.ts';
import { reopen } from '../../../records/jobs/job-times.ts';
import { indexed } from '../../../sql/indexed-text.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { UsedKeys } from '../../used-keys.ts';
import type { JobRows } from '../job-rows.ts';
import type { TaskRows } from '../task-rows.ts';
import { partsOf } from './task-parts.ts';

type Appended = Awaited<ReturnType<JobStore['append']>>;

export interface AppendPagesDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  usedKeys: UsedKeys;
  /** A job of the team that can be read, locked. */
  lock(sql: Sql, id: string, teamId: string, now: number): Promise<Job | undefined>;
}

export function createAppendPages({ database, rows, tasks, usedKeys, lock }: AppendPagesDeps): JobStore['append'] {
  const appendPart = async (
    sql: Sql,
    job: Job,
    part: NewTask[],
    { now, idempotencyKey }: AppendedPages,
    isLast: boolean,
  ): Promise<Appended> => {
    // After a call whose outcome is unknown, the same pages may have come already.
    if (await usedKeys.has(sql, job.teamId, idempotencyKey, now))
      return (await hasTask(sql, job, part[0])) ? 'appended' : 'key-used';
    if (job.status === 'failed' || job.status === 'cancelled') return job.status;
    if (isLast && !(await usedKeys.add(sql, job.teamId, idempotencyKey, now))) return 'key-used';
    await tasks.add(sql, job, part, now, { raiseLimit: true });
    reopen(job);
    await rows.save(sql, job);
    return 'appended';
  };

  return async (id, teamId, more) => {
    const parts = partsOf(more.tasks);
    for (const [index, part] of parts.entries()) {
      const appended = await database.transaction(async (sql) => {
        const job = await lock(sql, id, teamId, more.now);
        return job && appendPart(sql, job, part, more, index === parts.length - 1);
      });
      if (appended !== 'appended') return appended;
    }
    return 'appended';
  };
}

async function hasTask(sql: Sql, job: Job, task: NewTask | undefined): Promise<boolean> {
  if (!task) return false;
  return (await sql`SELECT 1 FROM tasks WHERE job = ${job.number} AND key = ${indexed(task.key)}`).length > 0;
}
