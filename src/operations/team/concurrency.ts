// Limits how many requests a team runs at once. More wait, as long as they can still be served in time; the others are
// refused at once and told when to come back.
import { queueFull, ServiceError } from '../../contracts/errors.ts';
import type { Clock } from '../../util/clock.ts';
import { type Asker, createGate, type Gate, type GateSlot } from '../../util/gate/gate.ts';
import { createServiceTimes } from '../../util/gate/service-times.ts';
import { createRefusalPace } from './refusal-pace.ts';

export interface Concurrency {
  readonly max: number;
  /** `kind` names requests that take about as long. Throws QUEUE_FULL. */
  enter(asker: Asker, kind: string, signal: AbortSignal): Promise<GateSlot>;
  load(teamId: string): { active: number; waiting: number };
}

export function createConcurrency(max: number, clock: Clock): Concurrency {
  const gates = new Map<string, Gate>();
  // What one team's requests take, those of another will take, too.
  const times = createServiceTimes(clock);
  const refusals = createRefusalPace(clock);

  const gateOf = (teamId: string) => {
    const gate = gates.get(teamId) ?? createGate({ size: max, clock, times, refusal: queueFull });
    gates.set(teamId, gate);
    return gate;
  };

  return {
    max,
    load(teamId) {
      const { active, waiting } = gateOf(teamId);
      return { active, waiting };
    },
    async enter(asker, kind, signal) {
      try {
        return await gateOf(asker.team).enter(asker, kind, signal);
      } catch (error) {
        // If its time ends meanwhile, it was still refused, and not too slow.
        if (error instanceof ServiceError && error.code === 'QUEUE_FULL') await refusals.wait(signal).catch(() => {});
        throw error;
      }
    },
  };
}
