// The tools of a run, in memory: work is done at once, and its output is remembered like a stored step.
import type { RunTools, StepDone, StepOptions } from '../../src/jobs/runs/run-handler.ts';
import type { RunEvent } from '../../src/store/ports/runs/run-store.ts';

export interface MemoryStep {
  key: string;
  name: string;
  input: unknown;
  output: unknown;
  credits: number;
  tokens: number;
}

export interface MemoryRun extends RunTools {
  /** Finished ones, in the order in which they ended. */
  steps: MemoryStep[];
  events: RunEvent[];
  /** Aborts the signal. */
  stop(reason: Error): void;
}

/** `earlier` are the steps of a run that was killed: their work is not done again. */
export function createMemoryRun({ earlier = [] }: { earlier?: readonly MemoryStep[] } = {}): MemoryRun {
  const steps = [...earlier];
  const events: RunEvent[] = [];
  const abort = new AbortController();
  const sum = (count: (step: MemoryStep) => number) => steps.reduce((total, step) => total + count(step), 0);
  /** Two callers of one step share it, as in a real run. */
  const underWay = new Map<string, Promise<unknown>>();

  async function carryOut<T>(
    { key, name, input }: StepOptions<T>,
    work: (signal: AbortSignal) => Promise<StepDone<T>>,
  ) {
    const done = await work(abort.signal);
    // What is stored is JSON, so a handler must not rely on anything else.
    const output = JSON.parse(JSON.stringify(done.output ?? null));
    steps.push({ key, name, input, output, credits: done.credits ?? 0, tokens: done.tokens ?? 0 });
    events.push(...(done.events ?? []));
    return output as T;
  }

  const run: MemoryRun = {
    steps,
    events,
    signal: abort.signal,
    stop: (reason) => abort.abort(reason),
    spent: () => ({ credits: sum((step) => step.credits), tokens: sum((step) => step.tokens), steps: steps.length }),
    elapsedMs: () => 0,
    reserve: async () => {},
    creditsLeft: async () => Infinity,
    async step<T>(options: StepOptions<T>, work: (signal: AbortSignal) => Promise<StepDone<T>>): Promise<T> {
      const { key } = options;
      abort.signal.throwIfAborted();
      const known = steps.find((step) => step.key === key);
      if (known) return known.output as T;
      const running = underWay.get(key) ?? carryOut(options, work).finally(() => underWay.delete(key));
      underWay.set(key, running);
      return running as Promise<T>;
    },
  };
  return run;
}
