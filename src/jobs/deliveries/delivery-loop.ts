// Sends what the store has queued, when it is due: many at once, with retries, and again after a restart. Webhook calls,
// e-mails and audit events are sent this way.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { DeliveryResult } from '../../store/ports/deliveries/delivery-store.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

interface Queued {
  id: number;
  /** Attempts so far. */
  attempts: number;
}

export interface SendFailure {
  /** For the log. Contains neither the address nor anything that was sent. */
  reason: string;
  /** A retry would fail too. */
  isFinal: boolean;
}

/** How an attempt ended. */
export interface Sent {
  /** Undefined on success. */
  failure?: SendFailure;
  /** Nothing was sent, since it is too early for it: the item is due again after this time, and no attempt counts. */
  againInMs?: number;
}

export interface DeliveryLoopDeps<Item extends Queued, Outcome extends Sent = Sent> {
  queue: {
    due(now: number, limit: number): Promise<Item[]>;
    settle(id: number, result: DeliveryResult, now: number, sent: Outcome): Promise<void>;
    /** Present if something may be too early to send. */
    postpone?(id: number, until: number): Promise<void>;
    nextAt(): Promise<number | undefined>;
  };
  health: Pick<StoreHealth, 'persist'>;
  /** Rejects only when `signal` aborts. */
  send(item: Item, signal: AbortSignal): Promise<Outcome>;
  maxAtOnce: number;
  /** The pause after each attempt; after the last one it is given up. */
  retryMs: readonly number[];
  onFailure(item: Item, failure: SendFailure & { isGivenUp: boolean }): void;
  /** What is sent, for the log. */
  name: string;
  /** Other processes queue and send, too: what they queue or leave behind is found by looking. */
  isShared?: boolean;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

export interface DeliveryLoop {
  /** Call when something new may be due. Nothing is sent before the first call. */
  wake(): void;
  /** Call before closing the egress and the store. What was interrupted is sent again after the next start. */
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 1_000;
/** Between two looks, if there are other processes. */
const LOOK_MS = 3_000;

export function createDeliveryLoop<Item extends Queued, Outcome extends Sent = Sent>(
  deps: DeliveryLoopDeps<Item, Outcome>,
): DeliveryLoop {
  const { queue, health, send, maxAtOnce, retryMs, onFailure, name, clock, log } = deps;
  /** Limits a wait if the clock is set back. */
  const longestWaitMs = deps.isShared ? LOOK_MS : Math.max(...retryMs);
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
      const wait = Math.min(Math.max(0, nextAt - clock.now()), longestWaitMs);
      await clock.sleep(wait, pause.signal).catch(() => {});
    }
  }

  /** Fills the free slots. Returns when more will be due; the end of a delivery wakes the loop anyway. */
  async function startDue(): Promise<number> {
    const slots = maxAtOnce - inFlight.size;
    if (slots === 0) return Number.POSITIVE_INFINITY;
    const due = await retryStore(() => queue.due(clock.now(), slots));
    for (const item of due) start(item);
    if (due.length === slots) return Number.POSITIVE_INFINITY;
    return (await retryStore(() => queue.nextAt())) ?? Number.POSITIVE_INFINITY;
  }

  function start(item: Item): void {
    // The store returns an item again if its result could not be written for long.
    if (inFlight.has(item.id)) return;
    const ended = deliver(item)
      .catch(ignoreClosing)
      .finally(() => {
        inFlight.delete(item.id);
        wake();
      });
    inFlight.set(item.id, ended);
  }

  async function deliver(item: Item): Promise<void> {
    const sent = await send(item, closing.signal);
    const { againInMs } = sent;
    if (againInMs !== undefined) return retryStore(() => queue.postpone!(item.id, clock.now() + againInMs));
    const result = sent.failure ? resultOf(sent.failure, item) : 'delivered';
    await retryStore(() => queue.settle(item.id, result, clock.now(), sent));
  }

  function resultOf(failure: SendFailure, item: Item): DeliveryResult {
    const pauseMs = failure.isFinal ? undefined : retryMs[item.attempts];
    onFailure(item, { ...failure, isGivenUp: pauseMs === undefined });
    return pauseMs === undefined ? 'given-up' : { retryAt: clock.now() + pauseMs };
  }

  /** Repeats a store call until it succeeds. Rejects only when closing. */
  async function retryStore<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await health.persist(ask, closing.signal);
      } catch (error) {
        closing.signal.throwIfAborted();
        log.error({ err: error }, `reading or writing ${name} failed`);
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
