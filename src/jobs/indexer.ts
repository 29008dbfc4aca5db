// Keeps the index behind the store, but never far: what was written is taken in a moment later, in batches.

import type { PageIndex } from '../index/page-index.ts';
import type { IndexFeed } from '../store/index-feed.ts';
import { deadline, raceAbort } from '../util/abort.ts';
import type { Log } from '../util/log.ts';

export interface IndexerDeps {
  feed: IndexFeed;
  index: PageIndex;
  log: Pick<Log, 'warn' | 'error'>;
}

export interface Indexer {
  /** Something was written. */
  wake(): void;
  /** Before a search: opens the index, and takes in what is known to have come. Waits at most `ms`. */
  refresh(ms: number, signal: AbortSignal): Promise<void>;
  /** When everything that was written before the call can be found, or when waiting for it would take too long. */
  caughtUp(signal: AbortSignal): Promise<void>;
  /** Takes up what an earlier run of the program has left. An index that has everything is not even opened. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Pages that come one by one are taken in together: each transaction has its price. */
const GATHER_MS = 200;
const BATCH = 200;
const AFTER_FAULT_MS = 5_000;
const PATIENCE_MS = 10_000;

export function createIndexer({ feed, index, log }: IndexerDeps): Indexer {
  // Until it was asked, nobody knows.
  let isBehind = true;
  let isOpen = false;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function takeIn(): Promise<void> {
    let last = await firstApplied();
    for (;;) {
      isBehind = false;
      const changes = isClosed ? [] : await feed.after(last, BATCH);
      if (changes.length === 0) return;
      isBehind = true;
      await index.apply(changes);
      last = changes.at(-1)!.change;
      await feed.acknowledge(last);
    }
  }

  /**
   * Asked each time: an index that found itself damaged has begun anew. One that knows more than the store belongs to
   * another one, or to a later state of this one.
   */
  async function firstApplied(): Promise<number> {
    const known = await index.applied();
    isOpen = true;
    const { newest } = await feed.state();
    if (known <= newest) return known;
    log.warn('the index does not fit the store and is built anew');
    await index.clear();
    return 0;
  }

  /** Begins after the run under way, which may have looked before the last change was written. All who ask meanwhile share it. */
  function runNext(): Promise<void> {
    next ??= Promise.allSettled([running]).then(() => {
      next = undefined;
      const run = takeIn().finally(() => {
        if (running === run) running = undefined;
      });
      running = run;
      return run;
    });
    return next;
  }

  function runIn(ms: number): void {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      runNext().catch((error: unknown) => {
        if (isClosed) return;
        log.error({ err: error }, 'pages could not be indexed');
        runIn(AFTER_FAULT_MS);
      });
    }, ms);
    timer.unref();
  }

  /** What goes wrong is not the asker's: the next run says it. */
  async function waitFor(run: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const patience = deadline(ms, () => new Error('The index is behind.'), signal);
    try {
      await raceAbort(run, patience.signal);
    } catch {
      signal.throwIfAborted();
      runIn(GATHER_MS);
    } finally {
      patience.done();
    }
  }

  return {
    wake() {
      isBehind = true;
      runIn(GATHER_MS);
    },
    async refresh(ms, signal) {
      if (!isBehind && !running) return;
      // A search waits until the index is open in any case: what it does not wait long for are the changes.
      if (!isOpen) await raceAbort(index.applied(), signal);
      // The run under way has what it looked for, but not taken it in.
      await waitFor(isBehind ? runNext() : (running ?? runNext()), ms, signal);
    },
    async caughtUp(signal) {
      const { newest, acknowledged: settled } = await feed.state();
      if (settled < newest) await waitFor(runNext(), PATIENCE_MS, signal);
    },
    async resume() {
      const { newest, acknowledged: settled } = await feed.state();
      if (newest > settled) runIn(0);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.allSettled([running, next]);
    },
  };
}
