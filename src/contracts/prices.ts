// What everything costs, in credits. The one list of prices: what is charged, what is held before, and what is estimated all
// come from here. X (Twitter) pages have no price of their own, because this server reads them like any other page.

import { type FormatTraits, traitsOf } from './formats/format-traits.ts';
import type { Format } from './formats/formats.ts';

export const PRICES = {
  /** A page that was read, from the site or from the cache, whatever its status. */
  page: 1,
  /** Each further page of a PDF; `page` includes the first. */
  furtherPdfPage: 1,
  /** Instead of `page`, if a proxy for hard sites was needed. */
  enhancedPage: 5,
  /** Instead of `page`; a hit is not charged for zero data retention. */
  lockdownHit: 5,
  lockdownMiss: 1,
  /** The host name of the page does not exist. All other failures are free. */
  unknownHost: 1,
  zeroDataRetention: 1,
  /** `json`, or `changeTracking` with the mode `json`: 5 in total with the page. */
  extraction: 4,
  /** `question` or `query` of a page, or an answer from several pages. What is not stated is free. */
  answer: 4,
  highlights: 4,
  /** `deterministicJson`: 3 in total if a stored program was run, 10 if one was written. */
  programReused: 2,
  programWritten: 9,
  /** `audio` and `video`, each. */
  media: 4,
  /** For each page of a PDF, and once for anything else. */
  redaction: 4,
  /** The whole page was checked for instructions to models. */
  injectionCheck: 4,
  /** Each URL that a risk service was asked about. */
  threatScan: 2,
  map: 1,
  /** For every ten results begun, without the pages that are scraped. An anonymous search costs the same. */
  search: 2,
  /** Instead of `search`, if nothing about it may be stored. */
  tracelessSearch: 10,
  /** For every hundred documents begun that are ranked. */
  rerank: 1,
  /** A minute of a browser, charged by the second after the first minute. */
  browserMinute: 2,
  /** Instead, for all minutes of a session in which a prompt ran. */
  promptedBrowserMinute: 7,
  /** A page or result that a monitor has judged. */
  judgedChange: 1,
  /** The least that is needed to begin what is priced by what it does: agents, extractions, checks, previews of crawls. */
  run: 1,
} as const;

type PricedItem = NonNullable<FormatTraits['price']>;

/** What a format costs in addition to its page. */
export const priceOf = (format: Format): PricedItem | undefined =>
  format.type === 'changeTracking' && format.modes.includes('json') ? 'extraction' : traitsOf(format.type).price;

/** What the formats of a page cost at most in addition to it. */
export function formatCredits(formats: readonly Format[]): number {
  const items = formats.flatMap((format) => priceOf(format) ?? []);
  const once = new Set(items.filter((item) => item !== 'media'));
  const media = items.length - items.filter((item) => item !== 'media').length;
  return [...once].reduce((sum, item) => sum + PRICES[item], media * PRICES.media);
}

const RESULTS_PER_PRICE = 10;
const DOCUMENTS_PER_PRICE = 100;

export const rerankPrice = (documents: number): number => Math.ceil(documents / DOCUMENTS_PER_PRICE) * PRICES.rerank;

/** Without scrapes of the results, which are billed separately. */
export const searchPrice = (results: number, { isTraceless }: { isTraceless: boolean }): number =>
  Math.ceil(results / RESULTS_PER_PRICE) * (isTraceless ? PRICES.tracelessSearch : PRICES.search);
