// Worker threads of one kind: started on first use, ended when idle, one call at a time. A call that takes too long, or
// whose caller goes away, costs its thread.
import { onAbort } from './abort.ts';
import { type Remote, remotePort, startThread, type Thread } from './thread.ts';

/** What every such thread answers, besides its own calls. */
export interface Ready {
  /** Answers once the thread has loaded its code. */
  ready(): Promise<void>;
}

export interface ThreadSlot<Port> {
  readonly thread: Thread;
  readonly remote: Remote<Port>;
  /** Settles when the thread has loaded its code. */
  readonly ready: Promise<unknown>;
  idleTimer: NodeJS.Timeout | undefined;
}

export interface CallLimits {
  /** How long the call may take before its thread is ended. The start of the thread does not count. */
  limitMs: number;
  /** How long the thread is kept afterwards if nothing else comes. */
  keepMs: number;
}

export interface Threads<Port> {
  /** An idle thread, or a new one. */
  take(): ThreadSlot<Port>;
  /** One call, after which the thread is free again. */
  call<Result>(
    slot: ThreadSlot<Port>,
    limits: CallLimits,
    work: (slot: ThreadSlot<Port>) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  isAlive(slot: ThreadSlot<Port>): boolean;
  close(): Promise<void>;
}

export function createThreads<Port extends Ready>(entry: URL, { maxMemoryMb }: { maxMemoryMb: number }): Threads<Port> {
  const alive = new Set<Thread>();
  const idle: ThreadSlot<Port>[] = [];
  let closed = false;

  const start = (): ThreadSlot<Port> => {
    const thread = startThread(entry, {
      maxOldGenerationSizeMb: maxMemoryMb,
      onCrash: () => alive.delete(thread),
    });
    alive.add(thread);
    const remote = remotePort<Port>(thread.call);
    const ready = remotePort<Ready>(thread.call).ready();
    return { thread, remote, ready, idleTimer: undefined };
  };
  const end = (thread: Thread, reason?: Error) => {
    alive.delete(thread);
    return thread.terminate(reason);
  };
  const putBack = (slot: ThreadSlot<Port>, keepMs: number) => {
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
    async call(slot, { limitMs, keepMs }, work, signal) {
      using _end = onAbort(signal, () => void end(slot.thread, signal.reason));
      let timer: NodeJS.Timeout | undefined;
      try {
        signal.throwIfAborted();
        await slot.ready;
        timer = setTimeout(() => end(slot.thread, new Error(`No answer within ${limitMs} ms.`)), limitMs);
        return await work(slot);
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
