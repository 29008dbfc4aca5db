// Runs the jobs of understanding in worker threads. A page that takes too much time or memory costs its thread, and the
// format that it was for.
import { availableParallelism } from 'node:os';
import { asServiceError, ServiceError } from '../contracts/errors.ts';
import { systemClock } from '../util/clock.ts';
import { type Asker, createGate } from '../util/gate/gate.ts';
import { remotePort, type SendCall } from '../util/thread.ts';
import { createThreads } from '../util/threads.ts';
import type { UnderstandThread, UnderstandWork } from './understand-thread.ts';

export interface UnderstandPoolOptions {
  workers?: number;
  /** How long a job may take before its thread is ended. */
  jobTimeoutMs?: number;
  /** How long an idle thread is kept. */
  idleMs?: number;
  maxMemoryMb?: number;
}

export interface UnderstandPool {
  /** The jobs, for this team and as long as the signal allows. */
  workFor(asker: Asker, signal: AbortSignal): UnderstandWork;
  close(): Promise<void>;
}

const ENTRY = new URL('./understand-thread.ts', import.meta.url);

export function createUnderstandPool(options: UnderstandPoolOptions = {}): UnderstandPool {
  const { workers = availableParallelism(), jobTimeoutMs = 10_000, idleMs = 30_000, maxMemoryMb = 512 } = options;
  const threads = createThreads<UnderstandThread>(ENTRY, { maxMemoryMb });
  const gate = createGate({ size: workers, spare: 1, clock: systemClock });
  const closing = new AbortController();

  async function run(asker: Asker, outer: AbortSignal, [job, args, moved]: Parameters<SendCall>): Promise<unknown> {
    const signal = AbortSignal.any([outer, closing.signal]);
    const { leave } = await gate.enter(asker, job, signal);
    try {
      signal.throwIfAborted();
      const limits = { limitMs: jobTimeoutMs, keepMs: idleMs };
      const slot = threads.take();
      const result = await threads
        .call(slot, limits, ({ thread }) => thread.call(job, args, moved), signal)
        .catch((cause: unknown) => {
          signal.throwIfAborted();
          // Only the code of an error comes back from a thread.
          throw threads.isAlive(slot) ? asServiceError(cause) : tooExpensive(cause);
        });
      leave();
      return result;
    } finally {
      leave('failed');
    }
  }

  return {
    workFor: (asker, signal) => remotePort<UnderstandThread>((...call) => run(asker, signal, call)),
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await threads.close();
    },
  };
}

const tooExpensive = (cause: unknown): ServiceError =>
  new ServiceError('SCRAPE_SITE_ERROR', {
    message: 'The page could not be processed: it needs too much time or memory.',
    cause,
  });
