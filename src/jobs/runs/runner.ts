// Carries out runs: claims them fairly, renews their leases and writes their ends. Runs that a crash interrupted are claimed
// again after the next start and go on after their last finished step.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { RunKind, RunView } from '../../store/ports/runs/run-store.ts';
import { uuidv7 } from '../../util/ids.ts';
import { createAlarm } from '../alarm.ts';
import { leaseTimes } from '../heartbeats.ts';
import { LeaseLost } from '../lease.ts';
import { type CarryOutDeps, carryOut } from './carry-out.ts';
import { RunCancelled } from './run-handler.ts';
import { type HeldRun, startRunHeartbeats } from './run-leases.ts';

export type RunnerDeps = Omit<CarryOutDeps, 'owner'> & {
  /** Earlier runs are left to another process. */
  since?: number;
  /** Other processes carry out runs, too. What they leave is found by looking. */
  isShared?: boolean;
};

export interface Runner {
  /** There may be runs to claim, or this one is to be cancelled. */
  wake(id?: string): void;
  /** A run is to be cancelled, which the store knows already. */
  cancel(id: string): void;
  /** Stops the work. Unfinished runs go on after the next start. */
  close(): Promise<void>;
}

/** Runs at once, of each kind: they mostly wait for sites and models, so the limits of pages and models come first. */
const MAX_RUNS = 32;
const MAX_RUNS_PER_TEAM = 8;
/** Between two looks, if there are other processes. */
const LOOK_MS = 2_000;
const AFTER_FAULT_MS = 1_000;
const KINDS: readonly RunKind[] = ['agent', 'extract', 'check', 'collection'];

export function createRunner(deps: RunnerDeps): Runner {
  const { queue, health, since, isShared = false, clock, log } = deps;
  const times = leaseTimes(isShared);
  const owner = uuidv7(clock.now());
  const closing = new AbortController();
  const held = new Map<string, HeldRun>();
  const alarm = createAlarm(clock);
  let claiming: Promise<void> | undefined;
  let isWanted = false;

  function wake(id?: string): void {
    if (id !== undefined && held.has(id)) heartbeats.beatNow();
    isWanted = true;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
      // Somebody may have called between the end of the loop and this moment.
      if (isWanted && !closing.signal.aborted) wake();
    });
  }

  async function claimAll(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false;
      try {
        for (const kind of KINDS) await claim(kind);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!health.problem()) log.error({ err: error }, 'claiming runs failed');
        wakeAt(clock.now() + AFTER_FAULT_MS);
      }
    }
    if (isShared) wakeAt(clock.now() + LOOK_MS * (0.75 + Math.random() / 2));
  }

  async function claim(kind: RunKind): Promise<void> {
    await health.writable(closing.signal);
    const slots = MAX_RUNS - [...held.values()].filter(({ run }) => run.kind === kind).length;
    const now = clock.now();
    const leaseUntil = now + times.leaseMs;
    const claim = { owner, kind, slots, teamSlots: MAX_RUNS_PER_TEAM, now, leaseUntil };
    const claimed = await queue.claim({ ...claim, ...(since !== undefined && { since }) });
    wakeAt(claimed.nextAt);
    for (const run of claimed.runs) start(run, leaseUntil);
  }

  const wakeAt = (time: number | undefined) => alarm.set('claim', time, () => wake());

  function start(run: RunView, leaseUntil: number): void {
    const ending = new AbortController();
    if (run.cancelAskedAt !== undefined) ending.abort(new RunCancelled());
    // The webhook is to be told that it has started.
    deps.onChange(run);
    const ended = carryOut({ ...deps, owner }, run, { run: ending.signal, closing: closing.signal })
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost) && !closing.signal.aborted)
          log.error({ err: error, run: run.id }, 'a run was interrupted');
      })
      .finally(() => {
        held.delete(run.id);
        wake();
      });
    held.set(run.id, { run, ending, ended, leaseUntil });
  }

  const heartbeats = startRunHeartbeats({ queue, owner, held, times, isShared, health, clock, log });

  return {
    wake,
    cancel(id) {
      held.get(id)?.ending.abort(new RunCancelled());
      wake();
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      heartbeats.stop();
      alarm.close();
      for (const { ending } of held.values()) ending.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await claiming;
      await Promise.allSettled([...held.values()].map(({ ended }) => ended));
      await queue.release(owner).catch((error: unknown) => log.error({ err: error }, 'releasing runs failed'));
    },
  };
}
