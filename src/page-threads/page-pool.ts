// Runs the transform and the jobs of understanding in worker threads, which are started on first use, ended when idle, and
// process one page at a time. A page that takes too much time or memory costs its thread, never the service.
import { availableParallelism } from 'node:os';
import { asServiceError, ServiceError } from '../contracts/errors/errors.ts';
import type { TransformRequest, TransformResult } from '../page/page.ts';
import type { PageText } from '../page/understanding.ts';
import { type Asker, OWN_WORK } from '../runtime/gate/gate.ts';
import { Moved, remotePort, type SendCall } from '../runtime/threads/thread.ts';
import { createThreadPool } from '../runtime/threads/thread-pool.ts';
import type { ThreadSlot, Threads } from '../runtime/threads/threads.ts';
import type { TooComplex } from '../transform/transform-work.ts';
import type { Transformer } from '../transform/transformer.ts';
import type { UnderstandPool, UnderstandWork } from '../understand/understand-work.ts';
import { copyBytes } from '../util/bytes/copy-bytes.ts';
import type { PageThread } from './page-thread.ts';

export interface PagePoolOptions {
  workers?: number;
  /** How long the transform of a page may take before its thread is ended. */
  transformTimeoutMs?: number;
  /** The same for a job of understanding. */
  jobTimeoutMs?: number;
  /** How long an idle thread is kept. */
  idleMs?: number;
  maxMemoryMb?: number;
  /** What the threads run. */
  entry?: URL;
}

export interface PagePool extends Transformer, UnderstandPool {}

// How much of a page the rescue reads.
const RESCUE_BYTES = 1_000_000;
// The rescue is bounded by its input; this limit is only a safety net.
const RESCUE_MS = 5_000;
// Nobody waits for the service's own work, which is the manual. Its chapters come one after the other.
const OWN_IDLE_MS = 500;
const ENTRY = new URL('./page-thread.ts', import.meta.url);

export function createPagePool(options: PagePoolOptions = {}): PagePool {
  const { workers = availableParallelism(), idleMs = 30_000, maxMemoryMb = 512, entry = ENTRY } = options;
  const { transformTimeoutMs = 20_000, jobTimeoutMs = 10_000 } = options;
  const pool = createThreadPool<PageThread>({
    entry,
    workers,
    spare: 1,
    maxMemoryMb,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });
  /** The page that a thread has transformed last, if it has kept its tree. */
  const parsed = new WeakMap<ThreadSlot<PageThread>, string | undefined>();

  const keepFor = ({ team }: Asker) => (team === OWN_WORK.team ? Math.min(OWN_IDLE_MS, idleMs) : idleMs);

  async function transform(
    threads: Threads<PageThread>,
    request: TransformRequest,
    keepMs: number,
    signal: AbortSignal,
  ): Promise<TransformResult> {
    const slot = threads.take();
    try {
      const limits = { limitMs: transformTimeoutMs, keepMs };
      const outcome = requireSimple(await threads.call(slot, limits, transformed(await copied(request)), signal));
      parsed.set(slot, nameOf(outcome.source));
      return outcome;
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      signal.throwIfAborted();
      // The thread is alive, so the error is a bug of ours and must not be hidden by a rescue.
      if (threads.isAlive(slot)) throw new ServiceError('UNKNOWN_ERROR', { cause });
      return await rescue(threads, await copied(request, RESCUE_BYTES), keepMs, signal, cause);
    }
  }

  async function rescue(
    threads: Threads<PageThread>,
    request: TransformRequest,
    keepMs: number,
    signal: AbortSignal,
    failure: unknown,
  ): Promise<TransformResult> {
    // The beginning of a file is useless on its own.
    if (isFileItself(request)) throw tooExpensive(failure, ASK_FOR_FILE);
    try {
      const limits = { limitMs: RESCUE_MS, keepMs };
      const rescued = ({ remote }: ThreadSlot<PageThread>) => remote.rescue(moved(request));
      return await threads.call(threads.take(), limits, rescued, signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw tooExpensive(cause, ASK_FOR_FILE);
    }
  }

  const doJob = (asker: Asker, outer: AbortSignal, [job, args, transfer]: Parameters<SendCall>): Promise<unknown> =>
    pool.run({ asker, kind: job, signal: outer }, async (threads, signal) => {
      const slot = threads.take(hasTreeOf(args));
      try {
        const limits = { limitMs: jobTimeoutMs, keepMs: keepFor(asker) };
        return await threads.call(slot, limits, ({ thread }) => thread.call(job, args, transfer), signal);
      } catch (cause) {
        signal.throwIfAborted();
        // Only the code of an error comes back from a thread.
        throw threads.isAlive(slot) ? asServiceError(cause) : tooExpensive(cause);
      }
    });

  /** A job for a page prefers the thread that has its tree. If that one is busy, another parses the page again. */
  function hasTreeOf(args: readonly unknown[]): (slot: ThreadSlot<PageThread>) => boolean {
    const name = args.map(nameOf).find((each) => each !== undefined);
    return (slot) => name !== undefined && parsed.get(slot) === name;
  }

  return {
    transform: (request, asker, outer) =>
      pool.run({ asker, kind: kindOfWork(request), signal: outer }, (threads, signal) =>
        transform(threads, request, keepFor(asker), signal),
      ),
    workFor: (asker, signal) => remotePort<UnderstandWork>((...call) => doJob(asker, signal, call)),
    close: pool.close,
  };
}

/** Precise enough to find the right thread, which compares the texts itself. Undefined for values without a page's HTML. */
function nameOf(value: unknown): string | undefined {
  const { url, html } = (value ?? {}) as Partial<PageText>;
  return typeof url === 'string' && typeof html === 'string' ? `${html.length} ${url}` : undefined;
}

const transformed =
  (request: TransformRequest) =>
  ({ remote }: ThreadSlot<PageThread>): Promise<TransformResult | TooComplex> =>
    remote.transform(moved(request));

const moved = (request: TransformRequest) => new Moved(request, [request.page.bytes.buffer as ArrayBuffer]);

function requireSimple(outcome: TransformResult | TooComplex): TransformResult {
  if (!('tooComplex' in outcome)) return outcome;
  throw new ServiceError('SCRAPE_SELECTOR_TOO_COMPLEX', {
    message: `The selector ${outcome.tooComplex} Use tags, classes and ids, or fewer and shorter selectors.`,
  });
}

const ASK_FOR_FILE = 'Request the format `rawBase64` to get it as it is.';

function tooExpensive(cause: unknown, advice?: string): ServiceError {
  const problem = 'The page could not be processed: it needs too much time or memory.';
  const message = advice === undefined ? problem : `${problem} ${advice}`;
  return new ServiceError('SCRAPE_SITE_ERROR', { message, cause });
}

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
