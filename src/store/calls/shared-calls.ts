// The calls to the store, shared by team: each team has a few under way at a time, and the others wait here.

import { createGate, OWN_WORK } from '../../runtime/gate/gate.ts';
import type { SendCall } from '../../runtime/threads/thread.ts';
import { systemClock } from '../../util/clock.ts';

export interface SharedCalls {
  send: SendCall;
  /** Resolves when all calls that were sent have been answered. */
  settled(): Promise<unknown>;
}

/** Enough to keep the store busy; a call of another team waits for no more than these. */
const CALLS_AT_ONCE = 16;
/** Default, for a store that does one call after the other. */
const OWN_CALLS_AT_ONCE = 3;
/** What worker, indexer, webhooks and heartbeats use. Requests start their work, but it is not part of their share. */
const OWN_PORTS: ReadonlySet<string> = new Set([
  ...['queue', 'runQueue', 'feed', 'deliveries', 'notes', 'processes', 'leases'],
]);
/** Every request waits for it, before its team is known: it has a share of its own. */
const AUTHENTICATION = 'teams';
/** Called for every token that anybody sends. It has a share of its own, so a flood of tokens delays nothing else. */
const OF_STRANGERS = 'sessionPlaces.findByToken';

/**
 * Nobody waits for the service's own calls, and some write several pages: a caller's call waits for no more than `ownAtOnce`
 * of these.
 */
export function shareCalls(call: SendCall, currentTeam: () => string, ownAtOnce = OWN_CALLS_AT_ONCE): SharedCalls {
  const callers = createGate({ size: CALLS_AT_ONCE, spare: CALLS_AT_ONCE, clock: systemClock });
  const own = createGate({ size: ownAtOnce, clock: systemClock });
  const underWay = new Set<Promise<unknown>>();
  const { signal: never } = new AbortController();

  const shareOf = (method: string, port: string): string => {
    if (port === AUTHENTICATION) return AUTHENTICATION;
    return method === OF_STRANGERS ? OF_STRANGERS : currentTeam();
  };

  const inTurn: SendCall = async (method, ...rest) => {
    const port = method.slice(0, method.indexOf('.'));
    const { leave } = OWN_PORTS.has(port)
      ? await own.enter(OWN_WORK, 'call', never)
      : await callers.enter({ team: shareOf(method, port) }, 'call', never);
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
