// Spaces out the refusals of a team when there are many. Each one costs processor time of the event loop, and a client that
// asks again at once would use up what the admitted requests need to finish.
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

export interface RefusalPace {
  /** Waits until the next refusal of this team may be answered: not at all unless there were many lately. Never rejects. */
  wait(teamId: string, signal: AbortSignal): Promise<void>;
}

const EVERY_MS = 5;
/** So many are answered at once. */
const BURST = 50;
/** Longer waits would only hold connections open. */
const LONGEST_MS = 2_000;
const MAX_TEAMS = 1_000;

export function createRefusalPace(clock: Clock): RefusalPace {
  /** When the last refusal of each team is answered. */
  const last = createBoundedMap<string, number>({ maxEntries: MAX_TEAMS });
  return {
    async wait(teamId, signal) {
      const now = clock.now();
      const earliest = Math.max(last.get(teamId) ?? Number.NEGATIVE_INFINITY, now - BURST * EVERY_MS) + EVERY_MS;
      const next = Math.min(earliest, now + LONGEST_MS);
      last.set(teamId, next);
      // If its time ends meanwhile, it was still refused, and not too slow.
      if (next > now) await clock.sleep(next - now, signal).catch(() => {});
    },
  };
}
