// Starts the checks of monitors when they are due. What was missed while the service was down is one check, made at once.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { DueCheck, MonitorStore, StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

export interface SchedulerDeps {
  monitors: Pick<MonitorStore, 'due' | 'nextAt' | 'startDue'>;
  health: Pick<StoreHealth, 'persist'>;
  /** The check of a monitor whose time has come, and when the next one follows. */
  dueCheck(monitor: StoredMonitor, now: number): DueCheck;
  /** Called after checks have been stored: their worker can begin. */
  onStarted(): void;
  /** Other processes add monitors, too. */
  isShared?: boolean;
  scope: Pick<WorkScope, 'run'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

export interface Scheduler {
  /** Call when a monitor was added or changed. Nothing starts before the first call. */
  wake(): void;
  /** Call before closing the store. */
  close(): Promise<void>;
}

/** Monitors that are read at once. */
const BATCH = 50;
/** Timers do not count while the machine sleeps, so the clock is looked at again after this time. */
const LONGEST_SLEEP_MS = 60_000;
/** A monitor that could not be started is tried again after this time. Others are at most that much late. */
const AFTER_FAULT_MS = 15_000;

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { monitors, health, dueCheck, onStarted, isShared, scope, clock, log } = deps;
  const closing = new AbortController();
  /** When monitors that failed to start may be tried again. */
  const failed = new Map<string, number>();
  let running: Promise<void> | undefined;
  let woken = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Created before the store is read, so that a wake-up meanwhile is not lost.
      woken = new AbortController();
      const nextAt = await startAllDue().catch((error: unknown) => {
        closing.signal.throwIfAborted();
        log.error({ err: error }, 'reading the schedules of monitors failed');
        return clock.now() + AFTER_FAULT_MS;
      });
      await sleepUntil(nextAt);
    }
  }

  /** Returns when more will be due. */
  async function startAllDue(): Promise<number> {
    while (await startBatch()) {}
    const nextAt = (await persist(() => monitors.nextAt())) ?? Number.POSITIVE_INFINITY;
    // Monitors that failed are overdue: asking for them again at once would never end.
    return failed.size === 0 ? nextAt : Math.max(nextAt, Math.min(...failed.values()));
  }

  /** Whether there may be more. */
  async function startBatch(): Promise<boolean> {
    const now = clock.now();
    for (const [id, retryAt] of failed) if (retryAt <= now) failed.delete(id);
    const limit = BATCH + failed.size;
    const due = await persist(() => monitors.due(now, limit));
    let started = 0;
    for (const monitor of due) if (!failed.has(monitor.id) && (await start(monitor, now))) started++;
    if (started > 0) onStarted();
    return due.length === limit;
  }

  /** Whether there is a new check to work on. */
  async function start(monitor: StoredMonitor, now: number): Promise<boolean> {
    try {
      const check = dueCheck(monitor, now);
      const outcome = await scope.run(monitor.teamId, () => persist(() => monitors.startDue(check, now)));
      return outcome === 'started';
    } catch (error) {
      closing.signal.throwIfAborted();
      log.error({ err: error, monitor: monitor.id }, 'a scheduled check could not be started');
      failed.set(monitor.id, now + AFTER_FAULT_MS);
      return false;
    }
  }

  async function sleepUntil(time: number): Promise<void> {
    const signal = AbortSignal.any([woken.signal, closing.signal]);
    while (!signal.aborted) {
      const left = time - clock.now();
      if (left <= 0) return;
      // Without any monitor there is nothing to wait for but a wake-up.
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
