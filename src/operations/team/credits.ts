// What operations cost. No request is refused for lack of credits, but clients and teams want to see the numbers.
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import type { PageHeader, Verdict } from '../../contracts/page.ts';
import type { ParsedFileFacts } from '../../contracts/parsed.ts';

/** All other failures are free. */
const FAILURE_CREDITS: Partial<Record<ErrorCode, number>> = {
  SCRAPE_DNS_RESOLUTION_ERROR: 1,
  SCRAPE_LOCKDOWN_CACHE_MISS: 1,
};
const LOCKDOWN_HIT_CREDITS = 5;
const PAGE_CREDITS = 1;
const ENHANCED_CREDITS = 5;
const ZERO_RETENTION_CREDITS = 1;

interface Priced {
  page: Pick<PageHeader, 'proxyClass'>;
  verdict: Verdict;
  document?: ParsedFileFacts;
  fromCache: boolean;
  lockdown: boolean;
  zeroDataRetention: boolean;
}

export function scrapeCredits(priced: Priced): number {
  const { page, verdict, document, fromCache, lockdown, zeroDataRetention } = priced;
  // A login wall, empty shell or the like is not billed as the page.
  if (verdict.kind !== 'content') return 0;
  if (lockdown) return LOCKDOWN_HIT_CREDITS;
  const base = page.proxyClass === 'enhanced' && !fromCache ? ENHANCED_CREDITS : PAGE_CREDITS;
  // The base price includes the first page.
  const morePages = document?.kind === 'pdf' ? Math.max(0, (document.numPages ?? 1) - 1) * PAGE_CREDITS : 0;
  return base + morePages + (zeroDataRetention ? ZERO_RETENTION_CREDITS : 0);
}

/** Credits per ten results, rounded up. */
const SEARCH_PRICES = { search: 2, anonymous: 2, traceless: 10 };

interface PricedSearch {
  isAnonymous: boolean;
  isTraceless: boolean;
}

/** Without scrapes of the results, which are billed separately. */
export function searchCredits(results: number, { isAnonymous, isTraceless }: PricedSearch): number {
  const { search, anonymous, traceless } = SEARCH_PRICES;
  return Math.ceil(results / 10) * (search + (isAnonymous ? anonymous : 0) + (isTraceless ? traceless : 0));
}

export const failureCredits = (error: unknown): number =>
  error instanceof ServiceError ? (FAILURE_CREDITS[error.code] ?? 0) : 0;

const SESSION_CREDITS_PER_MINUTE = 2;

/** Billed by the second, but at least one minute. */
export const sessionCredits = (durationMs: number): number =>
  Math.ceil((Math.max(60_000, durationMs) / 60_000) * SESSION_CREDITS_PER_MINUTE);
