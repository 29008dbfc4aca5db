// Starts the checks of monitors and the runs of collections when they are due. What was missed while the service was down is one
// check, made at once.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { DueCheck, StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

/** What has a schedule: a monitor or a collection. */
interface Scheduled {
  id: string;
  teamId: string;
}

export interface SchedulerDeps<One extends Scheduled = StoredMonitor, Due = DueCheck> {
  schedules: {
    due(now: number, limit: number): Promise<One[]>;
    nextAt(): Promise<number | undefined>;
    startDue(due: Due, now: number): Promise<'started' | 'skipped_overlap' | 'moved'>;
  };
  health: Pick<StoreHealth, 'persist'>;
  /** The run of one whose time has come, and when the next one follows. */
  dueRun(one: One, now: number): Due;
  /** What it is, for the log. */
  name: string;
  /** Called after runs have been stored: their worker can begin. */
  onStarted(): void;
  /** Other processes add some, too. */
  isShared?: boolean;
  scope: Pick<WorkScope, 'run'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

export interface Scheduler {
  /** Call when one was added or changed. Nothing starts before the first call. */
  wake(): void;
  /** Call before closing the store. */
  close(): Promise<void>;
}

/** How many are read at once. */
const BATCH = 50;
/** Timers do not count while the machine sleeps, so the clock is looked at again after this time. */
const LONGEST_SLEEP_MS = 60_000;
/** One that could not be started is tried again after this time. Others are at most that much late. */
const AFTER_FAULT_MS = 15_000;

export function createScheduler<One extends Scheduled, Due>(deps: SchedulerDeps<One, Due>): Scheduler {
  const { schedules, health, dueRun, name, onStarted, isShared, scope, clock, log } = deps;
  const closing = new AbortController();
  /** When those that failed to start may be tried again. */
  const failed = new Map<string, number>();
  let running: Promise<void> | undefined;
  let woken = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Created before the store is read, so that a wake-up meanwhile is not lost.
      woken = new AbortController();
      const nextAt = await startAllDue().catch((error: unknown) => {
        closing.signal.throwIfAborted();
        log.error({ err: error }, `reading the schedules of ${name}s failed`);
        return clock.now() + AFTER_FAULT_MS;
      });
      await sleepUntil(nextAt);
    }
  }

  /** Returns when more will be due. */
  async function startAllDue(): Promise<number> {
    while (await startBatch()) {}
    const nextAt = (await persist(() => schedules.nextAt())) ?? Number.POSITIVE_INFINITY;
    // Those that failed are overdue: asking for them again at once would never end.
    return failed.size === 0 ? nextAt : Math.max(nextAt, Math.min(...failed.values()));
  }

  /** Whether there may be more. */
  async function startBatch(): Promise<boolean> {
    const now = clock.now();
    for (const [id, retryAt] of failed) if (retryAt <= now) failed.delete(id);
    const limit = BATCH + failed.size;
    const due = await persist(() => schedules.due(now, limit));
    let started = 0;
    for (const one of due) if (!failed.has(one.id) && (await start(one, now))) started++;
    if (started > 0) onStarted();
    return due.length === limit;
  }

  /** Whether there is a new run to work on. */
  async function start(one: One, now: number): Promise<boolean> {
    try {
      const due = dueRun(one, now);
      const outcome = await scope.run(one.teamId, () => persist(() => schedules.startDue(due, now)));
      return outcome === 'started';
    } catch (error) {
      closing.signal.throwIfAborted();
      log.error({ err: error, [name]: one.id }, `a scheduled run of a ${name} could not be started`);
      failed.set(one.id, now + AFTER_FAULT_MS);
      return false;
    }
  }

  async function sleepUntil(time: number): Promise<void> {
    const signal = AbortSignal.any([woken.signal, closing.signal]);
    while (!signal.aborted) {
      const left = time - clock.now();
      if (left <= 0) return;
      // Without any there is nothing to wait for but a wake-up.
      if (left === Number.POSITIVE_INFINITY && !isShared) await once(signal);
      else await clock.sleep(Math.min(left, LONGEST_SLEEP_MS), signal).catch(() => {});
      // The earliest one may be another by now.
      if (isShared) return;
    }
  }

  const persist = <T>(ask: () => Promise<T>): Promise<T> => health.persist(ask, closing.signal);

  return {
    wake() {
      if (closing.signal.aborted) return;
      running ??= run().catch(ignoreClosing);
      woken.abort();
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await running;
    },
  };
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Nothing else rejects the loop. */
const ignoreClosing = () => {};
