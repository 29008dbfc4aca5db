// The steps of one run: what is already stored is not done again.
import type { RunReservation } from '../../policy/budgets/run-reservations.ts';
import type { RunQueue } from '../../store/ports/runs/run-queue.ts';
import type { RunStep, RunView } from '../../store/ports/runs/run-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { hashOf } from '../../util/hash.ts';
import { LeaseLost } from '../lease.ts';
import type { RunTools, StepDone, StepOptions } from './run-handler.ts';

export interface RunStepsDeps {
  queue: Pick<RunQueue, 'beginStep' | 'endStep'>;
  health: Pick<StoreHealth, 'persist'>;
  owner: string;
  /** Called when a step has stored events for the webhook. */
  onEvents(): void;
  /** Holds what the run has cost, until it is paid for. */
  reservation: Pick<RunReservation, 'reserve' | 'add' | 'left'>;
  clock: Pick<Clock, 'now'>;
}

interface Interrupted<T> {
  output: T;
}

export function createRunSteps(
  { queue, health, owner, onEvents, reservation, clock }: RunStepsDeps,
  run: RunView,
  stored: readonly RunStep[],
  signal: AbortSignal,
): RunTools {
  const before = new Map(stored.map((step) => [step.key, step]));
  /** Steps that were begun since the start of this attempt: two callers of one step share it. */
  const underWay = new Map<string, Promise<unknown>>();
  const sum = (field: 'credits' | 'tokens') => stored.reduce((total, step) => total + step[field], 0);
  const spent = {
    credits: sum('credits'),
    tokens: sum('tokens'),
    steps: stored.filter(({ state }) => state === 'finished').length,
  };
  const resumedAt = clock.now();

  /** A full disk delays the run; a lost lease ends the work on it. */
  async function write(call: () => Promise<boolean>): Promise<void> {
    if (!(await health.persist(call, signal))) throw new LeaseLost();
  }

  async function finish<T>(
    key: string,
    { output, credits = 0, reserved = 0, tokens = 0, events }: StepDone<T>,
  ): Promise<T> {
    const end = { key, output, credits, tokens, ...(events && { events }) };
    await write(() => queue.endStep(owner, run.id, end, clock.now()));
    if (events && events.length > 0) onEvents();
    await reservation.add(credits - reserved);
    spent.credits += credits;
    spent.tokens += tokens;
    spent.steps += 1;
    return output;
  }

  async function carryOut<T>(
    key: string,
    options: StepOptions<T>,
    work: (signal: AbortSignal) => Promise<StepDone<T>>,
  ) {
    const known = before.get(key);
    if (known?.state === 'finished') return known.output as T;
    const interrupted: Interrupted<T> | undefined =
      known && options.ifInterrupted ? { output: options.ifInterrupted() } : undefined;
    if (interrupted) return finish(key, interrupted);
    signal.throwIfAborted();
    const { name, input = null } = options;
    if (!known) await write(() => queue.beginStep(owner, run.id, { key, name, input }, clock.now()));
    return finish(key, await work(signal));
  }

  return {
    async step<T>(options: StepOptions<T>, work: (signal: AbortSignal) => Promise<StepDone<T>>): Promise<T> {
      const key = hashOf(options.key);
      const running = underWay.get(key) ?? carryOut(key, options, work);
      underWay.set(key, running);
      // A step that failed may be tried again.
      running.catch(() => underWay.delete(key));
      return running as Promise<T>;
    },
    reserve: reservation.reserve,
    creditsLeft: reservation.left,
    spent: () => ({ ...spent }),
    elapsedMs: () => run.workedMs + clock.now() - resumedAt,
    signal,
  };
}
