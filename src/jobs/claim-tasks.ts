// Claims tasks of a job: as many as there are slots of its team, within the limits of the hosts.
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { ClaimedTask, JobQueue } from '../store/ports/jobs/job-queue.ts';
import type { Clock } from '../util/clock.ts';
import type { LeaseTimes } from './heartbeats.ts';
import type { PageSlots } from './page-slots.ts';
import type { RunningJob } from './running-job.ts';
import type { RunningJobs } from './running-jobs.ts';
import type { OwnedHosts } from './sharing/owned-hosts.ts';
import type { PageSlot } from './team-slots.ts';

interface ClaimDeps {
  queue: Pick<JobQueue, 'claim' | 'release'>;
  politeness: Pick<Politeness, 'busyHostSlots' | 'initialSlots' | 'freeSlots'>;
  clock: Pick<Clock, 'now'>;
  owner: string;
  times: Pick<LeaseTimes, 'leaseMs'>;
  /** Present if other processes work beside this one. */
  hosts?: Pick<OwnedHosts, 'took'>;
  jobs: Pick<RunningJobs, 'wake' | 'wakeAt' | 'wakeHostWhenFree' | 'forgetIdle'>;
  pageSlots: Pick<PageSlots, 'take'>;
  whenWritable(): Promise<void>;
  /** Runs the task in the slot that it takes, unless its job has ended meanwhile. */
  start(job: RunningJob, task: ClaimedTask, leaseUntil: number, takeSlot: () => PageSlot): void;
}

/** `wanted` is how many tasks the job may start. */
export function createClaimTasks(deps: ClaimDeps): (job: RunningJob, wanted: number) => Promise<void> {
  const { queue, politeness, clock, owner, times, hosts, jobs, pageSlots, whenWritable, start } = deps;

  /** The last owner of their hosts remembered a pause or a crawl delay, which was unknown here before the claim. */
  async function giveBack(job: RunningJob, tasks: readonly ClaimedTask[]): Promise<void> {
    for (const { host } of tasks) {
      job.fullHosts.add(host);
      jobs.wakeHostWhenFree(host);
    }
    await queue.release(
      owner,
      tasks.map(({ id }) => id),
    );
  }

  async function claimFor(job: RunningJob, slots: PageSlot[]): Promise<void> {
    job.isReady = false;
    const now = clock.now();
    const leaseUntil = now + times.leaseMs;
    const claim = await queue.claim({
      owner,
      jobId: job.view.id,
      slots: slots.length,
      hostSlots: politeness.busyHostSlots(),
      otherHostSlots: politeness.initialSlots,
      ...(hosts && job.pace.isPromised && { jobPace: job.pace }),
      now,
      leaseUntil,
    });
    hosts?.took(claim);
    const { tasks, fullHosts, nextAt } = claim;
    // A full claim means that there may be more tasks.
    if (tasks.length >= slots.length) jobs.wake(job);
    job.fullHosts = new Set(fullHosts);
    for (const host of fullHosts) jobs.wakeHostWhenFree(host);
    jobs.wakeAt(job, nextAt);
    const early: ClaimedTask[] = [];
    for (const task of tasks) {
      if (hosts && politeness.freeSlots(task.host) < 1) early.push(task);
      else start(job, task, leaseUntil, () => slots.pop()!);
    }
    if (early.length > 0) await giveBack(job, early);
    // Polling finds it again when it has something for this process to do.
    if (hosts && tasks.length === 0) jobs.forgetIdle(job);
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
