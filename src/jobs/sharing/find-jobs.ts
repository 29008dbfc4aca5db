// Finds jobs that other processes have started, or whose pages a dead one has left, and follows changes made elsewhere.

import type { Log } from '../../runtime/log.ts';
import type { JobQueue } from '../../store/ports/jobs/job-queue.ts';
import type { JobStore, JobView } from '../../store/ports/jobs/job-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { WakeUps } from '../../store/ports/wake-ups.ts';
import type { Clock } from '../../util/clock.ts';
import type { RunningJob } from '../running-job.ts';

interface FindJobsDeps {
  queue: Pick<JobQueue, 'claimable'>;
  stored: Pick<JobStore, 'running'>;
  wakeUps: Pick<WakeUps, 'on'>;
  health: Pick<StoreHealth, 'problem' | 'writable'>;
  /** The jobs that this process works on. */
  known: ReadonlyMap<string, RunningJob>;
  /** How many pages could start now. */
  freeSlots(): number;
  /** Hosts of which no page could start now. */
  fullHosts(): string[];
  /** Unknown before, or read again: its limit may have changed. */
  onFound(job: JobView): void;
  /** A known job has pages to claim. */
  onWork(job: RunningJob): void;
  /** It has ended elsewhere. */
  onEnded(id: string): void;
  /** Follows the jobs that this process works on, and looks for no others. */
  ownJobsOnly?: boolean;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

export interface FindJobs {
  /** Reads the jobs that this process works on again. */
  refresh(): Promise<void>;
  stop(): void;
}

/** Wake-ups may be lost, and nobody says when a dead process's leases end. */
const LOOK_MS = 1_000;
/** Minimum time between two looks, however many wake-ups arrive. */
const PAUSE_MS = 100;
/** More jobs than a process can start between two looks. */
const MAX_FOUND = 100;

export function startFindingJobs(deps: FindJobsDeps): FindJobs {
  const { queue, stored, wakeUps, health, known, freeSlots, fullHosts, clock, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let woken = new AbortController();

  async function look(): Promise<void> {
    if (freeSlots() <= 0 || (deps.ownJobsOnly && known.size === 0)) return;
    // Jobs that have all the pages in flight that they may have must not hide others.
    const limit = MAX_FOUND + known.size;
    const ids = await queue.claimable({ fullHosts: fullHosts(), now: clock.now(), limit });
    const unknown = deps.ownJobsOnly ? [] : ids.filter((id) => !known.has(id));
    for (const id of ids) if (known.has(id)) deps.onWork(known.get(id)!);
    if (unknown.length === 0) return;
    for (const job of await stored.running(unknown)) deps.onFound(job);
  }

  async function refresh(ids = [...known.keys()]): Promise<void> {
    if (ids.length === 0) return;
    const running = new Map((await stored.running(ids)).map((job) => [job.id, job]));
    for (const id of ids) {
      const job = running.get(id);
      if (!known.has(id)) continue;
      if (job) deps.onFound(job);
      else deps.onEnded(id);
    }
  }

  const report = (error: unknown) => {
    if (!signal.aborted && !health.problem()) log.error({ err: error }, 'looking for jobs failed');
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // Created before the store is read, so that a wake-up meanwhile is not lost.
      woken = new AbortController();
      await health.writable(signal);
      await look().catch(report);
      await clock.sleep(PAUSE_MS, signal);
      const wait = LOOK_MS * (0.75 + Math.random() / 2);
      await clock.sleep(wait, AbortSignal.any([woken.signal, signal])).catch(() => {});
    }
  }

  const removeHandler = wakeUps.on(
    'jobs',
    (id) => {
      if (id === undefined || known.has(id)) refresh(id === undefined ? undefined : [id]).catch(report);
      woken.abort();
    },
    'others',
  );
  run().catch(ignoreStop);
  return {
    refresh: () => refresh(),
    stop() {
      removeHandler();
      stopping.abort();
    },
  };
}

/** Nothing else rejects the loop. */
const ignoreStop = () => {};
