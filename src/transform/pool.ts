// Runs the transform in worker threads, which are started on first use, ended when idle, and process one page at a time.
// A page that takes too much time or memory costs its thread, never the service.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../contracts/errors.ts';
import type { PageOutcome, TransformRequest } from '../contracts/page.ts';
import { copyBytes } from '../util/copy-bytes.ts';
import { type Asker, OWN_WORK } from '../util/gate/gate.ts';
import { Moved } from '../util/thread.ts';
import { createThreadPool } from '../util/thread-pool.ts';
import type { ThreadSlot, Threads } from '../util/threads.ts';
import type { TooComplex, TransformThread } from './transform-thread.ts';
import type { Transformer } from './transformer.ts';

export interface TransformPoolOptions {
  workers?: number;
  /** How long a page may take before its thread is ended. */
  taskTimeoutMs?: number;
  /** How long an idle thread is kept. */
  idleMs?: number;
  maxMemoryMb?: number;
}

// How much of a page the rescue reads.
const RESCUE_BYTES = 1_000_000;
// The rescue is bounded by its input; this limit is only a safety net.
const RESCUE_MS = 5_000;
// Nobody waits for the service's own work, which is the manual. Its chapters come one after the other.
const OWN_IDLE_MS = 500;
const ENTRY = new URL('./transform-thread.ts', import.meta.url);

export function createTransformPool(options: TransformPoolOptions = {}): Transformer {
  const { workers = availableParallelism(), taskTimeoutMs = 20_000, idleMs = 30_000, maxMemoryMb = 512 } = options;
  const pool = createThreadPool<TransformThread>({
    entry: ENTRY,
    workers,
    spare: 1,
    maxMemoryMb,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });

  const keepFor = ({ team }: Asker) => (team === OWN_WORK.team ? Math.min(OWN_IDLE_MS, idleMs) : idleMs);

  async function run(
    threads: Threads<TransformThread>,
    request: TransformRequest,
    keepMs: number,
    signal: AbortSignal,
  ): Promise<PageOutcome> {
    const slot = threads.take();
    try {
      const limits = { limitMs: taskTimeoutMs, keepMs };
      return requireSimple(await threads.call(slot, limits, transformed(await copied(request)), signal));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      signal.throwIfAborted();
      // The thread is alive, so the error is a bug of ours and must not be hidden by a rescue.
      if (threads.isAlive(slot)) throw new ServiceError('UNKNOWN_ERROR', { cause });
      return await runRescue(threads, await copied(request, RESCUE_BYTES), keepMs, signal, cause);
    }
  }

  async function runRescue(
    threads: Threads<TransformThread>,
    request: TransformRequest,
    keepMs: number,
    signal: AbortSignal,
    failure: unknown,
  ): Promise<PageOutcome> {
    // The beginning of a file is useless on its own.
    if (isFileItself(request)) throw tooExpensive(failure);
    try {
      const limits = { limitMs: RESCUE_MS, keepMs };
      const rescued = ({ remote }: ThreadSlot<TransformThread>) => remote.rescue(moved(request));
      return await threads.call(threads.take(), limits, rescued, signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw tooExpensive(cause);
    }
  }

  return {
    transform: (request, asker, outer) =>
      pool.run({ asker, kind: kindOfWork(request), signal: outer }, (threads, signal) =>
        run(threads, request, keepFor(asker), signal),
      ),
    close: pool.close,
  };
}

const transformed =
  (request: TransformRequest) =>
  ({ remote }: ThreadSlot<TransformThread>): Promise<PageOutcome | TooComplex> =>
    remote.transform(moved(request));

const moved = (request: TransformRequest) => new Moved(request, [request.page.bytes.buffer as ArrayBuffer]);

function requireSimple(outcome: PageOutcome | TooComplex): PageOutcome {
  if (!('tooComplex' in outcome)) return outcome;
  throw new ServiceError('SCRAPE_SELECTOR_TOO_COMPLEX', {
    message: `The selector ${outcome.tooComplex} Use tags, classes and ids, or fewer and shorter selectors.`,
  });
}

const tooExpensive = (cause: unknown): ServiceError =>
  new ServiceError('SCRAPE_SITE_ERROR', {
    message:
      'The page could not be processed: it needs too much time or memory. Request the format `rawBase64` to get it as it is.',
    cause,
  });

/** Pages take about as long if they are about as large. Pages with selectors may take far longer. */
function kindOfWork({ page: { bytes }, options }: TransformRequest): string {
  const selectors = options.includeTags.length + options.excludeTags.length + (options.attributes?.length ?? 0);
  return `${selectors > 0 ? 'selected' : 'plain'} ${Math.floor(Math.log2(bytes.byteLength + 1))}`;
}

const isFileItself = ({ asBase64, options }: TransformRequest): boolean =>
  asBase64 === true || options.formats.includes('rawBase64');

/** The copy moves to the thread. The bytes themselves stay: they are stored, and the rescue needs their beginning. */
const copied = async (request: TransformRequest, maxBytes?: number): Promise<TransformRequest> => ({
  ...request,
  page: { ...request.page, bytes: await copyBytes(request.page.bytes.subarray(0, maxBytes)) },
});
