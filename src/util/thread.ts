// Calls into a worker thread: one request message, one answer message, matched by number.
import { parentPort, Worker } from 'node:worker_threads';

export interface Thread {
  call<T>(method: string, args: unknown[], transfer?: readonly Transferable[]): Promise<T>;
  /** Number of calls that have not been answered. */
  readonly pending: number;
  /** Ends the thread; calls that are still open reject with `reason`. */
  terminate(reason?: Error): Promise<void>;
}

type Transferable = ArrayBuffer;
type Handlers = Record<string, (...args: never[]) => unknown>;
interface Call {
  id: number;
  method: string;
  args: never[];
}
interface Answer {
  id: number;
  value?: unknown;
  error?: unknown;
}

export interface ThreadOptions {
  workerData?: unknown;
  maxOldGenerationSizeMb?: number;
  maxYoungGenerationSizeMb?: number;
  stackSizeMb?: number;
  /** Called once when the thread ends for any other reason than `terminate`. */
  onCrash?: (error: Error) => void;
}

export function startThread(entry: URL, options: ThreadOptions = {}): Thread {
  const worker = new Worker(entry, {
    workerData: options.workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: options.maxOldGenerationSizeMb,
      maxYoungGenerationSizeMb: options.maxYoungGenerationSizeMb,
      stackSizeMb: options.stackSizeMb,
    },
  });
  const open = new Map<number, PromiseWithResolvers<never>>();
  let next = 1;
  let ended: Error | undefined;

  const endWith = (error: Error) => {
    if (ended) return;
    ended = error;
    for (const call of open.values()) call.reject(error);
    open.clear();
    if (open.size === 0) worker.unref();
  };

  worker.on('message', ({ id, value, error }: Answer) => {
    const call = open.get(id);
    if (!call) return;
    open.delete(id);
    if (open.size === 0) worker.unref();
    if (error !== undefined) call.reject(error);
    else call.resolve(value as never);
  });
  const crash = (error: Error) => {
    if (ended) return;
    endWith(error);
    options.onCrash?.(error);
  };
  worker.on('error', (error) => crash(error as Error));
  worker.on('exit', (code) => crash(new Error(`The worker thread ended with code ${code}.`)));
  // An idle thread must not keep the process alive; an open call must.
  worker.unref();

  return {
    get pending() {
      return open.size;
    },
    call<T>(method: string, args: unknown[], transfer: readonly Transferable[] = []) {
      if (ended) return Promise.reject(ended);
      const id = next++;
      const answer = Promise.withResolvers<never>();
      worker.postMessage({ id, method, args }, [...transfer]);
      if (open.size === 0) worker.ref();
      open.set(id, answer);
      return answer.promise as Promise<T>;
    },
    async terminate(reason = new Error('The worker thread was ended.')) {
      endWith(reason);
      await worker.terminate();
    },
  };
}

/** What a handler returns to give buffers of its answer away instead of having them copied. */
export class Moved {
  readonly value: unknown;
  readonly buffers: readonly Transferable[];

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** The other side: answers each call with what the handler of that name returns or throws. */
export function serveThread(handlers: Handlers): void {
  const port = parentPort;
  if (!port) throw new Error('serveThread runs only inside a worker thread.');
  port.on('message', async ({ id, method, args }: Call) => {
    try {
      const handler = handlers[method];
      if (!handler) throw new Error(`The worker thread has no method ${method}.`);
      const value = await handler(...args);
      if (value instanceof Moved) port.postMessage({ id, value: value.value } satisfies Answer, [...value.buffers]);
      else port.postMessage({ id, value } satisfies Answer);
    } catch (error) {
      port.postMessage({ id, error } satisfies Answer);
    }
  });
}
