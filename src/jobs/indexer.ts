// Feeds changes from the store to the index, in batches and with bounded lag.

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
  /** Call after something was written. */
  wake(): void;
  /** Call before a search: opens the index and ingests known changes. Waits at most `ms`. */
  refresh(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when everything written before the call can be found, or when that takes too long. */
  caughtUp(signal: AbortSignal): Promise<void>;
  /** Continues where an earlier run stopped. An index that is up to date is not even opened. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Pages that arrive one by one are ingested together, since each transaction has a fixed cost. */
const GATHER_MS = 200;
const BATCH = 200;
const AFTER_FAULT_MS = 5_000;
const PATIENCE_MS = 10_000;

export function createIndexer({ feed, index, log }: IndexerDeps): Indexer {
  // Unknown until the feed has been read.
  let isBehind = true;
  let isOpen = false;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const failure = logOnce(log, 'indexing failed, will retry');
  let isClosed = false;

  async function ingest(): Promise<void> {
    let last = await firstApplied();
    for (;;) {
      isBehind = false;
      const changes = isClosed ? [] : await feed.after(last, BATCH);
      if (changes.length === 0) return;
      isBehind = true;
      await index.apply(changes);
      last = changes.at(-1)!.change;
      await feed.acknowledge(last);
      failure.isOver();
    }
  }

  /**
   * Read on each run, because a damaged index starts over at 0. An index ahead of the store belongs to another store,
   * or to a later state of this one.
   */
  async function firstApplied(): Promise<number> {
    const known = await index.applied();
    isOpen = true;
    const { newest } = await feed.state();
    if (known <= newest) return known;
    log.warn('index ahead of the store, rebuilding it');
    await index.clear();
    return 0;
  }

  /**
   * Starts after the current run, which may have read the feed before the last change. Callers in the meantime share
   * it.
   */
  function runNext(): Promise<void> {
    next ??= Promise.allSettled([running]).then(() => {
      next = undefined;
      const run = ingest().finally(() => {
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
        failure.report(error);
        runIn(AFTER_FAULT_MS);
      });
    }, ms);
    timer.unref();
  }

  /** Errors are not the caller's: the next run reports them. */
  async function waitFor(run: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const patience = deadline(ms, () => new Error('The index has not caught up yet.'), signal);
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
      // A search always waits for the index to open. Only the wait for changes is limited.
      if (!isOpen) await raceAbort(index.applied(), signal);
      // The current run has read all changes but not ingested them yet.
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

/** A full disk lasts: one line in the log is enough until it works again. */
function logOnce(log: IndexerDeps['log'], text: string) {
  let isReported = false;
  return {
    report(error: unknown) {
      if (!isReported) log.error({ err: error }, text);
      isReported = true;
    },
    isOver() {
      isReported = false;
    },
  };
}
