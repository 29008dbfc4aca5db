// What a request is known to cost before it runs: as much is held, and a budget that has less left refuses it. What only turns
// out later (the pages of a PDF, a harder proxy) is charged as far as the budget goes.
import { formatCredits, PRICES, searchPrice } from '../../contracts/prices.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import type { SearchRequest } from '../../contracts/search.ts';
import type { RequestRule } from '../policy-stage.ts';
import type { CostRule } from '../route-policy.ts';
import type { Budgets } from './budgets.ts';

export type PricedPage = Pick<
  ScrapeOptions,
  'formats' | 'proxy' | 'lockdown' | 'redactPII' | 'checkPromptInjection'
> & {
  zeroDataRetention?: boolean | undefined;
};

/** A page with everything that is requested of it. */
export function pageCost({ formats, proxy, lockdown, redactPII, checkPromptInjection, ...page }: PricedPage): number {
  const base: number = lockdown ? PRICES.lockdownHit : proxy === 'enhanced' ? PRICES.enhancedPage : PRICES.page;
  const parts = [
    [page.zeroDataRetention && !lockdown, PRICES.zeroDataRetention],
    [redactPII !== false, PRICES.redaction],
    [checkPromptInjection, PRICES.injectionCheck],
  ] as const;
  return parts.reduce<number>(
    (sum, [isAsked, credits]) => sum + (isAsked ? credits : 0),
    base + formatCredits(formats),
  );
}

type PricedSearch = Pick<SearchRequest, 'limit' | 'sources' | 'zeroDataRetention' | 'enterprise'>;

/** As many results as are asked for. Those that are scraped take holds of their own. */
export const searchCost = ({ limit, sources, zeroDataRetention, enterprise }: PricedSearch): number =>
  searchPrice(limit * Math.max(1, new Set(sources.known.map(({ type }) => type)).size), {
    isTraceless: zeroDataRetention || enterprise.includes('zdr'),
  });

interface PricedJob {
  urls: readonly string[];
  limit: number;
  scrapeOptions: PricedPage;
  zeroDataRetention: boolean;
}

/** Bodies are validated; the rule of a call says what its body is. */
const COSTS: Record<CostRule, (body: never, given: readonly string[]) => number> = {
  page: pageCost,
  urls: (body: PricedJob & PricedPage) => body.urls.length * pageCost(body),
  // A limit that was not set promises nothing: the crawl goes as far as the credits.
  limit: ({ limit, scrapeOptions, zeroDataRetention }: PricedJob, given) =>
    (given.includes('limit') ? limit : 1) * pageCost({ ...scrapeOptions, zeroDataRetention }),
  map: () => PRICES.map,
  search: searchCost,
  research: () => PRICES.search,
  session: ({ prompt }: { prompt?: string }) =>
    prompt === undefined ? PRICES.browserMinute : PRICES.promptedBrowserMinute,
  run: () => PRICES.run,
};

/** Refuses what the budget does not cover before anything is done. Throws INSUFFICIENT_CREDITS. */
export const createCostRule =
  (budgets: Pick<Budgets, 'check'>): RequestRule =>
  async (caller, { costs }, body, given) => {
    if (costs === undefined) return;
    await budgets.check(caller, COSTS[costs](body as never, given));
  };
