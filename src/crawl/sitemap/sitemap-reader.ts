// What the readers of all sitemap formats share: entries, errors, and how a URL is read.
import { ServiceError } from '../../contracts/errors/errors.ts';

export interface SitemapEntry {
  /** Absolute http(s) URL without credentials. Untrusted: it may point anywhere. */
  url: string;
  /** The latest time at which the page can have changed, in milliseconds, if the sitemap says so. */
  lastModified?: number;
  title?: string;
  /** In llms.txt. */
  description?: string;
}

/** What a reader found since the last `take`. */
export interface SitemapBatch {
  entries: SitemapEntry[];
  /** Further sitemap files, listed by an index. */
  sitemaps: string[];
}

/** Parses the text of one file piece by piece. After an error, entries found before it can still be taken. */
export interface SitemapReader {
  /** Throws ServiceError if the file is broken, too large, or not a sitemap. */
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
      if (count === maxUrls) throw broken(`The file lists more than ${maxUrls} addresses; the rest was left out.`);
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

/** The URL that a sitemap means by `text`; undefined if it cannot be fetched. */
export function readAddress(text: string, base: URL): string | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  // Undoes double escaping: real URLs do not contain `&amp;`.
  const address = text.trim().replaceAll('&amp;', '&');
  if (address === '') return undefined;
  const url = /^https?:/i.test(address) ? URL.parse(address) : URL.parse(address, base.href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.username === '' && url.password === '' ? url.href : undefined;
}

export const broken = (message: string, cause?: unknown) => new ServiceError('SCRAPE_SITE_ERROR', { message, cause });

export const notASitemap = () =>
  new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', { message: 'The file is neither a sitemap nor a feed.' });
