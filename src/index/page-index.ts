// Port: the index of everything that was ever fetched. It follows the store: changes are numbered there and taken in here,
// in order, so that an index that is lost, or behind, is only a matter of reading on.
import type { Conditions, Query } from '../contracts/search-query.ts';

export interface IndexChange {
  /** Ascending; the index remembers the last one it took in, in the same transaction. */
  change: number;
  url: string;
  /** When the store first had this address. */
  firstSeenAt: number;
  /** The JSON of an IndexEntry in UTF-8; null: the page is to be forgotten. */
  entry: Uint8Array | null;
}

export interface IndexSearch {
  query: Query;
  conditions: Conditions;
  limit: number;
  /** Whether the best passage is wanted. */
  highlights: boolean;
  now: number;
}

export interface PageHit {
  url: string;
  title: string;
  /** The page's own. */
  description: string;
  /** The best passage for the query, verbatim; absent when none was asked for or none fits. */
  highlight?: string;
  /** When it was published, else when the store first saw it. */
  date: number;
  /** Whether `date` is the page's own word. */
  isPublished: boolean;
  fileType: string;
  imageUrl?: string;
  score: number;
  /** Which part of the query's words it has; 1 where they did not choose it. */
  coverage: number;
}

export interface ImageHit {
  title: string;
  /** The page that shows it. */
  url: string;
  imageUrl: string;
  width?: number;
  height?: number;
  score: number;
}

export interface IndexStats {
  pages: number;
  images: number;
  /** Entries that could not be read, since the index was opened. */
  skipped: number;
}

export interface PageIndex {
  /** The last change that was taken in; 0 for an empty index. */
  applied(): Promise<number>;
  /** In order; those that were taken in before are passed over. Searches go on in between. */
  apply(changes: IndexChange[]): Promise<void>;
  /** Forgets everything: the changes begin anew. */
  clear(): Promise<void>;
  web(search: IndexSearch): Promise<PageHit[]>;
  /** Pages that are news, the newest preferred. */
  news(search: IndexSearch): Promise<PageHit[]>;
  images(search: IndexSearch): Promise<ImageHit[]>;
  stats(): Promise<IndexStats>;
  /** Waits for the calls under way. */
  close(): Promise<void>;
}
