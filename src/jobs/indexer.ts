// Feeds changes from the store to the index, in batches and with bounded lag.

import type { Log } from '../runtime/log.ts';
import { raceAbort, startDeadline } from '../util/abort.ts';
import { type FeedIndexDeps, feedIndex } from './indexing/feed-index.ts';

export interface IndexerDeps extends FeedIndexDeps {
  /** Other processes write pages, too: jobs wait somewhat longer for the process that feeds the index. */
  isShared?: boolean;
  log: Pick<Log, 'warn' | 'error'>;
}

export interface Indexer {
  /** Call after a page was written whose caller may search for it at once: searches wait for it. */
  wake(): void;
  /** Call after a job has written pages. Only a completed job promises that they can be found, so no search waits for them. */
  wakeLater(): void;
  /** Call before a search: opens the index and ingests what a search may expect. Does not wait long for it, or `ms` at most. */
  refresh(signal: AbortSignal, ms?: number): Promise<void>;
  /** The newest change of the feed: whatever was written before the call has its number or a lower one. */
  newest(): Promise<number>;
  /** Waits until that change can be found, for at most `ms`. Tells whether it can. */
  reached(change: number, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Resolves when everything written before the call can be found, or when that takes too long. */
  caughtUp(signal: AbortSignal): Promise<void>;
  /** Continues where an earlier run stopped. An index that is up to date is not even opened. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Pages that arrive one by one are ingested together, since each transaction has a fixed cost. */
const GATHER_MS = 200;
const GATHER_LATER_MS = 1_000;
const AFTER_FAULT_MS = 5_000;
/**
 * How long a search waits for pages that were read just now: enough on a busy machine and for an index elsewhere. It does
 * not wait for a whole crawl.
 */
const FRESHNESS_MS = 1_000;
const PATIENCE_MS = 10_000;
/** Long enough to take over from a process that has died. */
const SHARED_PATIENCE_MS = 25_000;
/** Between two looks at the feed, if other processes write, too. */
const LOOK_MS = 5_000;

export function createIndexer(deps: IndexerDeps): Indexer {
  const { feed, index, consumer, isShared = false, log } = deps;
  // Whether a search may expect changes that no run has read. Unknown until the feed has been read.
  let isExpected = true;
  // The run that ingests the changes that a search may expect.
  let expected: Promise<void> | undefined;
  let isOpen = false;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const failure = logOnce(log, 'indexing failed, will retry');
  const closing = new AbortController();

  const timer = createTimer(() =>
    runNext().catch((error: unknown) => {
      if (closing.signal.aborted) return;
      failure.report(error);
      timer.within(AFTER_FAULT_MS);
    }),
  );

  async function ingest(): Promise<void> {
    if (await feedIndex(deps, closing.signal, failure.isOver)) timer.within(0);
    isOpen = true;
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

  const looks = createLooks(deps, () => timer.within(0));

  /** Errors are not the caller's: the next run reports them. */
  async function waitFor(run: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const patience = startDeadline(ms, () => new Error('The index has not caught up yet.'), signal);
    try {
      await raceAbort(run, patience.signal);
    } catch {
      signal.throwIfAborted();
      timer.within(GATHER_MS);
    } finally {
      patience.done();
    }
  }

  const newest = async () => (await feed.state(consumer)).newest;
  const hasReached = async (change: number) => (await feed.state(consumer)).acknowledged >= change;
  async function reached(change: number, ms: number, signal: AbortSignal): Promise<boolean> {
    if (await hasReached(change)) return true;
    await waitFor(runNext(), ms, signal);
    return hasReached(change);
  }

  return {
    wake() {
      isExpected = true;
      timer.within(GATHER_MS);
    },
    wakeLater: () => timer.within(GATHER_LATER_MS),
    async refresh(signal, ms = FRESHNESS_MS) {
      if (!isExpected && !expected) return;
      // A search always waits for the index to open. Only the wait for changes is limited.
      if (!isOpen) await raceAbort(index.applied(), signal);
      await waitFor(isExpected ? runNext() : (expected ?? runNext()), ms, signal);
    },
    newest,
    reached,
    async caughtUp(signal) {
      await reached(await newest(), isShared ? SHARED_PATIENCE_MS : PATIENCE_MS, signal);
    },
    async resume() {
      await looks.now();
      if (isShared) looks.repeat();
    },
    async close() {
      closing.abort();
      looks.stop();
      timer.stop();
      await Promise.allSettled([running, next]);
    },
  };
}

/** Looks for changes in the feed, since wake-ups may be lost. */
function createLooks({ feed, consumer }: Pick<IndexerDeps, 'feed' | 'consumer'>, onNews: () => void) {
  async function now(): Promise<void> {
    const { newest, acknowledged } = await feed.state(consumer);
    if (newest > acknowledged) onNews();
  }
  const timer = createTimer(() => {
    // A store that cannot be read says so itself.
    now()
      .catch(() => {})
      .finally(() => timer.within(LOOK_MS * (0.75 + Math.random() / 2)));
  });
  return { now, repeat: () => timer.within(LOOK_MS), stop: timer.stop };
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
