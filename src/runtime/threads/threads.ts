// Worker threads of one kind: started on first use, ended when idle, one call at a time. A call that takes too long, or
// whose caller goes away, costs its thread.
import { onAbort } from '../../util/abort.ts';
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
  /**
   * How much processor time the call may take before its thread is ended. On a busy machine that is longer by the clock, up to
   * PATIENCE times. The start of the thread does not count.
   */
  limitMs: number;
  /** How long the thread is kept afterwards if nothing else comes. */
  keepMs: number;
}

export interface Threads<Port> {
  /** An idle thread, if possible one that is preferred, or a new one. */
  take(isPreferred?: (slot: ThreadSlot<Port>) => boolean): ThreadSlot<Port>;
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

const PATIENCE = 6;
/** A thread that is busy outside of JavaScript, or gets no time at all, does not say how much it has used. */
const SILENT_PATIENCE = 2;
const ANSWER_MS = 2_000;

/**
 * Calls `onOver` when the thread has used up its time: half of the limit by the clock, the other half in processor time. So
 * most calls end before anything is measured. Returns what stops the watch.
 */
function watchTime(thread: Thread, limitMs: number, onOver: (error: Error) => void): () => void {
  const halfMs = limitMs / 2;
  const startedAt = performance.now();
  let usedAtHalf: number | undefined;
  let isStopped = false;

  const look = async () => {
    const used = await cpuMsOf(thread);
    if (isStopped) return;
    const waited = performance.now() - startedAt;
    usedAtHalf ??= used;
    const left = used === undefined ? halfMs : halfMs - (used - (usedAtHalf ?? 0));
    const patience = used === undefined ? SILENT_PATIENCE : PATIENCE;
    if (left > limitMs / 50 && waited < patience * limitMs) timer = setTimeout(look, left);
    else onOver(new Error(`No answer within ${limitMs} ms of processor time.`));
  };
  let timer = setTimeout(look, halfMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Undefined if the thread does not say. */
async function cpuMsOf(thread: Thread): Promise<number | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), ANSWER_MS);
  try {
    return await Promise.race([thread.cpuMs(), silence.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
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
    take(isPreferred = () => false) {
      const preferred = idle.findLastIndex(isPreferred);
      if (preferred >= 0) idle.push(...idle.splice(preferred, 1));
      for (let slot = idle.pop(); slot; slot = idle.pop()) {
        clearTimeout(slot.idleTimer);
        // A thread may have crashed while it was idle.
        if (alive.has(slot.thread)) return slot;
      }
      return start();
    },
    async call(slot, { limitMs, keepMs }, work, signal) {
      using _end = onAbort(signal, () => void end(slot.thread, signal.reason));
      let stopWatch: (() => void) | undefined;
      try {
        signal.throwIfAborted();
        await slot.ready;
        stopWatch = watchTime(slot.thread, limitMs, (error) => void end(slot.thread, error));
        return await work(slot);
      } finally {
        stopWatch?.();
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
