// How long work of each kind takes, as moving averages. Kinds that were not seen for a while are forgotten.
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

export interface ServiceTimes {
  /** The time that most work of this kind stays below. Undefined if none was seen lately. */
  expected(kind: string): number | undefined;
  /** The mean over all kinds. */
  mean(): number | undefined;
  record(kind: string, ms: number): void;
}

interface Average {
  mean: number;
  /** Mean distance from the mean. */
  deviation: number;
}

const MAX_KINDS = 10_000;
const REMEMBERED_MS = 600_000;
const LONGEST_MS = 3_600_000;
/** Weight of the latest time. */
const SMOOTHING = 0.2;

export function createServiceTimes(clock: Pick<Clock, 'now'>): ServiceTimes {
  const kinds = createBoundedMap<string, Average>({ maxEntries: MAX_KINDS, ttlMs: REMEMBERED_MS, clock });
  let all: Average | undefined;
  return {
    expected(kind) {
      const average = kinds.peek(kind);
      return average && average.mean + average.deviation;
    },
    mean: () => all?.mean,
    record(kind, ms) {
      // The clock was set meanwhile.
      if (ms < 0 || ms > LONGEST_MS) return;
      kinds.set(kind, smooth(kinds.peek(kind), ms));
      all = smooth(all, ms);
    },
  };
}

function smooth(average: Average | undefined, ms: number): Average {
  if (!average) return { mean: ms, deviation: 0 };
  const { mean, deviation } = average;
  return {
    mean: mean + SMOOTHING * (ms - mean),
    deviation: deviation + SMOOTHING * (Math.abs(ms - mean) - deviation),
  };
}
