// Runs one claimed task: the handler does the work, and its outcome is written.
import { asDiskError } from '../contracts/errors/disk-error.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { Reservation } from '../policy/budgets/budgets.ts';
import type { PageReservations } from '../policy/budgets/page-reservations.ts';
import type { Log } from '../runtime/log.ts';
import type { ClaimedTask, JobQueue, NewTask, TaskOutcome } from '../store/ports/jobs/job-queue.ts';
import type { JobKind } from '../store/ports/jobs/job-store.ts';
import type { StoreHealth } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import type { LeaseTimes } from './heartbeats.ts';
import { LeaseLost } from './lease.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import type { HeldTask, RunningJob } from './running-job.ts';
import type { TaskHandler, TaskReport } from './task-handler.ts';

/** A page that was started this often without an outcome probably crashes the process. */
const MAX_ATTEMPTS = 25;
const MAX_KICK_OFFS = 3;
const GIVEN_UP = `The page was started ${MAX_ATTEMPTS} times and never finished, so it was given up.`;
const OUT_OF_CREDITS =
  'The job has stopped because the credits are used up. Pages that were read by then stay available.';

export interface RunTaskDeps {
  queue: JobQueue;
  health: Pick<StoreHealth, 'persist'>;
  outcomes: OutcomeWriter;
  owner: string;
  times: Pick<LeaseTimes, 'leaseMs'>;
  handlers: Record<JobKind, TaskHandler>;
  politeness: Politeness;
  pageReservations: PageReservations;
  clock: Clock;
  log: Log;
  /** There may be tasks to claim. */
  wake(job: RunningJob): void;
  wakeAt(job: RunningJob, time: number): void;
  /** The job's view was updated after a write. */
  onWritten(job: RunningJob): void;
}

/** `onRead` is called when the work is done, and its outcome waits to be written. */
export type RunTask = (job: RunningJob, task: ClaimedTask, held: HeldTask, onRead: () => void) => Promise<void>;

export function createRunTask(deps: RunTaskDeps): RunTask {
  const { queue, health, outcomes, owner, handlers, politeness, pageReservations, clock, log, wake, wakeAt } = deps;

  /** The reservation stays open until the outcome is written. */
  async function work(job: RunningJob, task: ClaimedTask, paid: Paid, signal: AbortSignal): Promise<TaskReport> {
    if (task.attempt > MAX_ATTEMPTS) throw new ServiceError('SCRAPE_SITE_ERROR', { message: GIVEN_UP });
    const discover = async (links: NewTask[]) => {
      const add = () => queue.discover(owner, task.id, links, clock.now());
      if (!(await health.persist(add, signal))) throw new LeaseLost();
      wake(job);
    };
    const reservation = await pageReservations.open(job.view, task.kind, signal);
    paid.reservation = reservation;
    const report = await handlers[job.view.kind](task, job.view, { discover, reservation, signal });
    const { outcome } = report;
    if (outcome.state !== 'failed') return report;
    return { ...report, outcome: { ...outcome, credits: await reservation.settle(outcome.credits) } };
  }

  async function finish(job: RunningJob, task: ClaimedTask, outcome: TaskOutcome, paid: Paid, signal: AbortSignal) {
    const { became, job: now } = await outcomes.write({ id: task.id, outcome }, signal);
    if (became === 'lost') return;
    if (became === 'done' || became === 'failed') paid.reservation?.recorded();
    // Updated in place, because handlers cache derived data by this object.
    Object.assign(job.view, now);
    if (became === 'waiting' && outcome.state === 'retry') wakeAt(job, outcome.at);
    deps.onWritten(job);
  }

  return async (job, task, held, onRead) => {
    const { signal } = held.ending;
    const paid: Paid = {};
    try {
      const report = await work(job, task, paid, signal).catch((thrown: unknown) => {
        const error = asDiskError(thrown);
        if (!signal.aborted && !(error instanceof ServiceError))
          log.error({ err: error, job: job.view.id }, 'task failed unexpectedly');
        return reportOf(error, task, clock.now());
      });
      politeness.finished(task.host, report.hostAnswer ?? {});
      held.isWriting = true;
      // Its new state was already recorded by the code that aborted it.
      if (signal.aborted) return;
      const written = finish(job, task, report.outcome, paid, signal);
      onRead();
      await written;
    } catch (error) {
      // The lease will expire, and the task will be claimed again.
      if (!signal.aborted) log.error({ err: error, job: job.view.id }, 'writing the outcome of a task failed');
      wakeAt(job, clock.now() + deps.times.leaseMs);
    } finally {
      paid.reservation?.release();
    }
  };
}

interface Paid {
  reservation?: Reservation;
}

/** Handlers turn failures of sites into outcomes themselves; what they throw is a bug. */
function reportOf(error: unknown, task: ClaimedTask, now: number): TaskReport {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
  const { code, message } = known;
  // The handler could not write. The task waits for the store like any other outcome, and then runs again.
  if (code === 'STORAGE_UNAVAILABLE') return { outcome: { state: 'retry', at: now } };
  if (code === 'INSUFFICIENT_CREDITS') return { outcome: { state: 'fatal', message: `${OUT_OF_CREDITS} ${message}` } };
  if (task.kind === 'kick-off') {
    if (task.attempt < MAX_KICK_OFFS) return { outcome: { state: 'retry', at: now + 1_000 * 2 ** task.attempt } };
    return { outcome: { state: 'fatal', message: `The job could not be started: ${message}` } };
  }
  return { outcome: { state: 'failed', scrapeId: uuidv7(now), code, message, credits: 0 } };
}
