// Claims tasks of a job: as many as there are slots of its team, within the limits of the hosts.
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { ClaimedTask, JobQueue } from '../store/job-queue.ts';
import type { Clock } from '../util/clock.ts';
import type { GateSlot } from '../util/gate/gate.ts';
import { LEASE_MS } from './lease.ts';
import type { PageSlots } from './page-slots.ts';
import type { RunningJob } from './running-job.ts';
import type { RunningJobs } from './running-jobs.ts';

interface ClaimDeps {
  queue: Pick<JobQueue, 'claim'>;
  politeness: Pick<Politeness, 'busyHostSlots' | 'initialSlots'>;
  clock: Pick<Clock, 'now'>;
  owner: string;
  jobs: Pick<RunningJobs, 'wake' | 'wakeAt' | 'wakeHostWhenFree'>;
  pageSlots: Pick<PageSlots, 'take'>;
  whenWritable(): Promise<void>;
  /** Runs the task in the slot that it takes, unless its job has ended meanwhile. */
  start(job: RunningJob, task: ClaimedTask, takeSlot: () => GateSlot): void;
}

/** `wanted` is how many tasks the job may start. */
export function createClaimTasks(deps: ClaimDeps): (job: RunningJob, wanted: number) => Promise<void> {
  const { queue, politeness, clock, owner, jobs, pageSlots, whenWritable, start } = deps;

  async function claimFor(job: RunningJob, slots: GateSlot[]): Promise<void> {
    job.isReady = false;
    const now = clock.now();
    const { tasks, fullHosts, nextAt } = await queue.claim({
      owner,
      jobId: job.view.id,
      slots: slots.length,
      hostSlots: politeness.busyHostSlots(),
      otherHostSlots: politeness.initialSlots,
      now,
      leaseUntil: now + LEASE_MS,
    });
    // A full claim means that there may be more tasks.
    if (tasks.length >= slots.length) jobs.wake(job);
    job.fullHosts = new Set(fullHosts);
    for (const host of fullHosts) jobs.wakeHostWhenFree(host);
    jobs.wakeAt(job, nextAt);
    for (const task of tasks) start(job, task, () => slots.pop()!);
  }

  return async (job, wanted) => {
    await whenWritable();
    const slots = await pageSlots.take(job.view.teamId, wanted);
    try {
      if (slots.length > 0) await claimFor(job, slots);
    } finally {
      for (const slot of slots) slot.leave('unused');
    }
  };
}
