// The leases of this worker's tasks. They are renewed long before they expire; a task whose lease was lost is aborted.

import type { Log } from '../runtime/log.ts';
import type { JobQueue } from '../store/ports/jobs/job-queue.ts';
import type { StoreHealth } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';
import { isRunningOut, type LeaseTimes, startHeartbeats } from './heartbeats.ts';
import type { HeldTask } from './running-job.ts';
import type { OwnedHosts } from './sharing/owned-hosts.ts';

/** Another owner may run the task by now, so its outcome must not be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of the task was lost.');
    this.name = 'LeaseLost';
  }
}

interface HeartbeatDeps {
  queue: Pick<JobQueue, 'extend'>;
  owner: string;
  /** The store reports its own problems. */
  health: Pick<StoreHealth, 'problem' | 'writable'>;
  /** The tasks in flight. */
  held(): Map<number, HeldTask>;
  times: LeaseTimes;
  /** Further leases to extend when other processes work beside this one. */
  sharing?: { hosts: Pick<OwnedHosts, 'keep' | 'hasNews'>; refreshJobs(): Promise<void> };
  clock: Clock;
  log: Log;
}

export interface Heartbeat {
  /** Jobs pause until the store can be written. Leases may have expired in the meantime, so they are renewed first. */
  whenWritable(signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function startHeartbeat({ queue, owner, held, times, sharing, clock, log, health }: HeartbeatDeps): Heartbeat {
  async function renewTasks(leaseUntil: number, now: number): Promise<void> {
    const tasks = held();
    if (tasks.size === 0) return;
    const lost = new Set(await queue.extend(owner, [...tasks.keys()], leaseUntil, now));
    for (const [id, task] of tasks) {
      if (lost.has(id)) task.ending.abort(new LeaseLost());
      else task.leaseUntil = leaseUntil;
    }
  }

  async function renewHosts(leaseUntil: number, now: number): Promise<void> {
    const lost = new Set(await sharing!.hosts.keep(leaseUntil, now));
    for (const { host, ending } of held().values()) if (lost.has(host)) ending.abort(new LeaseLost());
  }

  const beat = async () => {
    const now = clock.now();
    const leaseUntil = now + times.leaseMs;
    await renewTasks(leaseUntil, now);
    if (!sharing) return;
    await renewHosts(leaseUntil, now);
    await sharing.refreshJobs();
  };

  /** A page that was already read waits to be written; the store refuses it if another process has the task by then. */
  const stopUnrenewed = () => {
    const now = clock.now();
    if (sharing!.hosts.hasNews()) heartbeats.beatNow();
    for (const { leaseUntil, isWriting, ending } of held().values())
      if (!isWriting && isRunningOut(leaseUntil, now)) ending.abort(new LeaseLost());
  };

  const onError = (error: unknown) => {
    if (!health.problem()) log.error({ err: error }, 'renewing leases failed');
  };
  const heartbeats = startHeartbeats({ times, beat, onError, clock, ...(sharing && { stopUnrenewed }) });
  return {
    async whenWritable(signal) {
      if (!health.problem()) return;
      await health.writable(signal);
      await heartbeats.beatNow();
    },
    stop: heartbeats.stop,
  };
}
