// The cache key of a page: everything that changes what the target sends, and nothing else.
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import { hashOf } from '../util/hash.ts';
import { normaliseUrl } from '../util/url.ts';

type Variant = Pick<ScrapeOptions, 'mobile' | 'location' | 'waitFor' | 'blockAds' | 'proxy'>;

export const pageKey = (url: URL, { mobile, location, waitFor, blockAds, proxy }: Variant): string =>
  // `auto` starts as `basic`, so both share pages. Whether a browser was needed depends on the page, not the request.
  hashOf(normaliseUrl(url), mobile, location, waitFor, blockAds, proxy === 'enhanced' ? 'enhanced' : 'basic', 'http');
