// The calls to the store thread, shared by team: each team has a few in the thread at a time, and the others wait here.
import { systemClock } from '../../util/clock.ts';
import { createGate, OWN_WORK } from '../../util/gate/gate.ts';
import type { SendCall } from '../../util/thread.ts';

export interface SharedCalls {
  send: SendCall;
  /** Resolves when all calls that were sent have been answered. */
  settled(): Promise<unknown>;
}

/** Enough to keep the thread busy. A call of another team waits for no more than these, and some finish several pages. */
const CALLS_AT_ONCE = 4;
/** Teams that have no call in the thread do not wait for those that have. */
const SPARE_CALLS = 16;
/** What worker, indexer and webhooks use. Requests start their work, but it is not part of their share. */
const OWN_PORTS: ReadonlySet<string> = new Set(['queue', 'feed', 'deliveries', 'notes']);
/** Every request waits for it, before its team is known: it has a share of its own. */
const AUTHENTICATION = 'teams';

export function shareCalls(call: SendCall, currentTeam: () => string): SharedCalls {
  const gate = createGate({ size: CALLS_AT_ONCE, spare: SPARE_CALLS, clock: systemClock });
  const underWay = new Set<Promise<unknown>>();
  const { signal: never } = new AbortController();

  const inTurn: SendCall = async (method, ...rest) => {
    const port = method.slice(0, method.indexOf('.'));
    const team = OWN_PORTS.has(port) ? OWN_WORK.team : port === AUTHENTICATION ? AUTHENTICATION : currentTeam();
    const { leave } = await gate.enter({ team }, 'call', never);
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
