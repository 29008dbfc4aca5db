// Limits how many scrapes a team runs at once. More wait in a queue; the request fails if it waits too long or the queue is full.
import { ServiceError } from '../../contracts/errors.ts';
import { deadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { createGate, type Gate } from '../../util/gate.ts';

// Share of the timeout that may be spent waiting for a slot; the rest is for the work itself.
const WAITING_SHARE = 2 / 3;
const MAX_WAITING = 2_000;
const RETRY_AFTER_SECONDS = 5;

export interface Slot {
  queuedMs: number;
  leave(): void;
}

export interface Concurrency {
  readonly max: number;
  enter(teamId: string, timeout: number, signal: AbortSignal): Promise<Slot>;
  load(teamId: string): { active: number; waiting: number };
}

export function createConcurrency(max: number, clock: Clock): Concurrency {
  const gates = new Map<string, Gate>();

  const gateOf = (teamId: string) => {
    const gate = gates.get(teamId) ?? createGate(max, MAX_WAITING);
    gates.set(teamId, gate);
    return gate;
  };

  return {
    max,
    load(teamId) {
      const { active, waiting } = gateOf(teamId);
      return { active, waiting };
    },
    async enter(teamId, timeout, signal) {
      const since = clock.now();
      const gate = gateOf(teamId);
      const waits = gate.active >= max;
      const patience = deadline(timeout * WAITING_SHARE, () => new ServiceError('CONCURRENCY_QUEUE_TIMEOUT'), signal);
      try {
        const leave = await gate.enter(patience.signal);
        if (!leave) throw new ServiceError('QUEUE_FULL', { retryAfter: RETRY_AFTER_SECONDS });
        return { leave, queuedMs: waits ? Math.max(1, clock.now() - since) : 0 };
      } finally {
        patience.done();
      }
    },
  };
}
