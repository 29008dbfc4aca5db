// Waits for work that goes on in the service: until it is over, or for as long as a client has patience.
import { type Clock, systemClock } from '../util/clock.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_500;
const GROWTH = 1.5;

interface Waiting<State> {
  ask(): Promise<State>;
  isOver(state: State): boolean;
  /** How far it is, for the client. */
  progress?(state: State, waitedMs: number): Progress;
}

interface Progress {
  done: number;
  total?: number;
  message?: string;
}

interface Patience {
  signal: AbortSignal;
  report?(progress: Progress): void;
  maxWaitMs: number;
}

/** Returns the last state. */
export async function waitForJob<State>(
  { ask, isOver, progress }: Waiting<State>,
  { signal, report, maxWaitMs }: Patience,
  clock: Pick<Clock, 'now' | 'sleep'> = systemClock,
): Promise<State> {
  const began = clock.now();
  let pause = FIRST_PAUSE_MS;
  while (true) {
    const state = await ask();
    const waited = clock.now() - began;
    if (progress) report?.(progress(state, waited));
    if (isOver(state) || waited >= maxWaitMs) return state;
    await clock.sleep(Math.min(pause, maxWaitMs - waited), signal);
    pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS);
  }
}

const CANCEL_MS = 10_000;

/** Runs `wait`; if the client cancels meanwhile, the job that the call started is cancelled, too. */
export async function orCancel<State>(
  signal: AbortSignal,
  wait: () => Promise<State>,
  cancel: (signal: AbortSignal) => Promise<unknown>,
): Promise<State> {
  try {
    return await wait();
  } catch (error) {
    // A job that has ended cannot be cancelled, and need not be.
    if (signal.aborted) await cancel(AbortSignal.timeout(CANCEL_MS)).catch(() => undefined);
    throw error;
  }
}
