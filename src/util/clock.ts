// Time as a dependency: everything that expires, retries or retains uses a Clock, so tests do not have to wait. No other
// file reads the time of the machine, and no clock jumps while its process runs.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** For programs that run for a short time: the wall clock as it was when the process started, and the time since then. */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch((error) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
};

export const iso = (time: number): string => new Date(time).toISOString();
