// Port: a source of search results. Each adapter only translates; HTTP, keys, time limits and circuit breakers are
// handled by federation/.
import type { CodeItem } from '../../contracts/search/code-item.ts';
import type { Paper } from '../../contracts/search/paper.ts';
import type { Category, Clause, Conditions, Query, Source } from '../../contracts/search/search-query.ts';
import type { Ask } from '../federation/provider-http.ts';

export interface ProviderQuery {
  query: Query;
  conditions: Conditions;
  source: Source;
  /** Results wanted in one answer; a provider returns at most its `maxCount`. */
  count: number;
  /** From 0. */
  page: number;
  now: number;
}

/** As the provider reports it, unchecked. */
export interface ProviderResult {
  url: string;
  title: string;
  /** Plain text, without markup. */
  description: string;
  date?: number;
  /** For images, the image file, while `url` is the page that shows it. For news, an illustration. */
  imageUrl?: string;
  imageWidth?: number;
  imageHeight?: number;
  /** If the conditions ask for papers. */
  paper?: Paper;
  /** If the conditions ask for code. */
  code?: CodeItem;
}

export interface ProviderAnswer {
  results: ProviderResult[];
  /** Whether there may be another page. */
  hasMore: boolean;
}

/** What the provider itself filters reliably. Everything else is checked on the results. */
export interface Capabilities {
  /** Clause kinds that it honours, with and without a minus, in the query text or as parameters. */
  clauses: readonly Clause['kind'][];
  /** Time filters that it honours. For others, results need a date of their own. */
  time: 'none' | 'presets' | 'range';
  /** includeDomains and excludeDomains. */
  domains: boolean;
  maxCount: number;
  maxPages: number;
}

export interface ProviderContext {
  /** Base URL without trailing slash: the operator's, else the provider's own. */
  url: string;
  /** Undefined if none is needed or set. */
  key: string | undefined;
  /** The operator's custom search engine (Google's cx). */
  engine?: string;
  ask: Ask;
  /** The headers with which pages are read, for a provider that has only a web page. */
  pageHeaders?(language: string): Promise<Record<string, string>>;
  signal: AbortSignal;
}

export interface Provider {
  name: string;
  /** Display name. */
  label: string;
  /** Undefined: the operator must set one. */
  url?: string;
  /** What the operator must set before the provider is used. */
  needs: 'key' | 'url' | 'nothing';
  /** Shortest time between two requests to it, over all searches. */
  everyMs?: number;
  sources: readonly Source[];
  /** Used only when one of these categories is requested; absent: always. */
  onlyFor?: readonly Category[];
  /** All its results belong to this category, whatever their host. */
  category?: Category;
  capabilities(source: Source): Capabilities;
  /** False when no result can match, so the request is skipped. Absent: always true. */
  covers?(query: ProviderQuery): boolean;
  search(query: ProviderQuery, context: ProviderContext): Promise<ProviderAnswer>;
}
