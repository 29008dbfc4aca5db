// What readers of the several kinds of sitemap share: what they find, what they refuse, and how an address is read.
import { ServiceError } from '../../contracts/errors.ts';

export interface SitemapEntry {
  /** http(s), absolute, without user name. Anyone may have written it, and it may point anywhere. */
  url: string;
  /** ISO 8601, whatever spelling the site used. */
  lastModified?: string;
  title?: string;
}

/** What was found since it was last asked. */
export interface SitemapBatch {
  entries: SitemapEntry[];
  /** Further sitemap files, by an index. */
  sitemaps: string[];
}

/** Takes the text of one file piece by piece. After an error, what was found before it can still be taken. */
export interface SitemapReader {
  /** Throws ServiceError for what is broken, too large, or no sitemap. */
  write(text: string): void;
  end(): void;
  take(): SitemapBatch;
}

export interface Collector {
  add(kind: keyof SitemapBatch, entry: SitemapEntry): void;
  take(): SitemapBatch;
}

const MAX_ADDRESS = 16_384;

export function createCollector(maxUrls: number): Collector {
  let found: SitemapBatch = { entries: [], sitemaps: [] };
  let count = 0;
  return {
    add(kind, entry) {
      if (count === maxUrls) throw broken(`More than ${maxUrls} addresses are in one file; the rest was left out.`);
      count += 1;
      if (kind === 'entries') found.entries.push(entry);
      else found.sitemaps.push(entry.url);
    },
    take() {
      const taken = found;
      found = { entries: [], sitemaps: [] };
      return taken;
    },
  };
}

/** The address that a sitemap means by `text`, or undefined if it is none that could be fetched. */
export function readAddress(text: string, base: URL): string | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  // Escaped twice, or once where nothing needs it: no real address has it.
  const address = text.trim().replaceAll('&amp;', '&');
  if (address === '') return undefined;
  const url = /^https?:/i.test(address) ? URL.parse(address) : URL.parse(address, base.href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.username === '' && url.password === '' ? url.href : undefined;
}

export const broken = (message: string, cause?: unknown) => new ServiceError('SCRAPE_SITE_ERROR', { message, cause });

export const notASitemap = () =>
  new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', { message: 'What is there is neither a sitemap nor a feed.' });
