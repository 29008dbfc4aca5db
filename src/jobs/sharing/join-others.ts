// What a worker needs when other processes work on the same jobs: hosts of its own, and the jobs that the others have started.
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { Log } from '../../runtime/log.ts';
import type { JobQueue } from '../../store/ports/jobs/job-queue.ts';
import type { JobStore } from '../../store/ports/jobs/job-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { WakeUps } from '../../store/ports/wake-ups.ts';
import type { Clock } from '../../util/clock.ts';
import type { RunningJobs } from '../running-jobs.ts';
import { startFindingJobs } from './find-jobs.ts';
import { createOwnedHosts, type OwnedHosts } from './owned-hosts.ts';

/** The ports that show what other processes do. */
export interface Sharing {
  stored: Pick<JobStore, 'running'>;
  wakeUps: Pick<WakeUps, 'on'>;
  /** Leaves the jobs alone that the others have started. */
  ownJobsOnly?: boolean;
}

interface JoinDeps extends Sharing {
  queue: JobQueue;
  politeness: Politeness;
  health: StoreHealth;
  jobs: RunningJobs;
  /** How many pages could start now. */
  freeSlots(): number;
  clock: Clock;
  log: Log;
}

export interface Others {
  hosts: OwnedHosts;
  /** Reads the jobs that this process works on again. */
  refresh(): Promise<void>;
  stop(): void;
}

export function joinOthers({ politeness, jobs, ...deps }: JoinDeps): Others {
  const hosts = createOwnedHosts({ ...deps, politeness });
  const finder = startFindingJobs({
    ...deps,
    known: jobs.byId,
    fullHosts: () => Object.entries(politeness.busyHostSlots()).flatMap(([host, slots]) => (slots > 0 ? [] : [host])),
    onFound: jobs.run,
    onWork: jobs.wake,
    onEnded: (id) => jobs.drop(id, 'The job has ended.'),
  });
  return { hosts, ...finder };
}
