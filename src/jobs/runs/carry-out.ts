// Does the work of one claimed run, and turns whatever happens into its end.
import { asDiskError } from '../../contracts/errors/disk-error.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { RunReservation, RunReservations } from '../../policy/budgets/run-reservations.ts';
import type { Log } from '../../runtime/log.ts';
import type { RunQueue } from '../../store/ports/runs/run-queue.ts';
import type { RunKind, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { LeaseLost } from '../lease.ts';
import { RunCancelled, type RunHandler, type RunOutcome } from './run-handler.ts';
import { createRunSteps } from './run-steps.ts';

/** A run that was begun this often without an end probably crashes the process. */
const MAX_ATTEMPTS = 25;
const GIVEN_UP = `The run was begun ${MAX_ATTEMPTS} times and never ended, so it was given up.`;

export interface CarryOutDeps {
  queue: RunQueue;
  runs: Pick<RunStore, 'steps'>;
  health: StoreHealth;
  runReservations: Pick<RunReservations, 'open'>;
  owner: string;
  /** Its code is loaded with the first run of its kind. */
  loadHandler(kind: RunKind): Promise<RunHandler>;
  /** Called after each write that may concern others: webhooks may be due, or somebody waits for the run. */
  onChange(run: RunView): void;
  clock: Clock;
  log: Log;
}

export interface RunSignals {
  /** Aborts when the run is cancelled, its lease is lost or the service stops. */
  run: AbortSignal;
  /** Aborts only when the service stops: the end of a cancelled run has to be written, too. */
  closing: AbortSignal;
}

/** Resolves once the end is stored. Rejects if the run has to go on later, here or elsewhere. */
export async function carryOut(deps: CarryOutDeps, run: RunView, signals: RunSignals): Promise<void> {
  const { queue, health, owner, clock } = deps;
  const handler = await deps.loadHandler(run.kind);
  const reservation = await deps.runReservations.open(run);
  try {
    const { outcome: wanted, tokens } = await work({ ...deps, reservation }, handler, run, signals);
    const outcome = { ...wanted, credits: await reservation.settle(wanted.credits) };
    const ended = { ...run, ...outcome, tokens };
    const events = handler.endEvents(ended, outcome);
    const end = { ...outcome, ...(events.length > 0 && { events }) };
    const isWritten = await health.persist(() => queue.end(owner, run.id, end, clock.now()), signals.closing);
    if (!isWritten) throw new LeaseLost();
    reservation.recorded();
    deps.onChange(ended);
  } finally {
    reservation.release();
  }
}

/** Returns the end with the tokens of all steps, those before a restart included. */
async function work(
  deps: CarryOutDeps & { reservation: RunReservation },
  handler: RunHandler,
  run: RunView,
  { run: signal, closing }: RunSignals,
): Promise<{ outcome: RunOutcome; tokens: number }> {
  const { runs, health } = deps;
  for (;;) {
    const stored = await health.persist(() => runs.steps(run.id), closing);
    await deps.reservation.restart(stored.reduce((sum, { credits }) => sum + credits, 0));
    const tools = createRunSteps({ ...deps, onEvents: () => deps.onChange(run) }, run, stored, signal);
    const ends = (outcome: RunOutcome) => ({ outcome, tokens: tools.spent().tokens });
    try {
      if (run.attempt > MAX_ATTEMPTS) throw new ServiceError('UNKNOWN_ERROR', { message: GIVEN_UP });
      return ends(await handler.work(run, tools));
    } catch (error) {
      if (signal.reason instanceof RunCancelled) return ends(cancelledOutcome(tools.spent().credits));
      signal.throwIfAborted();
      if (error instanceof LeaseLost) throw error;
      if (!isStorageFault(error)) return ends(failedOutcome(deps.log, run, error));
      // The run goes on once the disk has room again.
      await health.writable(signal);
    }
  }
}

const isStorageFault = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

/** Handlers return the failures that they expect. What they throw is a bug, or a limit of this server. */
function failedOutcome(log: Log, { id }: RunView, thrown: unknown): RunOutcome {
  const error = asDiskError(thrown);
  const isKnown = error instanceof ServiceError;
  if (!isKnown) log.error({ err: error, run: id }, 'run failed unexpectedly');
  const { message } = isKnown ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
  return { status: 'failed', error: message, credits: 0 };
}

/** The caller stopped the run, so what it used is charged. */
const cancelledOutcome = (credits: number): RunOutcome => ({
  status: 'cancelled',
  error: 'The run was cancelled.',
  stopReason: 'cancelled',
  credits,
});
