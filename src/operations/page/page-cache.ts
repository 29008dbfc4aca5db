// When a scrape may read from the cache, what age it accepts, and for how long what it fetched may stay there.
import type { PageHeader, Verdict } from '../../contracts/page.ts';
import { DEFAULT_MAX_AGE_MS, LOCKDOWN_MAX_AGE_MS, type ScrapeOptions } from '../../contracts/scrape-options.ts';

const DOUBTFUL_PAGE_MS = 5 * 60_000;

/** Callers' headers, actions and profiles make a page private: it neither comes from the shared cache nor goes there. */
export const isPrivate = (options: ScrapeOptions): boolean =>
  options.actions.length > 0 || Object.keys(options.headers).length > 0 || options.profile !== undefined;

/** Links to pictures and media expire before the pages do: what has any is made anew. */
export const hasCaptures = ({ formats }: ScrapeOptions): boolean =>
  formats.some(({ type }) => ['screenshot', 'audio', 'video'].includes(type));

/** Lockdown and minAge ask the cache and nothing else. */
export const cacheOnly = (options: ScrapeOptions): boolean => options.lockdown || options.minAge !== undefined;

/** Between which times a cached copy must have been fetched, or undefined when the cache is not to be asked. */
export function acceptedAge(options: ScrapeOptions, now: number): { from: number; until: number } | undefined {
  if (isPrivate(options) || hasCaptures(options)) return undefined;
  const maxAge = options.maxAge ?? defaultMaxAge(options);
  if (maxAge === 0 && !cacheOnly(options)) return undefined;
  return { from: now - maxAge, until: now - (options.minAge ?? 0) };
}

function defaultMaxAge(options: ScrapeOptions): number {
  if (options.lockdown) return LOCKDOWN_MAX_AGE_MS;
  // With minAge alone the caller wants something old: the usual limit would exclude just that.
  return options.minAge === undefined ? DEFAULT_MAX_AGE_MS : Number.MAX_SAFE_INTEGER;
}

/** When a page leaves the cache by itself: null for real content, soon for what is not. */
export const cacheExpiry = (page: PageHeader, verdict: Verdict): number | null =>
  page.status >= 400 || verdict.kind !== 'content' ? page.fetchedAt + DOUBTFUL_PAGE_MS : null;
