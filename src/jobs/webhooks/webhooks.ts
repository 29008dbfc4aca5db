// Delivers the webhook calls that jobs queued in the store: in order per job, many jobs at once, with retries.
import { ServiceError } from '../../contracts/errors.ts';
import type { Delivery, DeliveryResult, DeliveryStore } from '../../store/delivery-store.ts';
import type { StoreHealth } from '../../store/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { type CallFailure, createWebhookCall, type WebhookCallDeps } from './webhook-call.ts';

export interface WebhooksDeps extends WebhookCallDeps {
  deliveries: DeliveryStore;
  health: Pick<StoreHealth, 'persist'>;
  /** Resolves when the pages of completed jobs can be found by search; awaited before `completed` is sent. */
  searchable(signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

export interface Webhooks {
  /** Call when something new may be due. Nothing is sent before the first call. */
  wake(): void;
  /** Call before closing the egress and the store. Aborted calls are repeated after the next start. */
  close(): Promise<void>;
}

const MAX_CALLS = 16;
const RETRY_MS = [60_000, 300_000, 900_000];
/** Limits a wait if the clock is set back. */
const LONGEST_WAIT_MS = Math.max(...RETRY_MS);
const AFTER_FAULT_MS = 1_000;

export function createWebhooks({ deliveries, health, searchable, clock, log, ...callDeps }: WebhooksDeps): Webhooks {
  const call = createWebhookCall(callDeps);
  const closing = new AbortController();
  const inFlight = new Map<number, Promise<void>>();
  let running: Promise<void> | undefined;
  let pause = new AbortController();

  function wake(): void {
    running ??= run().catch(ignoreClosing);
    pause.abort();
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Created before the store is read, so that a wake-up meanwhile is not lost.
      pause = new AbortController();
      const nextAt = await startDue();
      const wait = Math.min(Math.max(0, nextAt - clock.now()), LONGEST_WAIT_MS);
      await clock.sleep(wait, pause.signal).catch(() => {});
    }
  }

  /** Fills the free slots. Returns when more will be due; the end of a call wakes the loop anyway. */
  async function startDue(): Promise<number> {
    const slots = MAX_CALLS - inFlight.size;
    if (slots === 0) return Number.POSITIVE_INFINITY;
    const due = await retryStore(() => deliveries.due(clock.now(), slots));
    for (const delivery of due) start(delivery);
    if (due.length === slots) return Number.POSITIVE_INFINITY;
    return (await retryStore(() => deliveries.nextAt())) ?? Number.POSITIVE_INFINITY;
  }

  function start(delivery: Delivery): void {
    // The store returns a delivery again if its result could not be written for long.
    if (inFlight.has(delivery.id)) return;
    const ended = deliver(delivery)
      .catch(ignoreClosing)
      .finally(() => {
        inFlight.delete(delivery.id);
        wake();
      });
    inFlight.set(delivery.id, ended);
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
    log.warn({ job: jobId, attempt: attempts + 1, reason, isGivenUp }, 'webhook call failed');
    return isGivenUp ? 'given-up' : { retryAt: clock.now() + retryMs };
  }

  /** Repeats a store call until it succeeds. Rejects only when closing. */
  async function retryStore<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await health.persist(ask, closing.signal);
      } catch (error) {
        closing.signal.throwIfAborted();
        log.error({ err: error }, 'reading or writing webhook deliveries failed');
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
      await Promise.all(inFlight.values());
    },
  };
}

/** Nothing else rejects deliveries and store calls. */
const ignoreClosing = () => {};
