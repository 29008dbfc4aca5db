// The slots that pages of jobs run in. When a team has none left, one is waited for, and set aside until the next claim.

import type { Log } from '../runtime/log.ts';
import type { Clock } from '../util/clock.ts';
import type { PageSlot, TeamSlots } from './team-slots.ts';

export interface PageSlots {
  /** At most `wanted`. If there are none, `onFree` is called as soon as one is set aside. */
  take(teamId: string, wanted: number): Promise<PageSlot[]>;
  /** Begins a round of claims. At its end, the returned function gives back slots set aside before it that no job took. */
  beginRound(): () => void;
}

interface PageSlotsDeps {
  slots: TeamSlots;
  onFree(): void;
  closing: AbortSignal;
  clock: Pick<Clock, 'sleep'>;
  log: Pick<Log, 'error'>;
}

const AFTER_FAULT_MS = 1_000;

export function createPageSlots({ slots, onFree, closing, clock, log }: PageSlotsDeps): PageSlots {
  const setAside = new Map<string, PageSlot>();
  const waiting = new Set<string>();

  const waitFor = async (teamId: string): Promise<void> => {
    if (waiting.has(teamId)) return;
    waiting.add(teamId);
    try {
      setAside.set(teamId, await slots.wait(teamId, closing));
    } catch (error) {
      if (closing.aborted) return;
      log.error({ err: error }, 'waiting for a slot failed');
      await clock.sleep(AFTER_FAULT_MS, closing).catch(() => {});
    } finally {
      waiting.delete(teamId);
    }
    onFree();
  };

  return {
    async take(teamId, wanted) {
      const first = setAside.get(teamId);
      setAside.delete(teamId);
      const taken = first ? [first] : [];
      taken.push(...(await slots.take(teamId, wanted - taken.length)));
      if (taken.length === 0) waitFor(teamId);
      return taken;
    },
    beginRound() {
      const before = [...setAside];
      return () => {
        for (const [teamId, slot] of before) {
          if (setAside.get(teamId) !== slot) continue;
          setAside.delete(teamId);
          slot.leave('unused');
        }
      };
    },
  };
}
