// Scrapes search results in parallel, within the time of the search. Each failure is reported with its result.

import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { DocumentMetadata } from '../../contracts/scrape/document.ts';
import type { SearchRequest } from '../../contracts/search/search.ts';
import { createGate } from '../../runtime/gate/gate.ts';
import type { Caller } from '../caller.ts';
import type { PartOf } from '../charged.ts';
import { type ScrapeDeps, scrapePage } from '../scrape.ts';
import { failureCredits } from '../team/credits.ts';

const AT_ONCE = 10;
/** Time reserved for writing the answer. */
const RESERVE_MS = 250;
const SHORTEST_SCRAPE_MS = 50;

/** The content is the JSON text of the requested formats, or an empty object if the page could not be read. */
export interface ScrapedResult {
  content: Uint8Array;
  metadata: DocumentMetadata | FailedMetadata;
  warning?: string;
  credits: number;
}

interface FailedMetadata {
  sourceURL: string;
  url: string;
  statusCode: number;
  error: string;
  /** From the table of errors, as in the lists of failed pages of jobs. */
  errorCode: ErrorCode;
}

export type ScrapeResult = (url: string) => Promise<ScrapedResult>;

interface Circumstances {
  /** When the timeout of the search ends. */
  deadline: number;
  isTraceless: boolean;
  baseUrl: string;
  /** The search that pays for the scrapes. */
  partOf: PartOf;
}

export function createResultScraper(
  deps: ScrapeDeps,
  caller: Caller,
  { scrapeOptions }: SearchRequest,
  { deadline, isTraceless, baseUrl, partOf }: Circumstances,
): ScrapeResult {
  const gate = createGate({ size: AT_ONCE, clock: deps.clock });
  const pages = new Map<string, Promise<ScrapedResult>>();

  const scrapeOnce = async (url: string): Promise<ScrapedResult> => {
    const { leave } = await gate.enter({ team: caller.team.id }, 'result', caller.signal);
    try {
      const time = deadline - RESERVE_MS - deps.clock.now();
      if (time < SHORTEST_SCRAPE_MS) throw new ServiceError('SCRAPE_TIMEOUT', { message: OUT_OF_TIME });
      const timeout = Math.min(scrapeOptions.timeout, time);
      const request = { ...scrapeOptions, timeout, url, zeroDataRetention: isTraceless };
      const { content, metadata, warning } = await scrapePage(deps, caller, request, baseUrl, partOf);
      return { content, metadata, warning, credits: metadata.creditsUsed };
    } catch (error) {
      caller.signal.throwIfAborted();
      return failed(url, error);
    } finally {
      leave();
    }
  };

  return (url) => {
    const page = pages.get(url) ?? scrapeOnce(url);
    pages.set(url, page);
    return page;
  };
}

const OUT_OF_TIME =
  'The search ran out of time before this page was scraped. Raise `timeout`, or request fewer results.';

function failed(url: string, error: unknown): ScrapedResult {
  const { status, message, code } = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR');
  return {
    content: Buffer.from('{}'),
    metadata: { sourceURL: url, url, statusCode: status, error: message, errorCode: code },
    credits: failureCredits(error),
  };
}
