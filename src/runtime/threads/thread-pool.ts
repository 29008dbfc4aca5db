// Worker threads of one kind behind a gate, which shares them fairly between teams.
import { systemClock } from '../../util/clock.ts';
import { type Asker, createGate } from '../gate/gate.ts';
import { createThreads, type Ready, type Threads } from './threads.ts';

export interface ThreadPoolOptions {
  entry: URL;
  /** How many calls run at once. */
  workers: number;
  /** More calls at once, for teams that have none running. */
  spare?: number;
  maxMemoryMb: number;
  /** What calls reject with once the pool is closed. */
  closedError: () => Error;
}

export interface Turn {
  asker: Asker;
  /** Calls of one kind take about as long. */
  kind: string;
  signal: AbortSignal;
}

export interface ThreadPool<Port> {
  /** Waits for a turn, then does the work. Its signal also ends when the pool is closed. */
  run<Result>(turn: Turn, work: (threads: Threads<Port>, signal: AbortSignal) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function createThreadPool<Port extends Ready>(options: ThreadPoolOptions): ThreadPool<Port> {
  const { entry, workers, spare, maxMemoryMb, closedError } = options;
  const threads = createThreads<Port>(entry, { maxMemoryMb });
  const gate = createGate({ size: workers, ...(spare !== undefined && { spare }), clock: systemClock });
  const closing = new AbortController();
  return {
    async run({ asker, kind, signal: outer }, work) {
      const signal = AbortSignal.any([outer, closing.signal]);
      const { leave } = await gate.enter(asker, kind, signal);
      try {
        signal.throwIfAborted();
        const result = await work(threads, signal);
        leave();
        return result;
      } finally {
        leave('failed');
      }
    },
    async close() {
      closing.abort(closedError());
      await threads.close();
    },
  };
}
