// What an agent, an extraction or a check may do with the web: our own operations, under the policy of the caller, within the
// limits of the run. Each call is a step of the run, so that none is repeated after a restart.
import type { Format } from '../../contracts/formats/formats.ts';
import type { Citation } from '../../page/understanding.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';

export interface FoundPage {
  url: string;
  title?: string;
  description?: string;
}

export interface GatheredPage {
  /** As requested. */
  url: string;
  /** After redirects. */
  finalUrl: string;
  title?: string;
  description?: string;
  language?: string;
  statusCode: number;
  /** Why the page is not the requested content: `login-wall`, `soft-404` and the like. */
  verdict?: string;
  /** Cut if it is long, which `warning` then says. */
  markdown: string;
  /** Links of the whole page, at most a thousand. */
  links: string[];
  /** Where the page says its list goes on (rel=next). */
  next?: string[];
  /** Result of the format `json`, if it was requested. */
  json?: unknown;
  /** What other requested formats gave, by their keys in a Document. */
  more?: Record<string, unknown>;
  /** Where values of the answer stand, by path: `json.price`, `answer`. Offsets are those in the whole Markdown. */
  citations?: Record<string, Citation>;
  warning?: string;
}

/** Why a page or a list could not be had, in words for the caller and for a model. */
export interface Refused {
  refused: string;
  /** Code from the table of errors, or of a limit of the run. */
  code: string;
}

/** Codes of `Refused` for the limits of a run. After the first, everything that costs anything is refused. */
export const LIMIT_CODES = { credits: 'max_credits', host: 'max_pages_per_host', outside: 'outside_of_urls' } as const;

export const isRefused = (answer: object): answer is Refused => 'refused' in answer;

export interface WebLimits {
  /** Only these URLs and what is below them may be read; undefined: any. */
  onlyWithin?: readonly string[];
  maxPagesPerHost: number;
  /** No work is started that would probably exceed it. */
  maxCredits: number;
}

export interface SearchToolOptions {
  limit?: number;
  /** Only results of these hosts. */
  hosts?: readonly string[];
  /** No results of these hosts. */
  excludedHosts?: readonly string[];
  /** How old results may be, as in a search request. */
  tbs?: string;
}

export interface MapToolOptions {
  /** Lists the best matches for these words first. */
  search?: string;
  limit?: number;
  includeSubdomains?: boolean;
  allowExternalLinks?: boolean;
  sitemap?: 'skip' | 'include' | 'only';
}

export interface ScrapeToolOptions {
  /** In addition to Markdown and links, which every page has. */
  formats?: Format[];
}

/** A call that was made before in the same run returns what it returned then, and costs nothing. */
export interface WebTools {
  search(query: string, options?: SearchToolOptions): Promise<FoundPage[] | Refused>;
  map(url: string, options?: MapToolOptions): Promise<FoundPage[] | Refused>;
  scrape(url: string, options?: ScrapeToolOptions): Promise<GatheredPage | Refused>;
  /** Whether a URL may be read at all, by `onlyWithin`. */
  isAllowed(url: string): boolean;
  /** Checks the URLs that one use of a browser wants to open; undefined if no rule applies. */
  openThreatCheck(): Promise<ThreatCheck | undefined>;
}
