// Reads the pages of a site, several at a time and the most promising first, until they yield nothing new.
import type { PageYield, WalkPage, WalkQueue } from './walk-queue.ts';

export interface WalkReport extends PageYield {
  /** False when it came from a cache. */
  wasFetched: boolean;
  /** The site asked to retry later. */
  isBusy?: boolean;
}

export interface WalkLimits {
  /** Pages to fetch from the site. */
  pages: number;
  /** Consecutive pages that yield nothing new; cached pages count less. */
  barren: number;
  atOnce: number;
}

export interface Walk {
  queue: WalkQueue;
  /** Reads a page and offers the pages it links to. An error ends the walk. */
  read(page: WalkPage, signal: AbortSignal): Promise<WalkReport>;
  isEnough(): boolean;
  limits: WalkLimits;
}

/** How much a cached page counts compared with a fetched one. */
const CACHED_SHARE = 0.25;

/** Returns why it ended: nothing worth reading is left, enough was found, or the page limit was reached. */
export async function walkSite(
  { queue, read, isEnough, limits }: Walk,
  signal: AbortSignal,
): Promise<'done' | 'enough' | 'page-limit'> {
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const inFlight = new Set<Promise<void>>();
  const retried = new Set<string>();
  let fetched = 0;
  let barren = 0;

  const readPage = async (page: WalkPage) => {
    const report = await read(page, ending);
    if (report.wasFetched) fetched += 1;
    if (report.isBusy && !retried.has(page.key)) {
      retried.add(page.key);
      return queue.putBack(page);
    }
    const isBarren = queue.settle(page, report);
    barren = isBarren ? barren + (report.wasFetched ? 1 : CACHED_SHARE) : 0;
  };

  const start = () => {
    while (inFlight.size < limits.atOnce && fetched + inFlight.size < limits.pages && barren < limits.barren) {
      const page = queue.take();
      if (!page) return;
      const reading: Promise<void> = readPage(page).finally(() => inFlight.delete(reading));
      inFlight.add(reading);
    }
  };

  try {
    for (;;) {
      signal.throwIfAborted();
      if (isEnough()) return 'enough';
      start();
      if (inFlight.size === 0) return fetched >= limits.pages && queue.take() ? 'page-limit' : 'done';
      await Promise.race(inFlight);
    }
  } finally {
    leaving.abort();
    await Promise.allSettled(inFlight);
  }
}
