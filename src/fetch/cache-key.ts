// Under which name a fetched page is cached: everything that changes what the target sends, and nothing that does not.
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import { hashOf } from '../util/hash.ts';
import { normaliseUrl } from '../util/url.ts';

type Variant = Pick<ScrapeOptions, 'mobile' | 'location' | 'waitFor' | 'blockAds' | 'proxy'>;

export const pageKey = (url: URL, { mobile, location, waitFor, blockAds, proxy }: Variant): string =>
  // `auto` starts as `basic`, so both find the same pages. Whether a browser was needed is the page's own matter.
  hashOf(normaliseUrl(url), mobile, location, waitFor, blockAds, proxy === 'enhanced' ? 'enhanced' : 'basic', 'http');
