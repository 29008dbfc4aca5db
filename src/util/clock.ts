// Time as a dependency: everything that expires, retries or retains reads a Clock, so tests need not wait.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
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
