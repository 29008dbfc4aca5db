// Streams the audit events of teams to their collectors: in order, in batches, until each was accepted.

import type { Log } from '../../runtime/log.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { SiemBatch, SiemStore } from '../../store/ports/teams/siem-store.ts';
import type { Clock } from '../../util/clock.ts';
import { createDeliveryLoop, type DeliveryLoop } from '../deliveries/delivery-loop.ts';
import type { SiemCall } from './siem-call.ts';

export interface SiemStreamDeps {
  siem: SiemStore;
  health: Pick<StoreHealth, 'persist'>;
  call: SiemCall;
  /** Other processes write and deliver events, too. */
  isShared?: boolean;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

const MAX_CALLS = 8;
/** Events are also written by commands, in processes of their own, so the log is looked at as often as this. */
const LOOK_MS = 1_000;
/** The last pause is repeated for as long as it takes: nothing is given up. */
const RETRY_MS = [2_000, 10_000, 60_000, 300_000];

export function createSiemStream({ siem, health, call, isShared, clock, log }: SiemStreamDeps): DeliveryLoop {
  /** The last event of the batch that each stream sends at the moment. */
  const sending = new Map<number, number>();

  return createDeliveryLoop<SiemBatch>({
    queue: {
      async due(now, limit) {
        const batches = await siem.due(now, limit);
        return batches.map((batch) => ({ ...batch, attempts: Math.min(batch.attempts, RETRY_MS.length - 1) }));
      },
      settle: (id, result, now, { failure }) =>
        siem.settle({ id, upTo: sending.get(id)! }, result, now, failure?.reason),
      async nextAt() {
        const at = await siem.nextAt();
        return at === undefined ? undefined : Math.max(at, clock.now() + LOOK_MS);
      },
    },
    health,
    async send(batch, signal) {
      sending.set(batch.id, batch.events.at(-1)!.id);
      const failure = await call(batch, signal);
      return failure ? { failure: { ...failure, isFinal: false } } : {};
    },
    maxAtOnce: MAX_CALLS,
    retryMs: RETRY_MS,
    onFailure: ({ team, events }, { reason }) =>
      log.warn({ team, events: events.length, reason }, 'audit events could not be delivered'),
    name: 'audit events',
    isShared,
    clock,
    log,
  });
}
