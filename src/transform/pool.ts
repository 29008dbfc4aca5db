// Runs the transform in worker threads, which are started on first use, ended when idle, and process one page at a time.
// A page that takes too much time or memory costs its thread, never the service.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../contracts/errors.ts';
import type { PageOutcome, TransformRequest } from '../contracts/page.ts';
import { onAbort } from '../util/abort.ts';
import { systemClock } from '../util/clock.ts';
import { type Asker, createGate, OWN_WORK } from '../util/gate/gate.ts';
import { Moved, type Remote, remotePort, startThread, type Thread } from '../util/thread.ts';
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

interface Call {
  method: 'transform' | 'rescue';
  request: TransformRequest;
  limitMs: number;
  /** How long the thread is kept afterwards if nothing else comes. */
  keepMs: number;
}

interface Slot {
  thread: Thread;
  remote: Remote<TransformThread>;
  /** Settles when the thread has loaded its code. */
  ready: Promise<unknown>;
  idleTimer: NodeJS.Timeout | undefined;
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
  const threads = createThreads(maxMemoryMb);
  const gate = createGate({ size: workers, spare: 1, clock: systemClock });
  const closing = new AbortController();

  const keepFor = ({ team }: Asker) => (team === OWN_WORK.team ? Math.min(OWN_IDLE_MS, idleMs) : idleMs);

  async function run(request: TransformRequest, keepMs: number, signal: AbortSignal): Promise<PageOutcome> {
    const slot = threads.take();
    try {
      const call: Call = { method: 'transform', request: copied(request), limitMs: taskTimeoutMs, keepMs };
      return requireSimple(await threads.call(slot, call, signal));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      signal.throwIfAborted();
      // The thread is alive, so the error is a bug of ours and must not be hidden by a rescue.
      if (threads.isAlive(slot)) throw new ServiceError('UNKNOWN_ERROR', { cause });
      return await runRescue(copied(request, RESCUE_BYTES), keepMs, signal, cause);
    }
  }

  async function runRescue(
    request: TransformRequest,
    keepMs: number,
    signal: AbortSignal,
    failure: unknown,
  ): Promise<PageOutcome> {
    // The beginning of a file is useless on its own.
    if (isFileItself(request)) throw tooExpensive(failure);
    try {
      const call: Call = { method: 'rescue', request, limitMs: RESCUE_MS, keepMs };
      return requireSimple(await threads.call(threads.take(), call, signal));
    } catch (cause) {
      signal.throwIfAborted();
      throw tooExpensive(cause);
    }
  }

  return {
    async transform(request, asker, outer) {
      const signal = AbortSignal.any([outer, closing.signal]);
      const { leave } = await gate.enter(asker, kindOfWork(request), signal);
      try {
        signal.throwIfAborted();
        const outcome = await run(request, keepFor(asker), signal);
        leave();
        return outcome;
      } finally {
        leave('failed');
      }
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await threads.close();
    },
  };
}

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

interface Threads {
  /** An idle thread, or a new one. */
  take(): Slot;
  /** One call with a time limit. The thread is ended if it exceeds the limit or the caller aborts. */
  call(slot: Slot, call: Call, signal: AbortSignal): Promise<PageOutcome | TooComplex>;
  isAlive(slot: Slot): boolean;
  close(): Promise<void>;
}

function createThreads(maxMemoryMb: number): Threads {
  const alive = new Set<Thread>();
  const idle: Slot[] = [];
  let closed = false;

  const start = (): Slot => {
    const thread = startThread(ENTRY, {
      maxOldGenerationSizeMb: maxMemoryMb,
      onCrash: () => alive.delete(thread),
    });
    alive.add(thread);
    const remote = remotePort<TransformThread>(thread.call);
    return { thread, remote, ready: remote.ready(), idleTimer: undefined };
  };
  const end = (thread: Thread, reason?: Error) => {
    alive.delete(thread);
    return thread.terminate(reason);
  };
  const putBack = (slot: Slot, keepMs: number) => {
    if (closed || !alive.has(slot.thread)) return;
    idle.push(slot);
    slot.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(slot), 1);
      end(slot.thread);
    }, keepMs).unref();
  };

  return {
    take() {
      for (let slot = idle.pop(); slot; slot = idle.pop()) {
        clearTimeout(slot.idleTimer);
        // A thread may have crashed while it was idle.
        if (alive.has(slot.thread)) return slot;
      }
      return start();
    },
    async call(slot, { method, request, limitMs, keepMs }, signal) {
      using _end = onAbort(signal, () => void end(slot.thread, signal.reason));
      let timer: NodeJS.Timeout | undefined;
      try {
        signal.throwIfAborted();
        // The limit does not include the start of the thread.
        await slot.ready;
        timer = setTimeout(() => end(slot.thread, new Error(`No answer within ${limitMs} ms.`)), limitMs);
        return await slot.remote[method](new Moved(request, [request.page.bytes.buffer as ArrayBuffer]));
      } finally {
        clearTimeout(timer);
        putBack(slot, keepMs);
      }
    },
    isAlive: (slot) => alive.has(slot.thread),
    async close() {
      closed = true;
      for (const slot of idle.splice(0)) clearTimeout(slot.idleTimer);
      await Promise.all([...alive].map((thread) => end(thread)));
    },
  };
}

/** Pages take about as long if they are about as large. Pages with selectors may take far longer. */
function kindOfWork({ page: { bytes }, options }: TransformRequest): string {
  const selectors = options.includeTags.length + options.excludeTags.length + (options.attributes?.length ?? 0);
  return `${selectors > 0 ? 'selected' : 'plain'} ${Math.floor(Math.log2(bytes.byteLength + 1))}`;
}

const isFileItself = ({ asBase64, options }: TransformRequest): boolean =>
  asBase64 === true || options.formats.includes('rawBase64');

/** The copy moves to the thread. The bytes themselves stay: they are stored, and the rescue needs their beginning. */
const copied = (request: TransformRequest, maxBytes?: number): TransformRequest => ({
  ...request,
  page: { ...request.page, bytes: new Uint8Array(request.page.bytes.subarray(0, maxBytes)) },
});
