// Runs the tasks of all unfinished jobs: claims them fairly within the limits of hosts and teams, renews their leases,
// and commits their outcomes. Tasks interrupted by a crash are claimed again after the next start.
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { PageReservations } from '../policy/budgets/page-reservations.ts';
import type { Log } from '../runtime/log.ts';
import type { ClaimedTask, JobQueue } from '../store/ports/jobs/job-queue.ts';
import type { JobKind, JobView } from '../store/ports/jobs/job-store.ts';
import type { StoreHealth } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import { createClaimTasks } from './claim-tasks.ts';
import { leaseTimes } from './heartbeats.ts';
import { startHeartbeat } from './lease.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { createPageSlots } from './page-slots.ts';
import { createRunTask } from './run-task.ts';
import { type HeldTask, inFairOrder, type Pace, type RunningJob } from './running-job.ts';
import { createRunningJobs } from './running-jobs.ts';
import { joinOthers, type Sharing } from './sharing/join-others.ts';
import type { TaskHandler } from './task-handler.ts';
import type { PageSlot, TeamSlots } from './team-slots.ts';

export interface WorkerDeps {
  queue: JobQueue;
  /** While nothing can be written, no task is claimed, and fetched pages wait to be written. */
  health: StoreHealth;
  handlers: Record<JobKind, TaskHandler>;
  politeness: Politeness;
  pageReservations: PageReservations;
  paceOf(job: JobView): Pace;
  /** Called after each write to a job, for watchers and webhooks. */
  onChange(job: JobView): void;
  clock: Clock;
  log: Log;
  /** Limit for pages in flight over all teams. */
  maxPages: number;
  slots: TeamSlots;
  /** Present if other processes work on the same jobs. */
  sharing?: Sharing;
}

export interface Worker {
  /** Starts a job: a new one, one that has more to do, or one from before a restart. A paused job waits to be resumed. */
  run(job: JobView): void;
  /** Aborts the tasks of a cancelled job. */
  drop(jobId: string): void;
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 1_000;
/** Outcomes that wait to be written hold no slot, up to this many: pages that were read take memory until then. */
const MAX_WITHOUT_SLOT = 16;
/** A claim has a fixed cost, and pages end one by one: it waits for a few free slots, or so long. */
const SLOTS_A_CLAIM = 4;
const GATHER_SLOTS_MS = 60;

export function createWorker(deps: WorkerDeps): Worker {
  const { queue, health, politeness, sharing, clock, log } = deps;
  const times = leaseTimes(sharing !== undefined);
  const owner = uuidv7(clock.now());
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const inSlots = new Set<HeldTask>();
  const claimLoop = createLoop(async () => {
    await hosts?.leaveIdle().catch((error: unknown) => log.warn({ err: error }, 'giving hosts back failed'));
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
  const onSlotLeft = () => claimLoop.soon(Math.min(SLOTS_A_CLAIM, inSlots.size));
  const jobs = createRunningJobs({ ...deps, onReady: claimLoop.run, onSlotLeft });
  const others = sharing && joinOthers({ ...deps, ...sharing, jobs, freeSlots: () => deps.maxPages - inSlots.size });
  const hosts = others?.hosts;
  const heartbeat = startHeartbeat({
    ...{ queue, owner, health, held: jobs.tasks, times, clock, log },
    // Each one is also the moment to give hosts back that have been idle for a while.
    ...(others && { sharing: { hosts: others.hosts, refreshJobs: () => others.refresh().then(claimLoop.run) } }),
  });
  const claim = createClaimTasks({
    ...{ queue, politeness, clock, owner, times, hosts, jobs, pageSlots, start },
    whenWritable: () => heartbeat.whenWritable(closing.signal),
  });
  const outcomes = createOutcomeWriter({ ...deps, owner, running: () => inFlight.size, closing: closing.signal });
  const runTask = createRunTask({ ...deps, outcomes, owner, times, wake: jobs.wake, wakeAt: jobs.wakeAt, onWritten });

  /** Divides the free slots, so that the first job does not take them all. */
  function freeSlots(job: RunningJob, waiting: number): number {
    const free = deps.maxPages - inSlots.size;
    return Math.min(Math.ceil(free / waiting), job.pace.concurrency - job.slots);
  }

  function failClaim(job: RunningJob, error: unknown): void {
    if (closing.signal.aborted) return;
    if (!health.problem()) log.error({ err: error, job: job.view.id }, 'claiming tasks failed');
    jobs.wakeAt(job, clock.now() + AFTER_FAULT_MS);
  }

  function start(job: RunningJob, task: ClaimedTask, leaseUntil: number, takeSlot: () => PageSlot): void {
    // Cancelled during the claim: the store would not accept an outcome either.
    if (closing.signal.aborted || jobs.byId.get(job.view.id) !== job) return;
    const slot = takeSlot();
    if (task.kind === 'page') slot.begin();
    const held: HeldTask = { host: task.host, ending: new AbortController(), leaseUntil, isWriting: false };
    jobs.taskStarted(job, task, held);
    politeness.started(task.host);
    hosts?.started(task.host);
    inSlots.add(held);
    const leaveSlot = () => {
      if (!inSlots.delete(held)) return;
      slot.leave();
      jobs.slotLeft(job, task);
    };
    const onRead = () => inFlight.size - inSlots.size < MAX_WITHOUT_SLOT && leaveSlot();
    const running = runTask(job, task, held, onRead).finally(() => {
      inFlight.delete(running);
      leaveSlot();
      hosts?.ended(task.host);
      jobs.taskEnded(job, task);
    });
    inFlight.add(running);
  }

  function onWritten({ view }: RunningJob): void {
    // What is still in flight when a job fails can no longer be written, and may run again when the job is retried.
    if (view.status !== 'scraping') jobs.drop(view.id, 'The job has ended.');
    deps.onChange(view);
  }

  return {
    run: jobs.run,
    drop: (jobId) => jobs.drop(jobId, 'The job was cancelled.'),
    async close() {
      closing.abort();
      claimLoop.stop();
      heartbeat.stop();
      others?.stop();
      jobs.stopAlarms();
      for (const { ending } of jobs.tasks().values()) ending.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await Promise.allSettled(inFlight);
      await queue.release(owner).catch((error: unknown) => log.error({ err: error }, 'releasing tasks failed'));
      await hosts?.leaveAll().catch((error: unknown) => log.error({ err: error }, 'giving hosts back failed'));
    },
  };
}

/** Runs `step` one at a time. A call during a step runs it once more afterwards, however many calls there were. */
function createLoop(step: () => Promise<void>) {
  let isRunning = false;
  let isWanted = false;
  let isStopped = false;
  let reasons = 0;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted && !isStopped) {
      // Outcomes are committed in groups, so several tasks end together: one claim is enough for all of them.
      await setImmediate();
      isWanted = false;
      reasons = 0;
      clearTimeout(timer);
      timer = undefined;
      await step();
    }
    isRunning = false;
  };
  return {
    run,
    /** Runs it when there are as many reasons as are enough, or a little later. */
    soon(enough: number) {
      reasons += 1;
      if (reasons >= enough) void run();
      else timer ??= setTimeout(run, GATHER_SLOTS_MS);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
