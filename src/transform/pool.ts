// The transform in worker threads: started on first use, ended when idle, one page a thread at a time.
// A page that takes too long or too much memory costs its thread, never the service.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../contracts/errors.ts';
import type { PageOutcome, TransformRequest } from '../contracts/page.ts';
import { onAbort } from '../util/abort.ts';
import { Moved, type Remote, remotePort, startThread, type Thread } from '../util/thread.ts';
import type { Transformer } from './transformer.ts';
import type { TransformThread } from './worker.ts';

export interface TransformPoolOptions {
  workers?: number;
  /** How long one page may take before it is cut off. */
  taskTimeoutMs?: number;
  /** How long a thread without work is kept. */
  idleMs?: number;
  maxMemoryMb?: number;
}

interface Task {
  request: TransformRequest;
  signal: AbortSignal;
  answer: PromiseWithResolvers<PageOutcome>;
}

interface Call {
  method: 'transform' | 'rescue';
  request: TransformRequest;
  limitMs: number;
}

interface Slot {
  thread: Thread;
  remote: Remote<TransformThread>;
  /** Settled once the thread has loaded its code. */
  ready: Promise<unknown>;
  idle: NodeJS.Timeout | undefined;
}

// How much of a page is kept for the cheap way.
const RESCUE_BYTES = 1_000_000;
// The cheap way is bounded by its input; this only guards against what nobody thought of.
const RESCUE_MS = 5_000;
// A page's garbage dies young: a small nursery is swept often, cheaply, and keeps a thread under 150 MB.
const YOUNG_MB = 16;
const ENTRY = new URL('./worker.ts', import.meta.url);

export function createTransformPool(options: TransformPoolOptions = {}): Transformer {
  const { workers = availableParallelism(), taskTimeoutMs = 20_000, idleMs = 30_000, maxMemoryMb = 512 } = options;
  const queue: Task[] = [];
  const free: Slot[] = [];
  const threads = new Set<Thread>();
  let running = 0;
  let closed = false;

  const start = (): Slot => {
    const thread = startThread(ENTRY, {
      maxOldGenerationSizeMb: maxMemoryMb,
      maxYoungGenerationSizeMb: YOUNG_MB,
      onCrash: () => threads.delete(thread),
    });
    threads.add(thread);
    const remote = remotePort<TransformThread>(thread.call);
    return { thread, remote, ready: remote.ready(), idle: undefined };
  };
  const end = (thread: Thread, reason?: Error) => {
    threads.delete(thread);
    return thread.terminate(reason);
  };
  const rest = (slot: Slot) => {
    if (closed || !threads.has(slot.thread)) return;
    free.push(slot);
    slot.idle = setTimeout(() => {
      free.splice(free.indexOf(slot), 1);
      end(slot.thread);
    }, idleMs).unref();
  };
  const take = (): Slot => {
    // A thread may have crashed while it rested.
    for (let slot = free.pop(); slot; slot = free.pop()) {
      clearTimeout(slot.idle);
      if (threads.has(slot.thread)) return slot;
    }
    return start();
  };

  /** One call with a time limit; the thread does not survive when the limit or the caller ends it. */
  async function attempt(slot: Slot, { method, request, limitMs }: Call, signal: AbortSignal): Promise<PageOutcome> {
    using _end = onAbort(signal, () => void end(slot.thread, signal.reason));
    let timer: NodeJS.Timeout | undefined;
    try {
      signal.throwIfAborted();
      // The limit is for the page, not for the start of the thread.
      await slot.ready;
      timer = setTimeout(() => end(slot.thread, new Error(`No answer within ${limitMs} ms.`)), limitMs);
      return await slot.remote[method](new Moved(request, [request.page.bytes.buffer as ArrayBuffer]));
    } finally {
      clearTimeout(timer);
      rest(slot);
    }
  }

  async function run({ request, signal, answer }: Task): Promise<void> {
    // Made before the bytes move away.
    const rescue = withBytes(request, new Uint8Array(request.page.bytes.subarray(0, RESCUE_BYTES)));
    const slot = take();
    try {
      const call: Call = { method: 'transform', request: transferable(request), limitMs: taskTimeoutMs };
      answer.resolve(await attempt(slot, call, signal));
    } catch (cause) {
      if (signal.aborted) answer.reject(signal.reason);
      else if (closed) answer.reject(new ServiceError('SERVICE_UNAVAILABLE'));
      // A thread that is still there threw an error of its own: that is a fault of ours, and must not look like a result.
      else if (threads.has(slot.thread)) answer.reject(new ServiceError('UNKNOWN_ERROR', { cause }));
      else await runRescue(rescue, signal).then(answer.resolve, answer.reject);
    }
  }

  async function runRescue(request: TransformRequest, signal: AbortSignal): Promise<PageOutcome> {
    try {
      // The beginning of a file is no file.
      if (isFileItself(request)) throw new Error('There is no cheaper way to give a file as it is.');
      return await attempt(take(), { method: 'rescue', request, limitMs: RESCUE_MS }, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const message = 'The page could not be processed: it needs too much time or memory.';
      throw new ServiceError('SCRAPE_SITE_ERROR', { message, cause });
    }
  }

  function pump(): void {
    while (running < workers && queue.length > 0) {
      running += 1;
      run(queue.shift()!).finally(() => {
        running -= 1;
        pump();
      });
    }
  }

  return {
    transform(request, signal) {
      if (closed) return Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
      if (signal.aborted) return Promise.reject(signal.reason);
      const task: Task = { request, signal, answer: Promise.withResolvers() };
      const leaveQueue = () => {
        const at = queue.indexOf(task);
        if (at === -1) return;
        queue.splice(at, 1);
        task.answer.reject(signal.reason);
      };
      signal.addEventListener('abort', leaveQueue, { once: true });
      queue.push(task);
      pump();
      return task.answer.promise.finally(() => signal.removeEventListener('abort', leaveQueue));
    },
    async close() {
      closed = true;
      for (const task of queue.splice(0)) task.answer.reject(new ServiceError('SERVICE_UNAVAILABLE'));
      for (const slot of free.splice(0)) clearTimeout(slot.idle);
      await Promise.all([...threads].map((thread) => end(thread)));
    },
  };
}

const isFileItself = ({ asBase64, options }: TransformRequest): boolean =>
  asBase64 === true || options.formats.includes('rawBase64');

const withBytes = (request: TransformRequest, bytes: Uint8Array): TransformRequest => ({
  ...request,
  page: { ...request.page, bytes },
});

/** Bytes that own their whole buffer move to the thread; a view of a larger one (Node pools them) is copied first. */
function transferable(request: TransformRequest): TransformRequest {
  const { bytes } = request.page;
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return withBytes(request, whole ? bytes : new Uint8Array(bytes));
}
