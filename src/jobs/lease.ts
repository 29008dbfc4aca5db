// The leases of this worker's tasks. They are renewed long before they expire; a task whose lease was lost is aborted.
import type { JobQueue } from '../store/job-queue.ts';
import type { StoreHealth } from '../store/store.ts';
import type { Clock } from '../util/clock.ts';
import type { Log } from '../util/log.ts';

export const LEASE_MS = 60_000;
const HEARTBEAT_MS = 15_000;

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
  /** The tasks in flight, each with the controller that aborts it. */
  held(): Map<number, AbortController>;
  clock: Clock;
  log: Log;
}

export interface Heartbeat {
  /** Jobs pause until the store can be written. Leases may have expired in the meantime, so they are renewed first. */
  whenWritable(signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function startHeartbeat({ queue, owner, held, clock, log, health }: HeartbeatDeps): Heartbeat {
  let isStopped = false;
  const beat = async () => {
    const tasks = held();
    if (tasks.size === 0) return;
    const now = clock.now();
    try {
      const lost = await queue.extend(owner, [...tasks.keys()], now + LEASE_MS, now);
      for (const id of lost) tasks.get(id)?.abort(new LeaseLost());
    } catch (error) {
      if (!isStopped && !health.problem()) log.error({ err: error }, 'renewing leases failed');
    }
  };
  const timer = setInterval(beat, HEARTBEAT_MS).unref();
  return {
    async whenWritable(signal) {
      if (!health.problem()) return;
      await health.writable(signal);
      await beat();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
