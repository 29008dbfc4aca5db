// Port: the index of all pages ever fetched. It follows the store, which numbers its changes; the index applies them in
// order. An index that is lost or behind catches up by reading on from its last change.
import type { PageOwner, Viewer } from '../contracts/page-owner.ts';
import type { Conditions, Query } from '../contracts/search-query.ts';

export interface IndexChange {
  /** Ascending. The index saves the number of the last change in the transaction that applies it. */
  change: number;
  owner: PageOwner;
  url: string;
  /** Whether no certificate on the way to the page was invalid. */
  isVerified: boolean;
  /** When the store first saw this URL. */
  firstSeenAt: number;
  /** The JSON of an IndexEntry in UTF-8; null removes the page. */
  entry: Uint8Array | null;
}

/** Which pages may answer at all. */
export interface VisiblePages {
  viewer: Viewer;
  /** Leaves out pages that were fetched over a connection with an invalid certificate. */
  verifiedOnly: boolean;
}

export interface IndexSearch extends VisiblePages {
  query: Query;
  conditions: Conditions;
  limit: number;
  /** Whether to return the best passage. */
  highlights: boolean;
  now: number;
}

/** Pages that others found, by their normalised URLs. */
export interface PassageSearch extends VisiblePages {
  query: Query;
  urls: readonly string[];
}

export interface PageHit {
  url: string;
  title: string;
  /** The page's own description. */
  description: string;
  /** The best passage for the query, verbatim; absent if not requested or if none fits. */
  highlight?: string;
  /** Publication date, else when the store first saw the page. */
  date: number;
  /** Whether `date` comes from the page itself. */
  isPublished: boolean;
  fileType: string;
  imageUrl?: string;
  isVerified: boolean;
  score: number;
  /** Share of the query's words on the page; 1 when the search was not ranked by words. */
  coverage: number;
}

export interface ImageHit {
  title: string;
  /** The page that shows the image. */
  url: string;
  imageUrl: string;
  width?: number;
  height?: number;
  isVerified: boolean;
  score: number;
}

export interface IndexStats {
  pages: number;
  images: number;
  /** Entries that could not be read since the index was opened. */
  skipped: number;
}

export interface PageIndex {
  /** Number of the last applied change; 0 for an empty index. */
  applied(): Promise<number>;
  /** Applies changes in order and skips those already applied. Searches run in between. The bytes of entries may be moved. */
  apply(changes: IndexChange[]): Promise<void>;
  /** Removes everything, so that the changes start again at the first one. */
  clear(): Promise<void>;
  web(search: IndexSearch): Promise<PageHit[]>;
  /** Only news pages, newer ones preferred. */
  news(search: IndexSearch): Promise<PageHit[]>;
  images(search: IndexSearch): Promise<ImageHit[]>;
  /** The best passage of each page; null if the index does not have it, or nothing in it fits. */
  passages(wanted: PassageSearch): Promise<(string | null)[]>;
  stats(): Promise<IndexStats>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}
