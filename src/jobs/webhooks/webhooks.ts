// Delivers the webhook calls that jobs queued in the store: in order per job, many jobs at once, with retries.
import type { Delivery, DeliveryStore } from '../../store/delivery-store.ts';
import type { StoreHealth } from '../../store/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { createDeliveryLoop, type DeliveryLoop } from '../deliveries/delivery-loop.ts';
import type { Posted } from '../deliveries/post-call.ts';
import type { WebhookCall } from './webhook-call.ts';

export interface WebhooksDeps {
  call: WebhookCall;
  deliveries: DeliveryStore;
  health: Pick<StoreHealth, 'persist'>;
  /** Resolves when the pages of completed jobs can be found by search; awaited before `completed` is sent. */
  searchable(signal: AbortSignal): Promise<void>;
  /** Other processes queue and deliver calls, too. */
  isShared?: boolean;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

const MAX_CALLS = 16;
const RETRY_MS = [60_000, 300_000, 900_000];

export function createWebhooks(deps: WebhooksDeps): DeliveryLoop {
  const { call, deliveries, health, searchable, isShared, clock, log } = deps;
  return createDeliveryLoop<Delivery, Posted>({
    queue: {
      due: deliveries.due,
      settle: (id, result, at, { statusCode, failure }) =>
        deliveries.settle(id, result, { at, statusCode, error: failure?.reason }),
      nextAt: deliveries.nextAt,
    },
    health,
    async send(delivery, signal) {
      if (delivery.event === 'completed') await searchable(signal);
      return call(delivery, signal);
    },
    maxAtOnce: MAX_CALLS,
    retryMs: RETRY_MS,
    onFailure: ({ jobId, attempts }, { reason, isGivenUp }) =>
      log.warn({ job: jobId, attempt: attempts + 1, reason, isGivenUp }, 'webhook call failed'),
    name: 'webhook deliveries',
    isShared,
    clock,
    log,
  });
}
