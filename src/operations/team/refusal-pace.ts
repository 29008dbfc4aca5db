// Spaces out refusals when there are many. Each one costs about a millisecond of the event loop, and a client that asks
// again at once would use up the processor time that the admitted requests need to finish.
import type { Clock } from '../../util/clock.ts';

export interface RefusalPace {
  /** Waits until the next refusal may be answered: not at all unless there were many lately. */
  wait(signal: AbortSignal): Promise<void>;
}

const EVERY_MS = 5;
/** So many are answered at once. */
const BURST = 50;
/** Longer waits would only hold connections open. */
const LONGEST_MS = 2_000;

export function createRefusalPace(clock: Clock): RefusalPace {
  let next = Number.NEGATIVE_INFINITY;
  return {
    async wait(signal) {
      const now = clock.now();
      next = Math.min(Math.max(next, now - BURST * EVERY_MS) + EVERY_MS, now + LONGEST_MS);
      if (next > now) await clock.sleep(next - now, signal);
    },
  };
}
