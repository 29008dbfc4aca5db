// Port: how the runner carries out a run. The operations provide one handler for each kind.
import type { RunEnd } from '../../store/ports/runs/run-queue.ts';
import type { RunEvent, RunView } from '../../store/ports/runs/run-store.ts';

/** What a step returns: JSON, since it is stored. */
export interface StepDone<T> {
  output: T;
  /** What it cost; 0 unless given. */
  credits?: number;
  /** Credits of these that are already set aside: by `reserve`, or by the pages of the run's jobs. */
  reserved?: number;
  tokens?: number;
  /** For the webhook, sent if and only if the step was stored. */
  events?: RunEvent[];
}

export interface StepOptions<T> {
  /** Identifies the step within its run: the same after a restart. */
  key: string;
  /** What it does, in one or two words: `search`, `scrape`. The trace shows it. */
  name: string;
  /** The trace shows it. */
  input?: unknown;
  /**
   * The step changes something outside of this service (it clicks, it sends), so it must not run twice. If the service was
   * stopped in the middle, this is the step's output, because nobody knows how far it came.
   */
  ifInterrupted?: () => T;
}

export interface RunTools {
  /**
   * Does `work` once: its output is stored, and after a restart it is returned without doing the work again. Everything that
   * a handler learns from outside (pages, models, the clock) must come from a step, so that the handler takes the same way
   * again. Several steps may run at once. Rejects like `work`, and then the step is not stored.
   */
  step<T>(options: StepOptions<T>, work: (signal: AbortSignal) => Promise<StepDone<T>>): Promise<T>;
  /** Sets aside what a step will probably cost. Throws INSUFFICIENT_CREDITS. */
  reserve(credits: number): Promise<void>;
  /** What the team of the run has left. Infinity without a budget. */
  creditsLeft(): Promise<number>;
  /** What finished steps have cost, those before a restart included. */
  spent(): { credits: number; tokens: number; steps: number };
  /** Time since the run began, without the time in which the service did not run. */
  elapsedMs(): number;
  /** Aborts when the run is cancelled (`RunCancelled`), the service stops or the lease is lost. */
  signal: AbortSignal;
}

/** The reason with which the signal of a cancelled run aborts. A handler may return what was found so far; otherwise the run ends as `cancelled`. */
export class RunCancelled extends Error {
  constructor() {
    super('The run was cancelled.');
    this.name = 'RunCancelled';
  }
}

/** How a run ends, without the events: those follow from it. */
export type RunOutcome = Omit<RunEnd, 'events'>;

export interface RunHandler {
  /** Carries out the run. Handlers return their expected failures; what they throw ends the run as `failed` and costs nothing. */
  work(run: RunView, tools: RunTools): Promise<RunOutcome>;
  /** What the webhook is told when the run ends, also when it was cancelled before it began. `run` has the tokens of all steps. */
  endEvents(run: RunView, outcome: RunOutcome): RunEvent[];
}
