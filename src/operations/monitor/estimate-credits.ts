// What a check of a monitor may cost at most, and what the monitor costs in a month.
import type { MonitorDefinition } from '../../contracts/monitor/monitor.ts';
import type { CheckSummary } from '../../contracts/monitor/monitor-check.ts';
import type { MonitorTarget } from '../../contracts/monitor/monitor-targets.ts';
import { formatCredits, PRICES, searchPrice } from '../../contracts/prices.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';

/** Between a page for which a program is written and one that an earlier program can read. */
const PROGRAM_CREDITS = 7;

type Priced = Pick<MonitorDefinition, 'targets' | 'judgeEnabled'>;

/** The last check tells how many pages a site has; until then it may have as many as its limit allows. */
export function creditsPerCheck({ targets, judgeEnabled }: Priced, last?: CheckSummary): number {
  const judging = judgeEnabled ? PRICES.judgedChange : 0;
  const credits = targets.map((target) => {
    const pages = pagesOf(target, targets, last);
    if (target.type !== 'search') return pages * (pagePrice(target.scrapeOptions) + judging);
    return target.queries.length * searchPrice(target.maxResults, { isTraceless: false }) + pages * judging;
  });
  return credits.reduce((sum, each) => sum + each, 0);
}

export const creditsPerMonth = (definition: MonitorDefinition, last?: CheckSummary): number =>
  Math.round(definition.runsPerMonth * creditsPerCheck(definition, last));

function pagesOf(target: MonitorTarget, targets: readonly MonitorTarget[], last: CheckSummary | undefined): number {
  if (target.type === 'scrape') return target.urls.length;
  if (target.type === 'search') return target.maxResults;
  const isOnly = targets.length === 1;
  return isOnly && last && last.totalPages > 0
    ? Math.min(target.crawlOptions.limit, last.totalPages)
    : target.crawlOptions.limit;
}

function pagePrice({ formats }: Pick<ScrapeOptions, 'formats'>): number {
  if (formats.some(({ type }) => type === 'deterministicJson')) return PROGRAM_CREDITS;
  return PRICES.page + formatCredits(formats);
}
