// Variants of a page: the options that change what a site sends, and nothing else. Each is cached separately, and the
// best one known stands for the page in the index.

import type { ScrapeOptions } from '../contracts/scrape/scrape-options.ts';
import type { PageVariant } from '../page/page.ts';
import { normaliseUrl } from '../urls/url.ts';
import { hashOf } from '../util/hash.ts';

export const pageVariant = ({ mobile, location, waitFor, blockAds, proxy }: ScrapeOptions): PageVariant => ({
  mobile,
  location,
  waitFor,
  blockAds,
  // `auto` starts as `basic`, so both share pages. Whether a browser was needed depends on the page, not the request.
  proxy: proxy === 'enhanced' ? 'enhanced' : 'basic',
});

/** The cache key of a variant. */
export const pageKey = (url: URL, { mobile, location, waitFor, blockAds, proxy, ...more }: PageVariant): string =>
  hashOf(normaliseUrl(url), mobile, location, waitFor, blockAds, proxy, 'http', ...Object.values(more));

/** 0 is the best. Waiting and proxies are ways to get the same page, so they do not count. */
export function variantRank({ mobile, location, blockAds }: PageVariant, isVerified: boolean): number {
  const isDefaultLocation = location.country === 'US' && location.languages.join() === 'en-US';
  return (isVerified ? 0 : 4) + (mobile ? 2 : 0) + (isDefaultLocation && blockAds ? 0 : 1);
}
