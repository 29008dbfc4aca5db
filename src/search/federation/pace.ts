// Spaces out the requests to a provider that tolerates only a few: at most one per interval, over all searches.
import type { Clock } from '../../util/clock.ts';

interface Pace {
  /** Waits for the next free turn. False, at once, if it would come later than `withinMs`. */
  takeTurn(withinMs: number): Promise<boolean>;
}

export function createPace(clock: Clock, everyMs: number): Pace {
  let next = 0;
  let waiting = 0;
  return {
    async takeTurn(withinMs) {
      const now = clock.now();
      // Never longer than the queue explains, in case the machine's clock is set back.
      const waitMs = Math.min(Math.max(0, next - now), everyMs * (waiting + 1));
      if (waitMs > withinMs) return false;
      next = now + waitMs + everyMs;
      if (waitMs === 0) return true;
      waiting += 1;
      try {
        await clock.sleep(waitMs);
      } finally {
        waiting -= 1;
      }
      return true;
    },
  };
}
