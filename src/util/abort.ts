// Time budgets as signals.

export interface Budget {
  signal: AbortSignal;
  /** Time stands still until the returned function is called, which tells for how many whole milliseconds it did. */
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

/** Settles with the promise, or rejects with the signal's reason if that comes first: work that cannot be interrupted is left behind. */
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
