// What an agent, an extraction or a check may do with the web: our own operations, under the policy of the caller, within the
// limits of the run. Each call is a step of the run, so that none is repeated after a restart.

import type { Format } from '../../contracts/formats.ts';
import type { Citation } from '../../contracts/understanding.ts';

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
  statusCode?: number;
  markdown: string;
  links: string[];
  /** Of the format `json`, if it was requested. */
  json?: unknown;
  /** Where each value of `json` stands, by path. */
  citations?: Record<string, Citation>;
  warning?: string;
}

/** Why a page or a list could not be had, in words for the caller and for a model. */
export interface Refused {
  refused: string;
  code: string;
}

export interface WebLimits {
  /** Only these URLs and what is below them may be read; undefined: any. */
  onlyWithin?: readonly string[];
  maxPagesPerHost: number;
  maxCredits: number;
}

export interface WebTools {
  search(query: string, options?: { limit?: number }): Promise<FoundPage[] | Refused>;
  map(url: string, options?: { search?: string; limit?: number }): Promise<FoundPage[] | Refused>;
  scrape(url: string, options?: { formats?: Format[] }): Promise<GatheredPage | Refused>;
}
