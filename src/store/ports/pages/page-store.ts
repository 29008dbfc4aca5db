// Port: the page cache. It holds fetched pages by cache key and, with each, the transform results made from it.

import type { Fetched, PageHeader, PageVariant, TransformResult } from '../../../page/page.ts';
import type { PageOwner, Viewer } from '../../../page/page-owner.ts';

export interface PageQuery {
  key: string;
  viewer: Viewer;
  /** Which result of the page is wanted. Absent: its bytes. */
  transformKey?: string;
  /** Only pages that have a screenshot with these options. */
  screenshot?: string;
  /** Leaves out pages that were fetched over a connection with an invalid certificate. */
  verifiedOnly: boolean;
  /** It was as it is here at some time between these two: fetched before the end, last checked after the start. */
  from: number;
  until: number;
  now: number;
}

interface CachedPageFacts {
  pageId: number;
  header: PageHeader;
  /** The id of its file, if the query asked for one. */
  screenshot?: string;
}

/**
 * A cached page: with its result if one exists for the transform key, else with its bytes. Its `fetchedAt` is the last
 * time within the query at which it was known to be like this.
 */
export type CachedPage = CachedPageFacts & ({ resultId: string; outcome: TransformResult } | { bytes: Uint8Array });

export interface PageStore {
  /** Stores a page or a result on its own, in one transaction. Takes over the bytes of the page. */
  save(toStore: PageToStore): Promise<string>;
  /** The newest page with that key whose age fits. */
  find(query: PageQuery): Promise<CachedPage | undefined>;
  /** What is cached of a URL, newest first: for telling a caller why nothing was found. */
  variants(url: string, viewer: Viewer, now: number): Promise<CachedVariant[]>;
  /** Cached pages of a host (and its subdomains, if requested), each in its newest version, newest first. */
  known(query: KnownQuery): Promise<KnownPage[]>;
  /** Where these normalised URLs led when they were last fetched with valid certificates, if that is elsewhere. */
  redirects(urls: readonly string[], viewer: Viewer): Promise<Record<string, string>>;
  /** Removes every cached variant of a URL that belongs to this owner, and the page from the index. */
  delete(url: string, owner: PageOwner): Promise<number>;
  /** Removes what has expired, then the least recently used pages until the cache fits its size limit. */
  sweep(now: number): Promise<void>;
}

export interface NewResult {
  transformKey: string;
  outcome: TransformResult;
  now: number;
}

/** What is still to be written of a page. It becomes durable in the transaction that refers to it. */
export type PageToStore =
  /** The result already belongs to a cached page. */
  | { resultId: string; checked?: PageCheck }
  /** A result that only its scrape refers to or, with `pageId`, another result of a cached page. */
  | { result: NewResult; pageId?: number; checked?: PageCheck }
  /** A page with its first result. */
  | { result: NewResult; page: NewPage };

/** The site said that a cached page has not changed. */
export interface PageCheck {
  pageId: number;
  at: number;
}

export interface CachedVariant {
  variant: PageVariant;
  fetchedAt: number;
  isVerified: boolean;
}

export interface NewPage {
  key: string;
  owner: PageOwner;
  url: string;
  variant: PageVariant;
  /** 0 is the best variant. A worse one replaces a better one in the index only if that is old. */
  rank: number;
  fetched: Fetched;
  /** Null keeps it until it is evicted. */
  expiresAt: number | null;
  /** The screenshot taken of the page: its options as one text, and the id of its file. */
  screenshot?: { options: string; file: string };
  /** The JSON of an IndexEntry in UTF-8. Without it, searches do not find the page. */
  entry?: Uint8Array;
}

export interface KnownQuery {
  viewer: Viewer;
  /** With its port, unless that is the default. */
  host: string;
  subdomains: boolean;
  limit: number;
}

interface KnownPage {
  url: string;
  title?: string;
  description?: string;
}
