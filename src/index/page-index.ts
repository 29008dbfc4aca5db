// Port: the index of all pages ever fetched. It follows the store, which numbers its changes; the index applies them in
// order. An index that is lost or behind catches up by reading on from its last change.

import type { Conditions, Query } from '../contracts/search/search-query.ts';
import type { PageOwner, Viewer } from '../page/page-owner.ts';
import type { TextVector } from '../text/text-vectors.ts';
import type { DomainAction, DomainLists } from '../urls/domain-ranking.ts';
import type { PageField } from './ingest/analyse-page.ts';
import type { MissingVectors, PageVector } from './meaning/page-vectors.ts';
import type { IndexedText } from './pages/page-rows.ts';
import type { BoostPart } from './ranking/boosts.ts';

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
  /** Only pages with these keys (pages/url-key.ts): those of a collection. */
  within?: Float64Array;
}

export interface QueryMeaning {
  vector: TextVector;
  /** Words do not count. */
  isAlone: boolean;
}

export interface IndexSearch extends VisiblePages {
  query: Query;
  conditions: Conditions;
  limit: number;
  /** Whether to return the best passage. */
  highlights: boolean;
  now: number;
  /** What the words of the query mean. Absent: pages are ranked by words. */
  meaning?: QueryMeaning | undefined;
  /** Only pages in one of these languages, if there are any; '' stands for an unknown one. */
  languages?: readonly string[];
  /** Only pages of one of these kinds (pages/page-kind.ts), if there are any. */
  kinds?: readonly string[];
}

/** A search for people who look at the index itself: with marks, counts and reasons. */
export interface IndexFind extends Omit<IndexSearch, 'highlights'> {
  offset: number;
  /** The word that is still being typed: terms that begin with it count as its forms. */
  unfinished?: string | undefined;
  /** Whether to return what each score consists of. */
  explain: boolean;
  /** Whether to count hosts, languages, kinds and dates. */
  facets: boolean;
  /** Pages that answer only if no others do, by their normalised URLs. */
  setApart: readonly string[];
  /** What is wanted of domains; the last of the lists wins. */
  rankings?: readonly (DomainLists | undefined)[];
}

/** A query that may have a typing mistake. */
export interface IndexSuggest extends VisiblePages {
  query: Query;
  conditions: Conditions;
  now: number;
  /** Pages that do not count, by their normalised URLs. */
  setApart: readonly string[];
}

/** Pages that others found, by their normalised URLs. */
export interface PassageSearch extends VisiblePages {
  query: Query;
  urls: readonly string[];
}

/** Pages whose texts are wanted, by their normalised URLs. */
export interface TextSearch extends VisiblePages {
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

/** A part of a text: a word of the query, or what is around it. */
export interface TextSegment {
  text: string;
  isMatch: boolean;
}

/** One reason for a score. The values of all parts add up to the score. */
export interface ScorePart {
  part: 'word' | 'allWords' | 'proximity' | 'meaning' | 'similarity' | BoostPart['part'];
  value: number;
  /** For a word: its text, how many pages have it, and how often it occurs in which field of this page. */
  word?: string;
  pages?: number;
  occurrences?: Partial<Record<PageField, number>>;
}

export interface PageMatch {
  url: string;
  title: TextSegment[];
  /** The passages that fit best; without words to look for, how the page describes itself or begins. */
  passages: TextSegment[][];
  host: string;
  /** Two letters; '' if unknown. */
  language: string;
  kind: string;
  fileType: string;
  date: number;
  isPublished: boolean;
  isVerified: boolean;
  /** Absent if the pages are ordered by date. */
  score?: number;
  parts?: ScorePart[];
  /** Comes after pages with a lower score, because others of its host come before it. */
  isMovedDown: boolean;
  /** What is wanted of its domain; only if explained. */
  ranking?: DomainAction | undefined;
}

export interface FacetCount {
  value: string;
  pages: number;
}

/** Each is counted as if it had no filter itself. */
export interface Facets {
  hosts: FacetCount[];
  languages: FacetCount[];
  kinds: FacetCount[];
  dates: FacetCount[];
}

export interface FoundWord {
  text: string;
  /** The forms that were looked for. */
  terms: string[];
  /** Terms that begin with an unfinished word. */
  completions?: string[];
  /** How many pages have it. */
  pages: number;
  /** A word that is too common to look for beside others. */
  isIgnored: boolean;
}

export interface FoundPages {
  hits: PageMatch[];
  hasMore: boolean;
  total: number;
  totalIs: 'exact' | 'about' | 'atLeast';
  order: 'words' | 'meaning' | 'date' | 'rank' | 'similarity';
  words: FoundWord[];
  /** Only pages that were set apart were found. */
  isSetApart: boolean;
  facets?: Facets;
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
  /** The same of the index that is filled to take the place of this one, whose words are those of an older version. */
  appliedNext(): Promise<number | undefined>;
  /** Applies changes to that index. It takes over when it has as many as this one, or when there are no more. */
  applyNext(changes: IndexChange[]): Promise<void>;
  /** Removes everything, so that the changes start again at the first one. */
  clear(): Promise<void>;
  web(search: IndexSearch): Promise<PageHit[]>;
  /** Only news pages, newer ones preferred. */
  news(search: IndexSearch): Promise<PageHit[]>;
  images(search: IndexSearch): Promise<ImageHit[]>;
  find(find: IndexFind): Promise<FoundPages>;
  /** Another query that finds clearly more pages, if a word of this one is on hardly any page. */
  suggest(wanted: IndexSuggest): Promise<string | null>;
  /** The best passage of each page; null if the index does not have it, or nothing in it fits. */
  passages(wanted: PassageSearch): Promise<(string | null)[]>;
  /** The text of each page; null if the index does not have it. */
  texts(wanted: TextSearch): Promise<(IndexedText | null)[]>;
  /** Pages that have no vector yet, the oldest first. */
  missingVectors(most: number): Promise<MissingVectors>;
  addVectors(vectors: readonly PageVector[]): Promise<void>;
  stats(): Promise<IndexStats>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}
