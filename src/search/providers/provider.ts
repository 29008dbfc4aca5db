// Port: somebody who can be asked for search results. One file in providers/ for each; what all of them need (HTTP, keys,
// time limits, circuit breakers) is around them, so that a provider only translates.
import type { Category, Clause, Conditions, Query, Source } from '../../contracts/search-query.ts';
import type { Ask } from '../federation/provider-http.ts';

export interface ProviderQuery {
  query: Query;
  conditions: Conditions;
  source: Source;
  /** How many results are wanted in one answer; a provider gives at most its `maxCount`. */
  count: number;
  /** 0 for the first answer, then 1, 2, ... */
  page: number;
  now: number;
}

/** Everything is as the provider says it; whoever asked checks it. */
export interface ProviderResult {
  url: string;
  title: string;
  /** Plain text, without markup. */
  description: string;
  date?: number;
  /** Of an image: the picture itself, while `url` is the page that shows it. Of news: a picture beside it. */
  imageUrl?: string;
  imageWidth?: number;
  imageHeight?: number;
}

export interface ProviderAnswer {
  results: ProviderResult[];
  /** Whether another page is worth asking for. */
  hasMore: boolean;
}

/** What the provider itself sees to; everything else is enforced afterwards on what can be seen of a result. */
export interface Capabilities {
  /** Clause kinds that it honours reliably, with and without a minus, in the text it is sent or as parameters. */
  clauses: readonly Clause['kind'][];
  /** Which limits of time it keeps; results of others need a date of their own. */
  time: 'none' | 'presets' | 'range';
  /** includeDomains and excludeDomains. */
  domains: boolean;
  maxCount: number;
  /** How many pages there are at most. */
  maxPages: number;
}

export interface ProviderContext {
  /** The base address: the operator's, else the provider's own. No slash at its end. */
  url: string;
  /** Undefined where none is needed or set. */
  key: string | undefined;
  /** Which of the operator's own search engines is asked (Google's cx). */
  engine?: string;
  ask: Ask;
  signal: AbortSignal;
}

export interface Provider {
  name: string;
  /** As people write it. */
  label: string;
  /** Undefined: there is none, the operator gives it. */
  url?: string;
  /** What the operator must set before it is asked: a key, an address, or nothing. */
  needs: 'key' | 'url' | 'nothing';
  /** Asked only when it is named in TRAWL_SEARCH_PROVIDERS. */
  isOptIn?: true;
  sources: readonly Source[];
  /** Asked only when one of these categories is; absent: whatever the categories. */
  onlyFor?: readonly Category[];
  /** Whatever it gives belongs to this category, whatever its host. */
  category?: Category;
  capabilities(source: Source): Capabilities;
  /** False: nothing it has can fit what is asked, so it is not asked. Absent: it may always have something. */
  covers?(query: ProviderQuery): boolean;
  search(query: ProviderQuery, context: ProviderContext): Promise<ProviderAnswer>;
}
