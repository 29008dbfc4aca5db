// Waiting with a limit: deadlines as signals, and promises that race against a signal or a timeout.
import { type Clock, systemClock } from './clock.ts';

export interface Deadline {
  signal: AbortSignal;
  /** Pauses the deadline. Call the returned function to resume; it returns the pause in whole milliseconds. */
  pause(): () => number;
  /** Call this when the work is finished. */
  done(): void;
}

/** A signal that aborts with `reason()` after `ms`, or as soon as `outer` does. */
export function startDeadline(ms: number, reason: () => Error, outer?: AbortSignal): Deadline {
  const timer = new AbortController();
  const start = (left: number) => setTimeout(() => timer.abort(reason()), left).unref();
  let ends = performance.now() + ms;
  let id = start(ms);
  return {
    signal: outer ? AbortSignal.any([outer, timer.signal]) : timer.signal,
    pause() {
      const began = performance.now();
      clearTimeout(id);
      return () => {
        const held = performance.now() - began;
        ends += held;
        id = start(Math.max(0, ends - performance.now()));
        return Math.round(held);
      };
    },
    done: () => clearTimeout(id),
  };
}

/** Settles with the promise, or rejects with the signal's reason if it aborts first. The work itself goes on. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

interface RaceOptions {
  clock?: Clock;
  signal?: AbortSignal;
}

/** Settles with the promise, or after `ms` with what `onLate` returns or throws. The work itself goes on. */
export async function raceTimeout<T, L>(
  promise: Promise<T>,
  ms: number,
  onLate: () => L,
  { clock = systemClock, signal }: RaceOptions = {},
): Promise<T | L> {
  const done = new AbortController();
  const late = clock.sleep(ms, signal ? AbortSignal.any([signal, done.signal]) : done.signal).then(onLate);
  // The loser of the race may still reject after nobody listens.
  promise.catch(() => {});
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}

/** Calls `listener` when the signal aborts, for as long as the result is in scope: `using _ = onAbort(...)`. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}
