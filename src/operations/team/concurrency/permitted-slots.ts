// Slots of this process that may be used once there is a permit for them, because a team's limit holds over all processes.

import type { GateSlot } from '../../../runtime/gate/gate.ts';
import type { Clock } from '../../../util/clock.ts';
import type { GiveBack, LimitedTeam, PermitPool } from './permit-pool.ts';

export interface PermittedSlots {
  /** Waits for a permit. Gives the slot back if no permit comes in time. */
  one(slot: GateSlot, team: LimitedTeam, isUrgent: boolean, signal: AbortSignal): Promise<GateSlot>;
  /** Those for which there are permits now. The others are given back. */
  some(slots: readonly GateSlot[], team: LimitedTeam): Promise<GateSlot[]>;
  /** How many slots of the team wait for a permit. */
  missing(teamId: string): MissingPermits;
}

interface MissingPermits {
  requests: number;
  pages: number;
}

export function createPermittedSlots(permits: PermitPool, clock: Pick<Clock, 'now'>): PermittedSlots {
  const missing = new Map<string, MissingPermits>();
  const missingOf = (teamId: string): MissingPermits => missing.get(teamId) ?? { requests: 0, pages: 0 };
  const change = (teamId: string, kind: keyof MissingPermits, by: number) => {
    const known = missingOf(teamId);
    known[kind] += by;
    if (known.requests + known.pages === 0) missing.delete(teamId);
    else missing.set(teamId, known);
  };

  return {
    missing: missingOf,
    async one(slot, team, isUrgent, signal) {
      const since = clock.now();
      const kind = isUrgent ? 'requests' : 'pages';
      change(team.id, kind, 1);
      try {
        const giveBack = await permits.acquire(team, isUrgent, signal);
        return withPermit(slot, giveBack, slot.waitedMs + clock.now() - since);
      } catch (error) {
        slot.leave('unused');
        throw error;
      } finally {
        change(team.id, kind, -1);
      }
    },
    async some(slots, team) {
      let given: GiveBack[] = [];
      change(team.id, 'pages', slots.length);
      try {
        if (slots.length > 0) given = await permits.take(team, slots.length);
      } finally {
        for (const slot of slots.slice(given.length)) slot.leave('unused');
        change(team.id, 'pages', -slots.length);
      }
      return given.map((giveBack, at) => withPermit(slots[at]!, giveBack, slots[at]!.waitedMs));
    },
  };
}

const withPermit = (slot: GateSlot, giveBack: GiveBack, waitedMs: number): GateSlot => ({
  waitedMs,
  leave(outcome) {
    giveBack();
    slot.leave(outcome);
  },
});
