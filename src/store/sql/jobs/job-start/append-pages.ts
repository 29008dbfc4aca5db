// Adds pages to a batch, which may have completed meanwhile: then it runs again.
import { setImmediate } from 'node:timers/promises';
import type { NewTask } from '../../../ports/jobs/job-queue.ts';
import type { AppendedPages, JobStore } from '../../../ports/jobs/job-store.ts';
import type { Job } from '../../../rules/jobs/job-record.ts';
import { reopen } from '../../../rules/jobs/job-times.ts';
import type { Database, Tx } from '../../database.ts';
import { indexed } from '../../indexed-text.ts';
import type { UsedKeys } from '../../used-keys.ts';
import type { JobRows } from '../job-rows.ts';
import type { TaskRows } from '../task-rows.ts';
import type { TaskPart } from './task-parts.ts';

type Appended = Awaited<ReturnType<JobStore['append']>>;
type AppendFacts = Omit<AppendedPages, 'tasks'>;

export type AppendPages = (
  id: string,
  teamId: string,
  more: AppendFacts,
  parts: readonly TaskPart[],
) => Promise<Appended>;

export interface AppendPagesDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  usedKeys: UsedKeys;
  /** A job of the team that can be read, locked. */
  lock(tx: Tx, id: string, teamId: string, now: number): Promise<Job | undefined>;
}

export function createAppendPages({ database, rows, tasks, usedKeys, lock }: AppendPagesDeps): AppendPages {
  const appendPart = async (
    tx: Tx,
    job: Job,
    part: readonly NewTask[],
    { now, idempotencyKey }: AppendFacts,
    isLast: boolean,
  ): Promise<Appended> => {
    // After a call whose outcome is unknown, the same pages may have come already.
    if (await usedKeys.has(tx, job.teamId, idempotencyKey, now))
      return (await hasTask(tx, job, part[0])) ? 'appended' : 'key-used';
    if (job.status === 'failed' || job.status === 'cancelled') return job.status;
    if (isLast && !(await usedKeys.add(tx, job.teamId, idempotencyKey, now))) return 'key-used';
    await tasks.add(tx, job, part, now, { raiseLimit: true });
    reopen(job);
    await rows.save(tx, job);
    return 'appended';
  };

  return async (id, teamId, more, parts) => {
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const appended = await database.transaction(async (tx) => {
        const job = await lock(tx, id, teamId, more.now);
        return job && appendPart(tx, job, part(), more, isLast);
      });
      if (appended !== 'appended') return appended;
      if (!isLast) await setImmediate();
    }
    return 'appended';
  };
}

async function hasTask(tx: Tx, job: Job, task: NewTask | undefined): Promise<boolean> {
  if (!task) return false;
  return (await tx.one`SELECT 1 FROM tasks WHERE job = ${job.number} AND key = ${indexed(task.key)}`) !== undefined;
}
