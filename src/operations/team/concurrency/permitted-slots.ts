// Slots of this process that may be used once there is a permit for them, because a team's limit holds over all processes.

import type { GateSlot } from '../../../runtime/gate/gate.ts';
import type { Clock } from '../../../util/clock.ts';
import type { GiveBack, LimitedTeam, PermitPool } from './permit-pool.ts';

export interface PermittedSlots {
  /** Waits for a permit. Gives the slot back if no permit comes in time. */
  one<Slot extends GateSlot>(slot: Slot, team: LimitedTeam, isUrgent: boolean, signal: AbortSignal): Promise<Slot>;
  /** Those for which there are permits now. The others are given back. */
  some<Slot extends GateSlot>(slots: readonly Slot[], team: LimitedTeam): Promise<Slot[]>;
  /** How many slots of requests wait for a permit. */
  missing(teamId: string): number;
}

export function createPermittedSlots(permits: PermitPool, clock: Pick<Clock, 'now'>): PermittedSlots {
  const missing = new Map<string, number>();
  const missingOf = (teamId: string): number => missing.get(teamId) ?? 0;
  const change = (teamId: string, by: number) => {
    const now = missingOf(teamId) + by;
    if (now === 0) missing.delete(teamId);
    else missing.set(teamId, now);
  };

  return {
    missing: missingOf,
    async one(slot, team, isUrgent, signal) {
      const since = clock.now();
      if (isUrgent) change(team.id, 1);
      try {
        const giveBack = await permits.acquire(team, isUrgent, signal);
        return withPermit(slot, giveBack, slot.waitedMs + clock.now() - since);
      } catch (error) {
        slot.leave('unused');
        throw error;
      } finally {
        if (isUrgent) change(team.id, -1);
      }
    },
    async some(slots, team) {
      let given: GiveBack[] = [];
      try {
        if (slots.length > 0) given = await permits.take(team, slots.length);
      } finally {
        for (const slot of slots.slice(given.length)) slot.leave('unused');
      }
      return given.map((giveBack, at) => withPermit(slots[at]!, giveBack, slots[at]!.waitedMs));
    },
  };
}

const withPermit = <Slot extends GateSlot>(slot: Slot, giveBack: GiveBack, waitedMs: number): Slot => ({
  ...slot,
  waitedMs,
  leave(outcome) {
    giveBack();
    slot.leave(outcome);
  },
});
