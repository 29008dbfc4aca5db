// The pages that an answer is made from: the best results of a search, read from the cache or from their sites.

import { type AnswerRequest, MAX_ANSWER_PAGES } from '../../contracts/answer/answer.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Format } from '../../contracts/formats/formats.ts';
import { harmlessHeaders } from '../../contracts/scrape/given-headers.ts';
import { type SearchRequest, searchRequest } from '../../contracts/search/search.ts';
import type { AnswerPage } from '../../understand/answer/answer-work.ts';
import type { Caller } from '../caller.ts';
import type { PartOf } from '../charged.ts';
import { aboutPage } from '../gather/gathered-page.ts';
import type { SearchChecks } from '../search/check-results.ts';
import { createResultScraper, type ScrapedResult } from '../search/scrape-results.ts';
import { runSearch, type SearchDeps } from '../search/search.ts';
import { addressKey } from '../search/search-source.ts';
import type { OnProgress } from './answer-events.ts';

export interface AnswerSources {
  /** The best first. */
  pages: AnswerPage[];
  warnings: string[];
  /** What the search and the pages have cost. */
  credits: number;
}

export interface Circumstances {
  /** How many pages are read. */
  limit: number;
  partOf: PartOf;
  threatChecks: SearchChecks;
  isTraceless: boolean;
  /** When the pages have to be read. */
  ends: number;
  baseUrl: string;
  onProgress: OnProgress;
}

interface SearchAnswer {
  creditsUsed: number;
  warning?: string;
  data: { web?: { url: string; title?: string }[] };
}

const MARKDOWN: Format[] = [{ type: 'markdown' }];

export async function findPages(
  deps: SearchDeps,
  caller: Caller,
  asked: SearchRequest,
  { limit, ...circumstances }: Circumstances,
): Promise<AnswerSources> {
  const { partOf, threatChecks, baseUrl, onProgress } = circumstances;
  const billedAs = (threatCheck: SearchChecks['ofResults']) => ({ ...partOf, ...(threatCheck && { threatCheck }) });
  const searching = runSearch(deps, caller, asked, baseUrl, billedAs(threatChecks.ofResults));
  const { bytes } = await searching.catch((error: unknown) => Promise.reject(asOfAnswer(error)));
  const { creditsUsed, warning, data } = JSON.parse(Buffer.from(bytes).toString()) as SearchAnswer;
  const urls = (data.web ?? []).map(({ url }) => url);
  onProgress({ step: 'found', pages: urls.length });
  const { scrapeOptions } = asked;
  const headers = harmlessHeaders(scrapeOptions.headers);
  const scrape = createResultScraper(
    deps,
    caller,
    { ...asked, scrapeOptions: { ...scrapeOptions, headers, formats: MARKDOWN } },
    { ...circumstances, deadline: circumstances.ends, partOf: billedAs(threatChecks.ofPages) },
  );
  const read = await readBest(urls, limit, async (url) => {
    const page = await scrape(url);
    const problem = problemOf(page);
    onProgress(problem === undefined ? { step: 'read', url } : { step: 'failed', url, error: problem });
    return problem === undefined ? { url, page } : { url, page, problem };
  });
  const unread = read.flatMap(({ url, problem }) => (problem === undefined ? [] : [`${url} (${problem})`]));
  return {
    pages: pagesOf(read),
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...(unread.length > 0 ? [`Pages that could not be read: ${unread.join(', ')}.`] : []),
    ],
    credits: creditsUsed + read.reduce((sum, { page }) => sum + page.credits, 0),
  };
}

/** More results than are read. */
export function searchFor({ query, limit: _, stream: __, ...request }: AnswerRequest): SearchRequest {
  const defaults = searchRequest.parse({ query });
  return { ...defaults, ...request, limit: MAX_ANSWER_PAGES, highlights: false };
}

interface ReadResult {
  url: string;
  page: ScrapedResult;
  /** Why it cannot be read. */
  problem?: string;
}

/** As many as are wanted; the next result takes the place of one that cannot be read. */
async function readBest(
  urls: readonly string[],
  wanted: number,
  read: (url: string) => Promise<ReadResult>,
): Promise<ReadResult[]> {
  const all: ReadResult[] = [];
  const missing = () => wanted - all.filter(({ problem }) => problem === undefined).length;
  for (let from = 0; from < urls.length && missing() > 0; ) {
    const next = urls.slice(from, from + missing());
    from += next.length;
    all.push(...(await Promise.all(next.map(read))));
  }
  return all;
}

function problemOf({ content, metadata }: ScrapedResult): string | undefined {
  if (metadata.error !== undefined) return withoutStop(metadata.error);
  return markdownOf(content).trim() === '' ? 'the page has no text' : undefined;
}

const markdownOf = (content: Uint8Array): string =>
  (JSON.parse(Buffer.from(content).toString()) as { markdown?: string | null }).markdown ?? '';

const withoutStop = (text: string): string => text.replace(/[.\s]+$/, '');

/** Two results may lead to the same page. */
function pagesOf(read: readonly ReadResult[]): AnswerPage[] {
  const seen = new Set<string>();
  return read.flatMap(({ page, problem }) => {
    const { metadata, content } = page;
    if (problem !== undefined || 'errorCode' in metadata) return [];
    const key = addressKey(metadata.url);
    if (seen.has(key)) return [];
    seen.add(key);
    const { title, language } = aboutPage(metadata);
    return [
      { url: metadata.url, markdown: markdownOf(content), ...(title && { title }), ...(language && { language }) },
    ];
  });
}

/** Searches answer bad requests without a code, as their clients expect; answers have one. */
function asOfAnswer(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_SEARCH_REQUEST') return error;
  const { message, details } = error;
  return new ServiceError('BAD_REQUEST', { message, ...(details && { details }) });
}
