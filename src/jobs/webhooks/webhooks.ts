// Delivers the webhook calls that jobs queued in the store: in order per job, many jobs at once, with retries.

import type { Log } from '../../runtime/log.ts';
import type { Delivery, DeliveryStore } from '../../store/ports/deliveries/delivery-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { createDeliveryLoop, type DeliveryLoop } from '../deliveries/delivery-loop.ts';
import type { Posted } from '../deliveries/post-call.ts';
import type { SearchableJobs } from '../indexing/searchable-jobs.ts';
import type { WebhookCall } from './webhook-call.ts';

export interface WebhooksDeps {
  call: WebhookCall;
  deliveries: DeliveryStore;
  health: Pick<StoreHealth, 'persist'>;
  /** `completed` is sent once the pages of the job can be found by a search. */
  searchable: SearchableJobs;
  /** Other processes queue and deliver calls, too. */
  isShared?: boolean;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

const MAX_CALLS = 16;
const LOOK_AGAIN_MS = 2_000;
const RETRY_MS = [60_000, 300_000, 900_000];

export function createWebhooks(deps: WebhooksDeps): DeliveryLoop {
  const { call, deliveries, health, searchable, isShared, clock, log } = deps;
  return createDeliveryLoop<Delivery, Posted>({
    queue: {
      due: deliveries.due,
      settle: (id, result, at, { statusCode, failure }) =>
        deliveries.settle(id, result, { at, statusCode, error: failure?.reason }),
      postpone: deliveries.postpone,
      nextAt: deliveries.nextAt,
    },
    health,
    async send(delivery, signal) {
      const { event, jobId: id, queuedAt: endedAt } = delivery;
      // If the store cannot be read, it is not time either.
      const canFind = () => searchable.canFind({ id, endedAt }, signal).catch(() => false);
      return event === 'completed' && !(await canFind()) ? { againInMs: LOOK_AGAIN_MS } : call(delivery, signal);
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
