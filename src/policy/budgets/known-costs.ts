// What a request is known to cost before it runs: as much is held, and a budget that has less left refuses it. What only turns
// out later (the pages of a PDF, a harder proxy) is charged as far as the budget goes.

import { MAX_ANSWER_PAGES } from '../../contracts/answer/answer.ts';
import { formatCredits, PRICES, searchPrice } from '../../contracts/prices.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { SearchRequest } from '../../contracts/search/search.ts';

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

/** The search and the answer. The pages that are read take holds of their own. */
export const answerCost = ({ zeroDataRetention, enterprise }: Pick<PricedSearch, 'zeroDataRetention' | 'enterprise'>) =>
  searchPrice(MAX_ANSWER_PAGES, { isTraceless: zeroDataRetention || enterprise.includes('zdr') }) + PRICES.answer;

export const pagesCost = (body: PricedPage & { urls: readonly string[] }): number => body.urls.length * pageCost(body);

interface PricedCrawl {
  limit: number;
  scrapeOptions: PricedPage;
  zeroDataRetention: boolean;
}

/** A limit that was not given promises nothing: the crawl goes as far as the credits. */
export const crawlCost = ({ limit, scrapeOptions, zeroDataRetention }: PricedCrawl, given: readonly string[]): number =>
  (given.includes('limit') ? limit : 1) * pageCost({ ...scrapeOptions, zeroDataRetention });

export const interactionCost = ({ prompt }: { prompt?: string | undefined }): number =>
  prompt === undefined ? PRICES.browserMinute : PRICES.promptedBrowserMinute;
