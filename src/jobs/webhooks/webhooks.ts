// Makes the webhook calls that jobs have left in the store: each job's in order, many jobs' at once, again after a failure.
import { ServiceError } from '../../contracts/errors.ts';
import type { Delivery, DeliveryResult, DeliveryStore } from '../../store/delivery-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { type CallFailure, createWebhookCall, type WebhookCallDeps } from './webhook-call.ts';

export interface WebhooksDeps extends WebhookCallDeps {
  deliveries: DeliveryStore;
  /** Whoever is told that a job is completed can find its pages. */
  searchable(signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

export interface Webhooks {
  /** Something new may be due. Nothing is sent before the first time. */
  wake(): void;
  /** Comes before closing the egress and the store. Calls that it breaks off are made again after the next start. */
  close(): Promise<void>;
}

const MAX_CALLS = 16;
const RETRY_MS = [60_000, 300_000, 900_000];
/** A clock that was set back must not stretch a wait for ever. */
const LONGEST_WAIT_MS = Math.max(...RETRY_MS);
const AFTER_FAULT_MS = 1_000;

export function createWebhooks({ deliveries, searchable, clock, log, ...callDeps }: WebhooksDeps): Webhooks {
  const call = createWebhookCall(callDeps);
  const closing = new AbortController();
  const underWay = new Map<number, Promise<void>>();
  let running: Promise<void> | undefined;
  let pause = new AbortController();

  function wake(): void {
    running ??= run().catch(ignoreClosing);
    pause.abort();
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Before the store is asked, so that a wake-up in the meantime is not lost.
      pause = new AbortController();
      const nextAt = await startDue();
      const wait = Math.min(Math.max(0, nextAt - clock.now()), LONGEST_WAIT_MS);
      await clock.sleep(wait, pause.signal).catch(() => {});
    }
  }

  /** Fills the free places. Gives the time at which more will be due; the end of a call wakes us anyway. */
  async function startDue(): Promise<number> {
    const places = MAX_CALLS - underWay.size;
    if (places === 0) return Number.POSITIVE_INFINITY;
    const due = await retryStore(() => deliveries.due(clock.now(), places));
    for (const delivery of due) start(delivery);
    if (due.length === places) return Number.POSITIVE_INFINITY;
    return (await retryStore(() => deliveries.nextAt())) ?? Number.POSITIVE_INFINITY;
  }

  function start(delivery: Delivery): void {
    // The store gives one again if it could not be told for long how it ended.
    if (underWay.has(delivery.id)) return;
    const ended = deliver(delivery)
      .catch(ignoreClosing)
      .finally(() => {
        underWay.delete(delivery.id);
        wake();
      });
    underWay.set(delivery.id, ended);
  }

  async function deliver(delivery: Delivery): Promise<void> {
    if (delivery.event === 'completed') await searchable(closing.signal);
    const failure = await call(delivery, closing.signal);
    const result = failure ? resultOf(failure, delivery) : 'delivered';
    await retryStore(() => deliveries.settle(delivery.id, result));
  }

  function resultOf({ reason, isFinal }: CallFailure, { jobId, attempts }: Delivery): DeliveryResult {
    const retryMs = isFinal ? undefined : RETRY_MS[attempts];
    const isGivenUp = retryMs === undefined;
    log.warn({ job: jobId, attempt: attempts + 1, reason, isGivenUp }, 'a webhook call failed');
    return isGivenUp ? 'given-up' : { retryAt: clock.now() + retryMs };
  }

  /** Asks the store until it answers. Rejects only when closing. */
  async function retryStore<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        log.error({ err: error }, 'the store did not serve the webhooks');
      }
      await clock.sleep(AFTER_FAULT_MS, closing.signal);
    }
  }

  return {
    wake,
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      pause.abort();
      await running;
      await Promise.all(underWay.values());
    },
  };
}

/** Calls and questions to the store are rejected by nothing else. */
const ignoreClosing = () => {};
