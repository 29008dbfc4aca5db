// The ports of jobs in PostgreSQL, where several processes work on them.
import { randomUUID } from 'node:crypto';
import type { Store } from '../../ports/store.ts';
import type { Remover } from '../../sql/database.ts';
import { createJobParts as createSharedParts, type JobPartsDeps as SharedDeps } from '../../sql/jobs/job-parts.ts';
import { partsOf } from '../../sql/jobs/job-start/task-parts.ts';
import type { Base } from '../base.ts';
import { createClaimableJobs } from './claims/claimable-jobs.ts';
import { createHostOwners } from './claims/host-owners.ts';
import { createTakeTurns } from './claims/take-turns.ts';

type JobPorts = Pick<Store, 'jobs' | 'queue'>;

type JobPartsDeps = Omit<SharedDeps, 'takeTurns' | 'memoriesOfOthers'>;

export function createJobParts(base: Base, shared: JobPartsDeps): { ports: JobPorts; removers: Remover[] } {
  const { take, removeOld, process, memoriesOfOthers, ...ownership } = createHostOwners(base.database, randomUUID());
  const { jobs, queue, removers } = createSharedParts({
    ...shared,
    takeTurns: createTakeTurns({ take, process }),
    memoriesOfOthers,
  });
  return {
    ports: {
      jobs: {
        ...jobs,
        add: ({ tasks, ...job }) => jobs.add(job, partsOf(tasks)),
        append: (id, teamId, { tasks, ...more }) => jobs.append(id, teamId, more, partsOf(tasks)),
      },
      queue: { ...queue, ...createClaimableJobs(base.database, process), ...ownership },
    },
    removers: [...removers, removeOld],
  };
}
