// Port: the page cache. It keeps fetched pages by cache key and, beside each, the transform results made from it.
import type { FetchedPage, PageHeader, TransformOutcome } from '../contracts/page.ts';

export interface PageQuery {
  key: string;
  transformKey: string;
  /** Fetched at or after this time ... */
  from: number;
  /** ... and at or before this one. */
  until: number;
  now: number;
}

/** A cached page: with the result when one was made for the same transform key, else with its bytes. */
export type CachedPage =
  | { header: PageHeader; resultId: string; outcome: TransformOutcome }
  | { header: PageHeader; pageId: number; bytes: Uint8Array };

export interface PageStore {
  /**
   * Keeps a page and its first result in one transaction. `expiresAt` null keeps it until it is evicted.
   * The bytes are copied: the caller may go on using them.
   */
  put(key: string, url: string, page: FetchedPage, expiresAt: number | null, result: NewResult): Promise<string>;
  /** Keeps a result that nothing but a scrape refers to, or (with `pageId`) one more result of a cached page. */
  putResult(result: NewResult, pageId?: number): Promise<string>;
  /** The newest page of that key whose age fits. */
  find(query: PageQuery): Promise<CachedPage | undefined>;
  /** Removes every cached variant of a URL. */
  delete(url: string): Promise<number>;
  /** Removes what has expired, then the least recently used pages until the cache fits its size limit. */
  sweep(now: number): Promise<void>;
}

export interface NewResult {
  transformKey: string;
  outcome: TransformOutcome;
  now: number;
}
