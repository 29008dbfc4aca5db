// Runs the tasks of all unfinished jobs: claims them fairly within the limits of hosts and teams, renews their leases,
// and commits each outcome in one transaction. Tasks interrupted by a crash are claimed again after the next start.
import { ServiceError } from '../contracts/errors.ts';
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { ClaimedTask, JobQueue, TaskOutcome } from '../store/job-queue.ts';
import type { JobKind, JobView } from '../store/job-store.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import type { Log } from '../util/log.ts';
import { createAlarm } from './alarm.ts';
import { inFairOrder, newRunningJob, type Pace, type RunningJob } from './running-job.ts';
import type { TaskHandler, TaskReport } from './task-handler.ts';

export interface WorkerDeps {
  queue: JobQueue;
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

const LEASE_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const AFTER_FAULT_MS = 1_000;
/** A page that was started this often without an outcome probably crashes the process. */
const MAX_ATTEMPTS = 25;
const MAX_KICK_OFFS = 3;

/** Another owner may run the task by now, so its outcome must not be written. */
class LeaseLost extends Error {
  constructor() {
    super('The lease of the task was lost.');
    this.name = 'LeaseLost';
  }
}

export function createWorker(deps: WorkerDeps): Worker {
  const { queue, politeness, clock, log } = deps;
  const owner = uuidv7(clock.now());
  const jobs = new Map<string, RunningJob>();
  const inFlight = new Set<Promise<void>>();
  let isPumping = false;
  let isPumpAgain = false;
  let isClosed = false;

  const alarm = createAlarm(clock);
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref();

  async function pump(): Promise<void> {
    isPumpAgain = true;
    if (isPumping) return;
    isPumping = true;
    while (isPumpAgain && !isClosed) {
      isPumpAgain = false;
      const waiting = inFairOrder(jobs.values(), clock.now());
      for (const [index, job] of waiting.entries()) {
        const slots = freeSlots(job, waiting.length - index);
        if (slots > 0) await claim(job, slots).catch((error: unknown) => failClaim(job, error));
      }
    }
    isPumping = false;
  }

  /** Divides the free slots, so that the first job does not take them all. */
  function freeSlots(job: RunningJob, waiting: number): number {
    const free = deps.maxPages - inFlight.size;
    const teamFree = deps.maxPagesPerTeam - active(job.view.teamId);
    return Math.min(Math.ceil(free / waiting), teamFree, job.pace.concurrency - job.tasks.size);
  }

  async function claim(job: RunningJob, slots: number): Promise<void> {
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
    if (tasks.length >= slots) job.isReady = isPumpAgain = true;
    job.fullHosts = new Set(fullHosts);
    for (const host of fullHosts) awaitHost(host);
    awaitTime(job, nextAt);
    for (const task of tasks) start(job, task);
  }

  function failClaim(job: RunningJob, error: unknown): void {
    if (isClosed) return;
    log.error({ err: error, job: job.view.id }, 'claiming tasks failed');
    awaitTime(job, clock.now() + AFTER_FAULT_MS);
  }

  function start(job: RunningJob, task: ClaimedTask): void {
    const ending = new AbortController();
    // Cancelled during the claim: the store would not accept an outcome either.
    if (isClosed || jobs.get(job.view.id) !== job) return;
    job.tasks.set(task.id, ending);
    politeness.started(task.host);
    const running = perform(job, task, ending.signal).finally(() => {
      inFlight.delete(running);
      job.tasks.delete(task.id);
      if (job.pace.pauseMs > 0) {
        job.notBefore = clock.now() + job.pace.pauseMs;
        awaitTime(job, job.notBefore);
      }
      awaitHost(task.host);
      wakeHost(task.host);
      wake(job);
    });
    inFlight.add(running);
  }

  async function perform(job: RunningJob, task: ClaimedTask, signal: AbortSignal): Promise<void> {
    const report = await work(job, task, signal).catch((error: unknown) => {
      if (!signal.aborted && !(error instanceof ServiceError))
        log.error({ err: error, job: job.view.id }, 'task failed unexpectedly');
      return reportOf(error, task, clock.now());
    });
    politeness.finished(task.host, report.hostAnswer ?? {});
    // Its new state was already recorded by the code that aborted it.
    if (signal.aborted) return;
    try {
      await finish(job, task, report.outcome);
    } catch (error) {
      // The lease will expire, and the task will be claimed again.
      if (!isClosed) log.error({ err: error, job: job.view.id }, 'writing the outcome of a task failed');
      awaitTime(job, clock.now() + LEASE_MS);
    }
  }

  async function work(job: RunningJob, task: ClaimedTask, signal: AbortSignal): Promise<TaskReport> {
    if (task.attempt > MAX_ATTEMPTS) throw new ServiceError('SCRAPE_SITE_ERROR', { message: GIVEN_UP });
    const discover = async (links: Parameters<JobQueue['discover']>[2]) => {
      if (!(await queue.discover(owner, task.id, links, clock.now()))) throw new LeaseLost();
      wake(job);
    };
    return deps.handlers[job.view.kind](task, job.view, { discover, signal });
  }

  async function finish(job: RunningJob, task: ClaimedTask, outcome: TaskOutcome): Promise<void> {
    const { became, job: now } = await queue.finish(owner, task.id, outcome, clock.now());
    if (became === 'lost') return;
    // Updated in place, because handlers cache derived data by this object.
    Object.assign(job.view, now);
    if (became === 'waiting' && outcome.state === 'retry') awaitTime(job, outcome.at);
    if (now.status !== 'scraping') jobs.delete(job.view.id);
    deps.onChange(job.view);
  }

  function wake(job: RunningJob): void {
    job.isReady = true;
    pump();
  }

  function wakeHost(host: string): void {
    for (const job of jobs.values()) if (job.fullHosts.has(host)) job.isReady = true;
    pump();
  }

  const awaitTime = (job: RunningJob, time: number | undefined) =>
    alarm.set(`job ${job.view.id}`, time, () => wake(job));

  const awaitHost = (host: string) => alarm.set(`host ${host}`, politeness.nextSlotAt(host), () => wakeHost(host));

  function active(teamId: string): number {
    let pages = 0;
    for (const { view, tasks } of jobs.values()) if (view.teamId === teamId) pages += tasks.size;
    return pages;
  }

  async function beat(): Promise<void> {
    const held = new Map([...jobs.values()].flatMap(({ tasks }) => [...tasks]));
    if (held.size === 0) return;
    const now = clock.now();
    try {
      const lost = await queue.extend(owner, [...held.keys()], now + LEASE_MS, now);
      for (const id of lost) held.get(id)?.abort(new LeaseLost());
    } catch (error) {
      if (!isClosed) log.error({ err: error }, 'renewing leases failed');
    }
  }

  const abortAll = (job: RunningJob, reason: Error) => {
    for (const ending of job.tasks.values()) ending.abort(reason);
  };

  return {
    active,
    run(view) {
      const known = jobs.get(view.id);
      if (known) return wake(known);
      jobs.set(view.id, newRunningJob(view, deps.paceOf(view)));
      pump();
    },
    drop(jobId) {
      const job = jobs.get(jobId);
      if (!job) return;
      jobs.delete(jobId);
      abortAll(job, new Error('The job was cancelled.'));
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      alarm.close();
      for (const job of jobs.values()) abortAll(job, new ServiceError('SERVICE_UNAVAILABLE'));
      await Promise.allSettled(inFlight);
      await queue.release(owner).catch((error: unknown) => log.error({ err: error }, 'releasing tasks failed'));
    },
  };
}

const GIVEN_UP = `The page was started ${MAX_ATTEMPTS} times and never finished, so it was given up.`;

/** Handlers turn failures of sites into outcomes themselves; what they throw is a bug. */
function reportOf(error: unknown, task: ClaimedTask, now: number): TaskReport {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
  const { code, message } = known;
  if (task.kind === 'kick-off') {
    if (task.attempt < MAX_KICK_OFFS) return { outcome: { state: 'retry', at: now + 1_000 * 2 ** task.attempt } };
    return { outcome: { state: 'fatal', message: `The job could not be started: ${message}` } };
  }
  return { outcome: { state: 'failed', scrapeId: uuidv7(now), code, message, credits: 0 } };
}
