// The ports of jobs on the connection of a data folder.

import type { HostOwnership } from '../../ports/jobs/job-queue.ts';
import type { JobStore } from '../../ports/jobs/job-store.ts';
import type { Awaitable, Remover } from '../../sql/database.ts';
import type { Claims } from '../../sql/jobs/claims.ts';
import type { TaskFinisher } from '../../sql/jobs/finish-task.ts';
import { createJobParts, type JobPartsDeps } from '../../sql/jobs/job-parts.ts';
import type { SqlJobs } from '../../sql/jobs/sql-jobs.ts';
import { type ClaimableJobs, createClaimableJobs } from './claimable-jobs.ts';
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
