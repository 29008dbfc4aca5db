// What is known of each site's robots.txt: one question at a time for each origin, its answer kept for a while, the memory bounded.
import type { Clock } from '../../util/clock.ts';

export interface Answer<T> {
  value: T;
  /** How long it holds. 0: only for those who asked together. */
  keepMs: number;
  /** Roughly what it takes to keep it. */
  bytes: number;
}

export interface RobotsCache<T> {
  /** What is known, else what `ask` finds out. It gets the last answer, which no longer holds, if there was one. */
  of(origin: string, ask: (last?: Answer<T>) => Promise<Answer<T>>): Promise<T>;
}

export interface RobotsCacheLimits {
  origins: number;
  bytes: number;
}

interface Entry<T> {
  answer: Promise<T>;
  /** Once it is there. */
  settled?: Answer<T>;
  until: number;
}

export function createRobotsCache<T>(clock: Pick<Clock, 'now'>, limits: RobotsCacheLimits): RobotsCache<T> {
  // In order of last use.
  const entries = new Map<string, Entry<T>>();
  let bytes = 0;

  const drop = (origin: string) => {
    bytes -= entries.get(origin)?.settled?.bytes ?? 0;
    entries.delete(origin);
  };

  const put = (origin: string, entry: Entry<T>) => {
    drop(origin);
    entries.set(origin, entry);
    bytes += entry.settled?.bytes ?? 0;
    for (const oldest of entries.keys()) {
      if (oldest === origin || (entries.size <= limits.origins && bytes <= limits.bytes)) break;
      drop(oldest);
    }
  };

  const begin = (origin: string, ask: () => Promise<Answer<T>>): Entry<T> => {
    const isCurrent = () => entries.get(origin) === entry;
    const settle = async () => {
      try {
        const settled = await ask();
        if (isCurrent()) {
          drop(origin);
          const until = clock.now() + settled.keepMs;
          if (settled.keepMs > 0) put(origin, Object.assign(entry, { settled, until }));
        }
        return settled.value;
      } catch (error) {
        if (isCurrent()) drop(origin);
        throw error;
      }
    };
    const entry: Entry<T> = { answer: settle(), until: Number.POSITIVE_INFINITY };
    return entry;
  };

  return {
    of(origin, ask) {
      const known = entries.get(origin);
      const entry = known && clock.now() < known.until ? known : begin(origin, () => ask(known?.settled));
      put(origin, entry);
      return entry.answer;
    },
  };
}
