// Time as a dependency: everything that expires, retries or retains uses a Clock, so tests do not have to wait.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch((error) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
};

export const iso = (time: number): string => new Date(time).toISOString();
