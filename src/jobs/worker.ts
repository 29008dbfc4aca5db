// Runs the tasks of all unfinished jobs: claims them fairly within the limits of hosts and teams, renews their leases,
// and commits their outcomes. Tasks interrupted by a crash are claimed again after the next start.
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors.ts';
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { PageHolds } from '../policy/budgets/page-holds.ts';
import type { ClaimedTask, JobQueue } from '../store/job-queue.ts';
import type { JobKind, JobView } from '../store/job-store.ts';
import type { StoreHealth } from '../store/store.ts';
import type { Clock } from '../util/clock.ts';
import type { GateSlot } from '../util/gate/gate.ts';
import { uuidv7 } from '../util/ids.ts';
import type { Log } from '../util/log.ts';
import { createClaimTasks } from './claim-tasks.ts';
import { startHeartbeat } from './lease.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { createPageSlots } from './page-slots.ts';
import { createRunTask } from './run-task.ts';
import { inFairOrder, newRunningJob, type Pace, type RunningJob } from './running-job.ts';
import { createRunningJobs } from './running-jobs.ts';
import type { TaskHandler } from './task-handler.ts';
import type { TeamSlots } from './team-slots.ts';

export interface WorkerDeps {
  queue: JobQueue;
  /** While nothing can be written, no task is claimed, and fetched pages wait to be written. */
  health: StoreHealth;
  handlers: Record<JobKind, TaskHandler>;
  politeness: Politeness;
  pageHolds: PageHolds;
  paceOf(job: JobView): Pace;
  /** Called after each write to a job, for watchers and webhooks. */
  onChange(job: JobView): void;
  clock: Clock;
  log: Log;
  /** Limit for pages in flight over all teams. */
  maxPages: number;
  slots: TeamSlots;
}

export interface Worker {
  /** Starts a job: a new one, one that has more to do, or one from before a restart. A paused job waits to be resumed. */
  run(job: JobView): void;
  /** Aborts the tasks of a cancelled job. */
  drop(jobId: string): void;
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 1_000;

export function createWorker(deps: WorkerDeps): Worker {
  const { queue, health, politeness, clock, log } = deps;
  const owner = uuidv7(clock.now());
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const claimLoop = createLoop(async () => {
    const giveBackUnused = pageSlots.beginRound();
    const waiting = inFairOrder(jobs.byId.values(), clock.now());
    for (const [index, job] of waiting.entries()) {
      if (closing.signal.aborted) break;
      const wanted = freeSlots(job, waiting.length - index);
      if (wanted > 0) await claim(job, wanted).catch((error: unknown) => failClaim(job, error));
    }
    giveBackUnused();
  });
  const pageSlots = createPageSlots({ ...deps, onFree: () => claimLoop.run(), closing: closing.signal });
  const jobs = createRunningJobs({ politeness, clock, onReady: claimLoop.run });
  const heartbeat = startHeartbeat({ queue, owner, health, held: jobs.tasks, clock, log });
  const claim = createClaimTasks({
    ...{ queue, politeness, clock, owner, jobs, pageSlots, start },
    whenWritable: () => heartbeat.whenWritable(closing.signal),
  });
  const outcomes = createOutcomeWriter({ ...deps, owner, running: () => inFlight.size, closing: closing.signal });
  const runTask = createRunTask({ ...deps, outcomes, owner, wake: jobs.wake, wakeAt: jobs.wakeAt, onWritten });

  /** Divides the free slots, so that the first job does not take them all. */
  function freeSlots(job: RunningJob, waiting: number): number {
    const free = deps.maxPages - inFlight.size;
    return Math.min(Math.ceil(free / waiting), job.pace.concurrency - job.tasks.size);
  }

  function failClaim(job: RunningJob, error: unknown): void {
    if (closing.signal.aborted) return;
    if (!health.problem()) log.error({ err: error, job: job.view.id }, 'claiming tasks failed');
    jobs.wakeAt(job, clock.now() + AFTER_FAULT_MS);
  }

  function start(job: RunningJob, task: ClaimedTask, takeSlot: () => GateSlot): void {
    // Cancelled during the claim: the store would not accept an outcome either.
    if (closing.signal.aborted || jobs.byId.get(job.view.id) !== job) return;
    const slot = takeSlot();
    const ending = new AbortController();
    job.tasks.set(task.id, ending);
    politeness.started(task.host);
    const running = runTask(job, task, ending.signal).finally(() => {
      inFlight.delete(running);
      slot.leave();
      jobs.taskEnded(job, task);
    });
    inFlight.add(running);
  }

  function onWritten({ view }: RunningJob): void {
    // What is still in flight when a job fails can no longer be written, and may run again when the job is retried.
    if (view.status !== 'scraping') drop(view.id, 'The job has ended.');
    deps.onChange(view);
  }

  function drop(jobId: string, reason: string): void {
    const job = jobs.byId.get(jobId);
    jobs.byId.delete(jobId);
    for (const ending of job?.tasks.values() ?? []) ending.abort(new Error(reason));
  }

  return {
    run(view) {
      const known = jobs.byId.get(view.id);
      if (known) {
        known.view.limit = view.limit;
        return jobs.wake(known);
      }
      if (view.pausedAt !== undefined) return;
      jobs.byId.set(view.id, newRunningJob(view, deps.paceOf(view)));
      claimLoop.run();
    },
    drop: (jobId) => drop(jobId, 'The job was cancelled.'),
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
