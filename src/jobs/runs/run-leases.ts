// The leases of the runs that this process carries out. They are renewed long before they expire; a run that was lost or
// cancelled is aborted.

import type { Log } from '../../runtime/log.ts';
import type { RunQueue } from '../../store/ports/runs/run-queue.ts';
import type { RunView } from '../../store/ports/runs/run-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { type Heartbeats, isRunningOut, type LeaseTimes, startHeartbeats } from '../heartbeats.ts';
import { LeaseLost } from '../lease.ts';
import { RunCancelled } from './run-handler.ts';

/** A run that this process carries out. */
export interface HeldRun {
  run: RunView;
  ending: AbortController;
  ended: Promise<void>;
  /** As far as this process knows. */
  leaseUntil: number;
}

interface RunLeasesDeps {
  queue: Pick<RunQueue, 'extend'>;
  owner: string;
  held: ReadonlyMap<string, HeldRun>;
  times: LeaseTimes;
  /** Other processes take over what this one cannot renew. */
  isShared: boolean;
  health: Pick<StoreHealth, 'problem'>;
  clock: Clock;
  log: Log;
}

export function startRunHeartbeats(deps: RunLeasesDeps): Heartbeats {
  const { queue, owner, held, times, isShared, health, clock, log } = deps;
  async function beat(): Promise<void> {
    if (held.size === 0) return;
    const now = clock.now();
    const leaseUntil = now + times.leaseMs;
    const runs = [...held];
    const ids = runs.map(([id]) => id);
    const { lost, cancelled } = await queue.extend(owner, ids, leaseUntil, now);
    for (const [, run] of runs) run.leaseUntil = leaseUntil;
    for (const id of lost) held.get(id)?.ending.abort(new LeaseLost());
    for (const id of cancelled) held.get(id)?.ending.abort(new RunCancelled());
  }

  const stopUnrenewed = () => {
    const now = clock.now();
    for (const { leaseUntil, ending } of held.values())
      if (isRunningOut(leaseUntil, now)) ending.abort(new LeaseLost());
  };

  const onError = (error: unknown) => {
    if (!health.problem()) log.error({ err: error }, 'renewing leases of runs failed');
  };
  return startHeartbeats({ times, beat, onError, clock, ...(isShared && { stopUnrenewed }) });
}
