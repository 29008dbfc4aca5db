// What a scrape costs. Nobody is refused for want of credits; clients and teams want to see the numbers.
import { type ErrorCode, ServiceError } from '../contracts/errors.ts';
import type { PageHeader, Verdict } from '../contracts/page.ts';

/** Failures are free, but for these. */
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
  fromCache: boolean;
  lockdown: boolean;
  zeroDataRetention: boolean;
}

export function scrapeCredits({ page, verdict, fromCache, lockdown, zeroDataRetention }: Priced): number {
  // What stands in the place of a page is not sold as one.
  if (verdict.kind !== 'content') return 0;
  if (lockdown) return LOCKDOWN_HIT_CREDITS;
  const base = page.proxyClass === 'enhanced' && !fromCache ? ENHANCED_CREDITS : PAGE_CREDITS;
  return base + (zeroDataRetention ? ZERO_RETENTION_CREDITS : 0);
}

export const failureCredits = (error: unknown): number =>
  error instanceof ServiceError ? (FAILURE_CREDITS[error.code] ?? 0) : 0;
