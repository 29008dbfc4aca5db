// The thread of our own models, a piece of work at a time: it starts with the first and ends when idle. What runs in it is not
// interrupted: it is short, a new thread would have to load its models again, and a process that exits after a thread was ended
// within the native library aborts.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import { createThreadPool } from '../runtime/threads/thread-pool.ts';
import type { ThreadSlot } from '../runtime/threads/threads.ts';
import { raceAbort, raceTimeout } from '../util/abort.ts';
import type { EncoderName, EncoderThread } from './encoder-thread.ts';

export interface EncoderOptions {
  /** How long the idle thread is kept. */
  idleMs?: number;
  /** How long a piece of text or a question may take before the thread is ended, in addition to a time for its size. */
  pieceTimeoutMs?: number;
  entry?: URL;
}

/** A piece of work: for which model, how large, and how much more time than usual it may take. */
interface Piece {
  encoder: EncoderName;
  size: number;
  extraMs: number;
}

export interface EncoderTurns {
  /** Does the work when it is the asker's turn. Rejects at once when `outer` aborts. */
  inTurn<Result>(
    piece: Piece,
    work: (slot: ThreadSlot<EncoderThread>) => Promise<Result>,
    asker: Asker,
    outer: AbortSignal,
  ): Promise<Result>;
  close(): Promise<void>;
}

const ENTRY = new URL('./encoder-thread.ts', import.meta.url);
const MAX_MEMORY_MB = 512;
const LOAD_MS = 60_000;
/** Longer than what is under way usually takes. */
const CLOSE_MS = 10_000;
const NEVER = new AbortController().signal;

const noop = () => {};

export function createEncoderTurns(options: EncoderOptions): EncoderTurns {
  const { idleMs = 60_000, pieceTimeoutMs = 15_000, entry = ENTRY } = options;
  const pool = createThreadPool<EncoderThread>({
    entry,
    workers: 1,
    maxMemoryMb: MAX_MEMORY_MB,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  /** The threads that have loaded a model: loading is not part of the time of a call. */
  const loaded = { names: new WeakSet<object>(), reader: new WeakSet<object>(), sentences: new WeakSet<object>() };

  return {
    inTurn({ encoder, size, extraMs }, work, asker, outer) {
      const kind = `${encoder} 2^${Math.ceil(Math.log2(size + 1))}`;
      const running = pool.run({ asker, kind, signal: outer }, async (threads) => {
        if (isClosing) throw new ServiceError('SERVICE_UNAVAILABLE');
        let slot = threads.take();
        if (!loaded[encoder].has(slot)) {
          await threads.call(slot, { limitMs: LOAD_MS, keepMs: idleMs }, ({ remote }) => remote.load(encoder), NEVER);
          loaded[encoder].add(slot);
          slot = threads.take((each) => each === slot);
        }
        return threads.call(slot, { limitMs: pieceTimeoutMs + extraMs, keepMs: idleMs }, work, NEVER);
      });
      const ended = running.then(noop, noop).finally(() => underWay.delete(ended));
      underWay.add(ended);
      return raceAbort(running, outer);
    },
    async close() {
      isClosing = true;
      await raceTimeout(Promise.all(underWay), CLOSE_MS, noop);
      await pool.close();
    },
  };
}
