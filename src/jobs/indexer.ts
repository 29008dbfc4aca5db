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
  /** Call after a page was written whose caller may search for it at once: searches wait for it. */
  wake(): void;
  /** Call after a job has written pages. Only a completed job promises that they can be found, so no search waits for them. */
  wakeLater(): void;
  /** Call before a search: opens the index and ingests what a search may expect. Waits at most `ms`. */
  refresh(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when everything written before the call can be found, or when that takes too long. */
  caughtUp(signal: AbortSignal): Promise<void>;
  /** Continues where an earlier run stopped. An index that is up to date is not even opened. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Pages that arrive one by one are ingested together, since each transaction has a fixed cost. */
const GATHER_MS = 200;
const GATHER_LATER_MS = 1_000;
const BATCH = 200;
const AFTER_FAULT_MS = 5_000;
const PATIENCE_MS = 10_000;

export function createIndexer(deps: IndexerDeps): Indexer {
  const { feed, index, log } = deps;
  // Whether a search may expect changes that no run has read. Unknown until the feed has been read.
  let isExpected = true;
  // The run that ingests the changes that a search may expect.
  let expected: Promise<void> | undefined;
  let isOpen = false;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const failure = logOnce(log, 'indexing failed, will retry');
  let isClosed = false;

  const timer = createTimer(() =>
    runNext().catch((error: unknown) => {
      if (isClosed) return;
      failure.report(error);
      timer.within(AFTER_FAULT_MS);
    }),
  );

  /** Up to the newest change at the start: while a crawl runs, there is always another one. */
  async function ingest(): Promise<void> {
    const { applied, newest } = await readPositions(deps);
    isOpen = true;
    for (let last = applied; last < newest && !isClosed; ) {
      const changes = await feed.after(last, BATCH);
      if (changes.length === 0) return;
      await index.apply(changes);
      last = changes.at(-1)!.change;
      await feed.acknowledge(last);
      failure.isOver();
    }
  }

  /**
   * Starts after the current run, which may have read the feed before the last change. Callers in the meantime share
   * it.
   */
  function runNext(): Promise<void> {
    next ??= Promise.allSettled([running]).then(() => {
      next = undefined;
      const wasExpected = isExpected;
      isExpected = false;
      const run = ingest()
        .catch((error: unknown) => {
          isExpected ||= wasExpected;
          throw error;
        })
        .finally(() => {
          if (running === run) running = undefined;
          if (expected === run) expected = undefined;
        });
      running = run;
      if (wasExpected) expected = run;
      return run;
    });
    return next;
  }

  /** Errors are not the caller's: the next run reports them. */
  async function waitFor(run: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const patience = deadline(ms, () => new Error('The index has not caught up yet.'), signal);
    try {
      await raceAbort(run, patience.signal);
    } catch {
      signal.throwIfAborted();
      timer.within(GATHER_MS);
    } finally {
      patience.done();
    }
  }

  return {
    wake() {
      isExpected = true;
      timer.within(GATHER_MS);
    },
    wakeLater: () => timer.within(GATHER_LATER_MS),
    async refresh(ms, signal) {
      if (!isExpected && !expected) return;
      // A search always waits for the index to open. Only the wait for changes is limited.
      if (!isOpen) await raceAbort(index.applied(), signal);
      await waitFor(isExpected ? runNext() : (expected ?? runNext()), ms, signal);
    },
    async caughtUp(signal) {
      const { newest, acknowledged: settled } = await feed.state();
      if (settled < newest) await waitFor(runNext(), PATIENCE_MS, signal);
    },
    async resume() {
      const { newest, acknowledged: settled } = await feed.state();
      if (newest > settled) timer.within(0);
    },
    async close() {
      isClosed = true;
      timer.stop();
      await Promise.allSettled([running, next]);
    },
  };
}

/**
 * Read on each run, because a damaged index starts over at 0. An index ahead of the store belongs to another store, or
 * to a later state of this one.
 */
async function readPositions({ feed, index, log }: IndexerDeps): Promise<{ applied: number; newest: number }> {
  const applied = await index.applied();
  const { newest } = await feed.state();
  if (applied <= newest) return { applied, newest };
  log.warn('index ahead of the store, rebuilding it');
  await index.clear();
  return { applied: 0, newest };
}

/** Runs the work when the earliest of all requests is due. */
function createTimer(work: () => void) {
  let pending: { handle: NodeJS.Timeout; due: number } | undefined;
  let isStopped = false;
  return {
    within(ms: number) {
      const due = performance.now() + ms;
      if (isStopped || (pending && pending.due <= due)) return;
      clearTimeout(pending?.handle);
      const handle = setTimeout(() => {
        pending = undefined;
        work();
      }, ms);
      handle.unref();
      pending = { handle, due };
    },
    stop() {
      isStopped = true;
      clearTimeout(pending?.handle);
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
