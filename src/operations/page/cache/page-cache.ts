// Cache policy: when a scrape may read from the cache, which age it accepts, and how long a page may stay there.

import { type FormatType, traitsOf } from '../../../contracts/formats/format-traits.ts';
import type { ScreenshotOptions } from '../../../contracts/formats/formats.ts';
import { DEFAULT_MAX_AGE_MS, LOCKDOWN_MAX_AGE_MS } from '../../../contracts/scrape/cache-ages.ts';
import { hasHeaders } from '../../../contracts/scrape/given-headers.ts';
import type { OptionsWith } from '../../../contracts/scrape/option-traits.ts';
import type { ScrapeOptions } from '../../../contracts/scrape/scrape-options.ts';
import type { PageHeader, Verdict } from '../../../page/page.ts';
import { changeTrackingOf } from '../changes/history-keys.ts';

const DOUBTFUL_PAGE_MS = 5 * 60_000;
/** Sitemaps are not always right, so a page that they call unchanged is checked with its site at times. */
const UNCHANGED_MAX_AGE_MS = 30 * 86_400_000;

/** A page fetched with the caller's headers, actions or profile is private: it bypasses the shared cache. */
export const privateOptions = ({ headers, actions, profile }: ScrapeOptions): string[] => {
  const sent: Record<OptionsWith<{ isPrivate: true }>, boolean> = {
    headers: hasHeaders(headers),
    actions: actions.length > 0,
    profile: profile !== undefined,
  };
  return (Object.keys(sent) as (keyof typeof sent)[]).filter((name) => sent[name]);
};

/** With `lockdown` or `minAge`, only the cache is read. */
export const cacheOnly = (options: ScrapeOptions): boolean => options.lockdown || options.minAge !== undefined;

/** Formats that a cached copy cannot answer: files that are downloaded, and how the page looks. */
export const uncachedFormats = ({ formats }: Pick<ScrapeOptions, 'formats'>): FormatType[] => [
  ...new Set(formats.map(({ type }) => type).filter((type) => !traitsOf(type).isCached)),
];

/** Whether the cache is not read: what the request gets is private, or is never cached. */
export const bypassesCache = (options: ScrapeOptions): boolean =>
  privateOptions(options).length > 0 ||
  options.archive ||
  options.source !== undefined ||
  (uncachedFormats(options).length > 0 && !cacheOnly(options));

/**
 * When a cached copy must have been fetched, or undefined if none is accepted. A sitemap can say when the page changed:
 * an earlier copy is out of date, and a later one is still good after the usual time.
 */
export function acceptedAge(
  options: ScrapeOptions,
  now: number,
  lastModified?: number,
): { from: number; until: number } | undefined {
  if (bypassesCache(options) || needsFreshLook(options)) return undefined;
  if (options.maxAge === 0 && !cacheOnly(options)) return undefined;
  const until = now - (options.minAge ?? 0);
  if (lastModified === undefined || cacheOnly(options)) {
    return { from: now - (options.maxAge ?? defaultMaxAge(options)), until };
  }
  return { from: Math.max(now - (options.maxAge ?? UNCHANGED_MAX_AGE_MS), lastModified), until };
}

/** A copy as this request sees it: unless a redirect has named a fragment, the page has that of its request. */
export function headerFor(url: URL, copy: PageHeader): PageHeader {
  const final = new URL(copy.finalUrl);
  if (final.hash === new URL(copy.requestedUrl).hash) final.hash = url.hash;
  return { ...copy, requestedUrl: url.href, finalUrl: final.href };
}

function defaultMaxAge(options: ScrapeOptions): number {
  if (options.lockdown) return LOCKDOWN_MAX_AGE_MS;
  // `minAge` alone asks for old copies, which the usual limit would exclude.
  return options.minAge === undefined ? DEFAULT_MAX_AGE_MS : Number.MAX_SAFE_INTEGER;
}

/** Changes are found by looking: a copy from between two looks would hide them. The site may still confirm the copy. */
const needsFreshLook = (options: ScrapeOptions): boolean =>
  changeTrackingOf(options) !== undefined && !cacheOnly(options);

/** Tells the screenshots of a page apart. */
export const screenshotKey = ({ fullPage, quality, viewport }: ScreenshotOptions): string =>
  JSON.stringify([fullPage, quality ?? null, viewport?.width ?? null, viewport?.height ?? null]);

/** When a page expires from the cache: soon for errors and non-content, null (never) for content. */
export const cacheExpiry = (page: PageHeader, verdict: Verdict): number | null =>
  page.status >= 400 || verdict.kind !== 'content' ? page.fetchedAt + DOUBTFUL_PAGE_MS : null;
