// The ports of jobs on the connection of a data folder.

import type { HostOwnership, JobQueue } from '../../ports/jobs/job-queue.ts';
import type { JobStore } from '../../ports/jobs/job-store.ts';
import { type Awaitable, type Database, type Remover, sql } from '../../sql/database.ts';
import type { Claims } from '../../sql/jobs/claims.ts';
import type { TaskFinisher } from '../../sql/jobs/finish-task.ts';
import { createJobParts, type JobPartsDeps } from '../../sql/jobs/job-parts.ts';
import type { SqlJobs } from '../../sql/jobs/sql-jobs.ts';
import { takeTurns } from './take-turns.ts';
import { type PackedParts, unpackTasks } from './task-parts.ts';

/** Tasks of a job come packed from another thread. */
export interface SqliteJobs extends Omit<SqlJobs, 'add' | 'append'> {
  add(job: Parameters<SqlJobs['add']>[0], parts: PackedParts): ReturnType<JobStore['add']>;
  append(
    id: string,
    teamId: string,
    more: Parameters<SqlJobs['append']>[2],
    parts: PackedParts,
  ): ReturnType<JobStore['append']>;
}

type ClaimableJobs = Pick<JobQueue, 'claimable'>;

interface JobPorts {
  jobs: SqliteJobs;
  queue: Claims &
    ClaimableJobs &
    TaskFinisher &
    HostOwnership & {
      /** Called at the start of the only process of a data folder: all earlier owners are dead. */
      releaseAll(): Awaitable<unknown>;
    };
  removers: Remover[];
}

export type JobPortsDeps = Omit<JobPartsDeps, 'takeTurns' | 'memoriesOfOthers'>;

export function createJobPorts(shared: JobPortsDeps): JobPorts {
  const { database } = shared;
  const { jobs, queue, removers } = createJobParts({ ...shared, takeTurns, memoriesOfOthers: () => new Map() });
  return {
    jobs: {
      ...jobs,
      add: (job, parts) => jobs.add(job, unpackTasks(parts)),
      append: (id, teamId, more, parts) => jobs.append(id, teamId, more, unpackTasks(parts)),
    },
    queue: {
      ...queue,
      ...createClaimableJobs(database),
      // The only process of a data folder owns all hosts.
      keepHosts: async () => [],
      leaveHosts: async () => {},
      releaseAll: () => database.run`
        UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'running'`,
    },
    removers,
  };
}

/** Which jobs a worker can work on, for workers that did not see them start. */
const createClaimableJobs = (database: Database): ClaimableJobs => ({
  async claimable({ fullHosts, now, limit }) {
    const isFree = sql`NOT host = ANY(${fullHosts}::text[])`;
    // By the index of each state.
    const jobs = await database.rows<{ id: string }>`
      SELECT id FROM (
        SELECT id, created_at, number, row_number() OVER (PARTITION BY team_id ORDER BY created_at, number) AS turn
        FROM jobs WHERE status = 'scraping' AND paused_at IS NULL AND (
          EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'waiting' AND ${isFree})
          OR EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'paused' AND due_at <= ${now} AND ${isFree})
          OR EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'running' AND lease_until <= ${now} AND ${isFree})))
      ORDER BY turn, created_at, number LIMIT ${limit}`;
    return jobs.map(({ id }) => id);
  },
});
