// Waiting with an end: time budgets as signals, and promises that are given up when a signal aborts or time runs out.
import { type Clock, systemClock } from './clock.ts';

export interface Budget {
  signal: AbortSignal;
  /** Stops the clock until the returned function is called; that returns how many whole milliseconds it stood still. */
  hold(): () => number;
  /** Call it when the work is over. */
  done(): void;
}

/** A signal that aborts with `reason()` after `ms`, or as soon as `outer` does. */
export function deadline(ms: number, reason: () => Error, outer?: AbortSignal): Budget {
  const timer = new AbortController();
  const start = (left: number) => setTimeout(() => timer.abort(reason()), left).unref();
  let ends = performance.now() + ms;
  let id = start(ms);
  return {
    signal: outer ? AbortSignal.any([outer, timer.signal]) : timer.signal,
    hold() {
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

/** Settles with the promise, or rejects with the signal's reason if it aborts first. The work itself is not interrupted. */
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

/** Settles with the promise, or after `ms` with what `onLate` returns or throws. The work itself is not interrupted. */
export async function raceTimeout<T, L>(
  promise: Promise<T>,
  ms: number,
  onLate: () => L,
  { clock = systemClock, signal }: RaceOptions = {},
): Promise<T | L> {
  const done = new AbortController();
  const late = clock.sleep(ms, signal ? AbortSignal.any([signal, done.signal]) : done.signal).then(onLate);
  // The loser of the race may still fail, when nobody listens any more.
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
