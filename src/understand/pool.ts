// Runs the jobs of understanding in worker threads. A page that takes too much time or memory costs its thread, and the
// format that it was for.
import { availableParallelism } from 'node:os';
import { asServiceError, ServiceError } from '../contracts/errors.ts';
import type { Asker } from '../util/gate/gate.ts';
import { remotePort, type SendCall } from '../util/thread.ts';
import { createThreadPool } from '../util/thread-pool.ts';
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
  const limits = { limitMs: jobTimeoutMs, keepMs: idleMs };
  const pool = createThreadPool<UnderstandThread>({
    entry: ENTRY,
    workers,
    spare: 1,
    maxMemoryMb,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });

  const run = (asker: Asker, outer: AbortSignal, [job, ...call]: Parameters<SendCall>): Promise<unknown> =>
    pool.run({ asker, kind: job, signal: outer }, async (threads, signal) => {
      const slot = threads.take();
      try {
        return await threads.call(slot, limits, ({ thread }) => thread.call(job, ...call), signal);
      } catch (cause) {
        signal.throwIfAborted();
        // Only the code of an error comes back from a thread.
        throw threads.isAlive(slot) ? asServiceError(cause) : tooExpensive(cause);
      }
    });

  return {
    workFor: (asker, signal) => remotePort<UnderstandThread>((...call) => run(asker, signal, call)),
    close: pool.close,
  };
}

const tooExpensive = (cause: unknown): ServiceError =>
  new ServiceError('SCRAPE_SITE_ERROR', {
    message: 'The page could not be processed: it needs too much time or memory.',
    cause,
  });
