// Runs the tasks of all unfinished jobs: claims them fairly, within what hosts and teams may have in flight, keeps their
// leases, and writes each end in one transaction. What is killed in between is claimed again after the next start.
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
  /** Something of the job was written: watchers and webhooks want to know. */
  onChange(job: JobView): void;
  clock: Clock;
  log: Log;
  /** Pages in flight, in all and of one team. */
  maxPages: number;
  maxPagesPerTeam: number;
}

export interface Worker {
  /** Takes a job up: a new one, one that got more pages, or one of an earlier run of the program. */
  run(job: JobView): void;
  /** Ends what is in flight of a job that was cancelled. */
  drop(jobId: string): void;
  /** Pages in flight for a team. */
  active(teamId: string): number;
  close(): Promise<void>;
}

const LEASE_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const AFTER_FAULT_MS = 1_000;
/** A page that was begun this often and never ended takes the program down with it. */
const MAX_ATTEMPTS = 25;
const MAX_KICK_OFFS = 3;

export function createWorker(deps: WorkerDeps): Worker {
  const { queue, politeness, clock, log } = deps;
  const owner = uuidv7(clock.now());
  const jobs = new Map<string, RunningJob>();
  const inFlight = new Set<Promise<void>>();
  let isPumping = false;
  let isAskedAgain = false;
  let isClosed = false;

  const alarm = createAlarm(clock);
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref();

  async function pump(): Promise<void> {
    isAskedAgain = true;
    if (isPumping) return;
    isPumping = true;
    while (isAskedAgain && !isClosed) {
      isAskedAgain = false;
      const waiting = inFairOrder(jobs.values(), clock.now());
      for (const [index, job] of waiting.entries()) {
        const slots = freeSlots(job, waiting.length - index);
        if (slots > 0) await claim(job, slots).catch((error: unknown) => failClaim(job, error));
      }
    }
    isPumping = false;
  }

  /** So that the first job does not take what the others wait for. */
  function freeSlots(job: RunningJob, waiting: number): number {
    const free = deps.maxPages - inFlight.size;
    const ofTeam = deps.maxPagesPerTeam - active(job.view.teamId);
    return Math.min(Math.ceil(free / waiting), ofTeam, job.pace.concurrency - job.tasks.size);
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
    // It may have more than it was given places for.
    if (tasks.length >= slots) job.isReady = isAskedAgain = true;
    job.fullHosts = new Set(fullHosts);
    for (const host of fullHosts) awaitHost(host);
    awaitTime(job, nextAt);
    for (const task of tasks) start(job, task);
  }

  function failClaim(job: RunningJob, error: unknown): void {
    if (isClosed) return;
    log.error({ err: error, job: job.view.id }, 'tasks could not be claimed');
    awaitTime(job, clock.now() + AFTER_FAULT_MS);
  }

  function start(job: RunningJob, task: ClaimedTask): void {
    const ending = new AbortController();
    // Cancelled while it was being claimed: the store will not take its end either.
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
        log.error({ err: error, job: job.view.id }, 'a task failed');
      return reportOf(error, task, clock.now());
    });
    politeness.finished(task.host, report.hostAnswer ?? {});
    // Whoever aborted it has said what becomes of it.
    if (signal.aborted) return;
    try {
      await finish(job, task, report.outcome);
    } catch (error) {
      // Its lease runs out, and it is claimed again.
      if (!isClosed) log.error({ err: error, job: job.view.id }, 'the end of a task could not be written');
      awaitTime(job, clock.now() + LEASE_MS);
    }
  }

  async function work(job: RunningJob, task: ClaimedTask, signal: AbortSignal): Promise<TaskReport> {
    if (task.attempt > MAX_ATTEMPTS) throw new ServiceError('SCRAPE_SITE_ERROR', { message: GIVEN_UP });
    const discover = async (links: Parameters<JobQueue['discover']>[2]) => {
      if (!(await queue.discover(owner, task.id, links, clock.now()))) throw new Error(NOT_OURS);
      wake(job);
    };
    return deps.handlers[job.view.kind](task, job.view, { discover, signal });
  }

  async function finish(job: RunningJob, task: ClaimedTask, outcome: TaskOutcome): Promise<void> {
    const { became, job: now } = await queue.finish(owner, task.id, outcome, clock.now());
    if (became === 'lost') return;
    // In place: handlers keep what they derive from a job by the job itself.
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
      for (const id of lost) held.get(id)?.abort(new Error(NOT_OURS));
    } catch (error) {
      if (!isClosed) log.error({ err: error }, 'leases could not be prolonged');
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
      await queue.release(owner).catch((error: unknown) => log.error({ err: error }, 'tasks could not be given back'));
    },
  };
}

const NOT_OURS = 'The task is not ours any more.';
const GIVEN_UP = `The page was begun ${MAX_ATTEMPTS} times and never ended; it is given up.`;

/** Handlers turn what goes wrong out there into outcomes themselves; what they throw is a fault of ours. */
function reportOf(error: unknown, task: ClaimedTask, now: number): TaskReport {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
  const { code, message } = known;
  if (task.kind === 'kick-off') {
    if (task.attempt < MAX_KICK_OFFS) return { outcome: { state: 'retry', at: now + 1_000 * 2 ** task.attempt } };
    return { outcome: { state: 'fatal', message: `The job could not be started: ${message}` } };
  }
  return { outcome: { state: 'failed', scrapeId: uuidv7(now), code, message, credits: 0 } };
}
