// Time budgets as signals.

/** A signal that aborts with `reason()` after `ms`, or as soon as `outer` does. Call `done` when the work is over. */
export function deadline(ms: number, reason: () => Error, outer?: AbortSignal): { signal: AbortSignal; done(): void } {
  const timer = new AbortController();
  const id = setTimeout(() => timer.abort(reason()), ms);
  id.unref();
  return {
    signal: outer ? AbortSignal.any([outer, timer.signal]) : timer.signal,
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
