// Remembers the robots.txt of each origin for a while, within a memory budget, and fetches each file only once at a time.

import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

export interface CacheableRobots<T> {
  value: T;
  /** How long it stays valid. 0: only callers that asked at the same time share it. */
  keepMs: number;
  /** Approximate memory use. */
  bytes: number;
}

export interface RobotsCache<T> {
  /** The cached value, else what `load` returns. `load` receives the expired entry, if there is one. */
  of(origin: string, load: (expired?: CacheableRobots<T>) => Promise<CacheableRobots<T>>): Promise<T>;
}

export interface RobotsCacheLimits {
  origins: number;
  bytes: number;
}

interface Entry<T> {
  answer: Promise<T>;
  /** Set once `answer` has resolved. */
  settled?: CacheableRobots<T>;
  validUntil: number;
}

export function createRobotsCache<T>(clock: Pick<Clock, 'now'>, limits: RobotsCacheLimits): RobotsCache<T> {
  const entries = createBoundedMap<string, Entry<T>>({
    maxEntries: limits.origins,
    maxWeight: limits.bytes,
    // A file larger than the whole budget displaces all others, but is still cached.
    weightOf: ({ settled }) => Math.min(settled?.bytes ?? 0, limits.bytes),
  });

  const begin = (origin: string, load: () => Promise<CacheableRobots<T>>): Entry<T> => {
    const isCurrent = () => entries.peek(origin) === entry;
    const settle = async () => {
      try {
        const settled = await load();
        if (isCurrent()) {
          Object.assign(entry, { settled, validUntil: clock.now() + settled.keepMs });
          if (settled.keepMs > 0) entries.set(origin, entry);
          else entries.delete(origin);
        }
        return settled.value;
      } catch (error) {
        if (isCurrent()) entries.delete(origin);
        throw error;
      }
    };
    const entry: Entry<T> = { answer: settle(), validUntil: Number.POSITIVE_INFINITY };
    entries.set(origin, entry);
    return entry;
  };

  return {
    of(origin, load) {
      const known = entries.get(origin);
      const isValid = known !== undefined && clock.now() < known.validUntil;
      return (isValid ? known : begin(origin, () => load(known?.settled))).answer;
    },
  };
}
