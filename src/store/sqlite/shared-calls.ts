// The calls to the store thread, shared by team: each team has a few in the thread at a time, and the others wait here.
import { systemClock } from '../../util/clock.ts';
import { createGate, OWN_WORK } from '../../util/gate/gate.ts';
import type { SendCall } from '../../util/thread.ts';

export interface SharedCalls {
  send: SendCall;
  /** Resolves when all calls that were sent have been answered. */
  settled(): Promise<unknown>;
}

/** Enough to keep the thread busy; a call of another team waits for no more than these. */
const CALLS_AT_ONCE = 16;
/** What worker, indexer, webhooks and authentication use. Requests start their work, but it is not part of their share. */
const OWN_PORTS: ReadonlySet<string> = new Set(['queue', 'feed', 'deliveries', 'notes', 'teams']);

export function shareCalls(call: SendCall, currentTeam: () => string): SharedCalls {
  const gate = createGate({ size: CALLS_AT_ONCE, spare: CALLS_AT_ONCE, clock: systemClock });
  const underWay = new Set<Promise<unknown>>();
  const { signal: never } = new AbortController();

  const inTurn: SendCall = async (method, ...rest) => {
    const isOwn = OWN_PORTS.has(method.split('.', 1)[0]!);
    const { leave } = await gate.enter({ team: isOwn ? OWN_WORK.team : currentTeam() }, 'call', never);
    try {
      return await call(method, ...rest);
    } finally {
      leave();
    }
  };

  return {
    send(...args) {
      const answer = inTurn(...args).finally(() => underWay.delete(answer));
      underWay.add(answer);
      return answer;
    },
    settled: () => Promise.allSettled(underWay),
  };
}
