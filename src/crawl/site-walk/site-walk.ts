// Reads the pages of a site, several at a time and the most promising first, until they bring nothing new.
import type { PageYield, WalkPage, WalkQueue } from './walk-queue.ts';

export interface WalkReport extends PageYield {
  /** The site was asked for it. */
  wasFetched: boolean;
  /** The site said "not now": worth another try. */
  isBusy?: boolean;
}

export interface WalkLimits {
  /** Pages that the site is asked for. */
  pages: number;
  /** Pages in a row that bring nothing new; those that the site is not asked for count little. */
  barren: number;
  atOnce: number;
}

export interface Walk {
  queue: WalkQueue;
  /** Reads a page and offers what it leads to. What it throws ends the walk. */
  read(page: WalkPage, signal: AbortSignal): Promise<WalkReport>;
  /** Whether enough was found. */
  isEnough(): boolean;
  limits: WalkLimits;
}

/** What a page that need not be fetched costs, compared with one that must. */
const SHARE_OF_KNOWN = 0.25;

/** Gives why it ended: nothing was left to read or worth it, enough was found, or no more pages are allowed. */
export async function walkSite(
  { queue, read, isEnough, limits }: Walk,
  signal: AbortSignal,
): Promise<'done' | 'enough' | 'page-limit'> {
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const underWay = new Set<Promise<void>>();
  const triedAgain = new Set<string>();
  let fetched = 0;
  let barren = 0;

  const visit = async (page: WalkPage) => {
    const report = await read(page, ending);
    if (report.wasFetched) fetched += 1;
    if (report.isBusy && !triedAgain.has(page.key)) {
      triedAgain.add(page.key);
      return queue.putBack(page);
    }
    const isBarren = queue.settle(page, report);
    barren = isBarren ? barren + (report.wasFetched ? 1 : SHARE_OF_KNOWN) : 0;
  };

  const start = () => {
    while (underWay.size < limits.atOnce && fetched + underWay.size < limits.pages && barren < limits.barren) {
      const page = queue.take();
      if (!page) return;
      const visiting: Promise<void> = visit(page).finally(() => underWay.delete(visiting));
      underWay.add(visiting);
    }
  };

  try {
    for (;;) {
      signal.throwIfAborted();
      if (isEnough()) return 'enough';
      start();
      if (underWay.size === 0) return fetched >= limits.pages && queue.take() ? 'page-limit' : 'done';
      await Promise.race(underWay);
    }
  } finally {
    leaving.abort();
    await Promise.allSettled(underWay);
  }
}
