// Runs the tasks of all unfinished jobs: claims them fairly within the limits of hosts and teams, renews their leases,
// and commits their outcomes. Tasks interrupted by a crash are claimed again after the next start.
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors.ts';
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { ClaimedTask, JobQueue } from '../store/job-queue.ts';
import type { JobKind, JobView } from '../store/job-store.ts';
import type { StoreHealth } from '../store/store.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import type { Log } from '../util/log.ts';
import { LEASE_MS, startHeartbeat } from './lease.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { createRunTask } from './run-task.ts';
import { inFairOrder, newRunningJob, type Pace, type RunningJob } from './running-job.ts';
import { createRunningJobs } from './running-jobs.ts';
import type { TaskHandler } from './task-handler.ts';

export interface WorkerDeps {
  queue: JobQueue;
  /** While nothing can be written, no task is claimed, and fetched pages wait to be written. */
  health: StoreHealth;
  handlers: Record<JobKind, TaskHandler>;
  politeness: Politeness;
  paceOf(job: JobView): Pace;
  /** Called after each write to a job, for watchers and webhooks. */
  onChange(job: JobView): void;
  clock: Clock;
  log: Log;
  /** Limits for pages in flight, in total and per team. */
  maxPages: number;
  maxPagesPerTeam: number;
}

export interface Worker {
  /** Starts a job: a new one, one with added pages, or one from before a restart. */
  run(job: JobView): void;
  /** Aborts the tasks of a cancelled job. */
  drop(jobId: string): void;
  /** Number of pages in flight for a team. */
  active(teamId: string): number;
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 1_000;

export function createWorker(deps: WorkerDeps): Worker {
  const { queue, health, politeness, clock, log } = deps;
  const owner = uuidv7(clock.now());
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const claimLoop = createLoop(async () => {
    const waiting = inFairOrder(jobs.byId.values(), clock.now());
    for (const [index, job] of waiting.entries()) {
      if (closing.signal.aborted) return;
      const slots = freeSlots(job, waiting.length - index);
      if (slots > 0) await claim(job, slots).catch((error: unknown) => failClaim(job, error));
    }
  });
  const jobs = createRunningJobs({ politeness, clock, onReady: claimLoop.run });
  const heartbeat = startHeartbeat({ queue, owner, health, held: jobs.tasks, clock, log });
  const outcomes = createOutcomeWriter({ ...deps, owner, running: () => inFlight.size, closing: closing.signal });
  const runTask = createRunTask({ ...deps, outcomes, owner, wake: jobs.wake, wakeAt: jobs.wakeAt, onWritten });

  /** Divides the free slots, so that the first job does not take them all. */
  function freeSlots(job: RunningJob, waiting: number): number {
    const free = deps.maxPages - inFlight.size;
    const teamFree = deps.maxPagesPerTeam - jobs.active(job.view.teamId);
    return Math.min(Math.ceil(free / waiting), teamFree, job.pace.concurrency - job.tasks.size);
  }

  async function claim(job: RunningJob, slots: number): Promise<void> {
    await heartbeat.whenWritable(closing.signal);
    job.isReady = false;
    const now = clock.now();
    const { tasks, fullHosts, nextAt } = await queue.claim({
      owner,
      jobId: job.view.id,
      slots,
      hostSlots: politeness.busyHostSlots(),
      otherHostSlots: politeness.initialSlots,
      now,
      leaseUntil: now + LEASE_MS,
    });
    // A full claim means that there may be more tasks.
    if (tasks.length >= slots) jobs.wake(job);
    job.fullHosts = new Set(fullHosts);
    for (const host of fullHosts) jobs.wakeHostWhenFree(host);
    jobs.wakeAt(job, nextAt);
    for (const task of tasks) start(job, task);
  }

  function failClaim(job: RunningJob, error: unknown): void {
    if (closing.signal.aborted) return;
    if (!health.problem()) log.error({ err: error, job: job.view.id }, 'claiming tasks failed');
    jobs.wakeAt(job, clock.now() + AFTER_FAULT_MS);
  }

  function start(job: RunningJob, task: ClaimedTask): void {
    // Cancelled during the claim: the store would not accept an outcome either.
    if (closing.signal.aborted || jobs.byId.get(job.view.id) !== job) return;
    const ending = new AbortController();
    job.tasks.set(task.id, ending);
    politeness.started(task.host);
    const running = runTask(job, task, ending.signal).finally(() => {
      inFlight.delete(running);
      jobs.taskEnded(job, task);
    });
    inFlight.add(running);
  }

  function onWritten({ view }: RunningJob): void {
    if (view.status !== 'scraping') jobs.byId.delete(view.id);
    deps.onChange(view);
  }

  return {
    active: jobs.active,
    run(view) {
      const known = jobs.byId.get(view.id);
      if (known) return jobs.wake(known);
      jobs.byId.set(view.id, newRunningJob(view, deps.paceOf(view)));
      claimLoop.run();
    },
    drop(jobId) {
      const job = jobs.byId.get(jobId);
      jobs.byId.delete(jobId);
      for (const ending of job?.tasks.values() ?? []) ending.abort(new Error('The job was cancelled.'));
    },
    async close() {
      closing.abort();
      claimLoop.stop();
      heartbeat.stop();
      jobs.stopAlarms();
      for (const ending of jobs.tasks().values()) ending.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await Promise.allSettled(inFlight);
      await queue.release(owner).catch((error: unknown) => log.error({ err: error }, 'releasing tasks failed'));
    },
  };
}

/** Runs `step` one at a time. A call during a step runs it once more afterwards, however many calls there were. */
function createLoop(step: () => Promise<void>) {
  let isRunning = false;
  let isWanted = false;
  let isStopped = false;
  return {
    async run(): Promise<void> {
      isWanted = true;
      if (isRunning) return;
      isRunning = true;
      while (isWanted && !isStopped) {
        // Outcomes are committed in groups, so several tasks end together: one claim fills all of their slots.
        await setImmediate();
        isWanted = false;
        await step();
      }
      isRunning = false;
    },
    stop() {
      isStopped = true;
    },
  };
}
