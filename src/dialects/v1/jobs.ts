// Crawls and batches of v1: the same jobs as those of today, under addresses of their own.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { objectOf } from '../shared/sent-fields.ts';
import { readScrapeOptions, withScheme } from './scrape-options.ts';

const DEFAULT_DEPTH = 10;
/** No site has deeper paths, and expressions may not repeat a group without end. */
const DEEPEST = 100;

export async function startCrawl({ body, prefix }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const {
    maxDepth,
    ignoreSitemap,
    allowBackwardLinks,
    crawlEntireDomain,
    scrapeOptions,
    url: sentUrl,
    ...given
  } = objectOf(body);
  const url = withScheme(sentUrl);
  const { options, warning } = readScrapeOptions(objectOf(scrapeOptions));
  const depth = depthOf(maxDepth);
  if (depthOfUrl(url) > depth) {
    const message = `The path of \`url\` has more than ${depth} parts, which is \`maxDepth\`: nothing could be crawled. Raise \`maxDepth\`.`;
    throw new ServiceError('BAD_REQUEST', { message });
  }
  const { id } = await trawl.call('crawl', {
    isIdempotent: true,
    body: {
      ...given,
      url,
      ...(depth < DEEPEST && { excludePaths: withDepth(given, depth) }),
      ...(ignoreSitemap === true && { sitemap: 'skip' }),
      ...((allowBackwardLinks === true || crawlEntireDomain === true) && { crawlEntireDomain: true }),
      scrapeOptions: options,
    },
  });
  return { body: { success: true, id, url: `${prefix}/crawl/${id}` }, warnings: [warning] };
}

function depthOf(given: unknown = DEFAULT_DEPTH): number {
  if (given === null) return DEFAULT_DEPTH;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given;
  throw new ServiceError('BAD_REQUEST', { message: 'Bad Request: `maxDepth` must be a whole number from 0.' });
}

const depthOfUrl = (url: unknown): number =>
  (URL.parse(String(url))?.pathname ?? '').split('/').filter((part) => part !== '').length;

/** The caller's expressions, and one for paths with more parts. */
function withDepth({ excludePaths, regexOnFullURL }: Record<string, unknown>, depth: number): unknown {
  const deeper = depth === 0 ? '[^/]+' : `([^/]+/){${depth}}[^/]+`;
  const expression = regexOnFullURL === true ? `^[a-zA-Z]+://[^/]+/${deeper}` : `^/?${deeper}`;
  if (excludePaths === undefined || excludePaths === null) return [expression];
  // What is no list is refused with the call.
  return Array.isArray(excludePaths) ? [...excludePaths, expression] : excludePaths;
}

export async function startBatch({ body, prefix }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { urls, ignoreInvalidURLs, ...given } = objectOf(body);
  const { options, warning } = readScrapeOptions(given);
  const { id, invalidURLs } = await trawl.call('batchScrape', {
    isIdempotent: true,
    body: {
      ...options,
      urls: Array.isArray(urls) ? urls.map(withScheme) : urls,
      ignoreInvalidURLs: ignoreInvalidURLs === true,
    },
  });
  const answer = { success: true, id, url: `${prefix}/batch/scrape/${id}` };
  return { body: { ...answer, ...(invalidURLs && { invalidURLs }) }, warnings: [warning] };
}

type JobCall = 'crawlStatus' | 'batchStatus';

export const jobStatus =
  (call: JobCall) =>
  async (request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> => {
    const read = (id: JobCall) => readStatus(id, request, trawl);
    if (call === 'batchStatus') return read(call);
    // The SDK of v1 waits for the end of a batch at the path of crawls.
    return read(call).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'JOB_NOT_FOUND') return read('batchStatus');
      throw error;
    });
  };

async function readStatus(
  call: JobCall,
  { params, query, baseUrl }: DialectRequest,
  trawl: Trawl,
): Promise<DialectAnswer> {
  const { skip, limit } = query;
  const text = await trawl.text(call, {
    params: { id: params.id! },
    query: { ...(skip !== undefined && { skip }), ...(limit !== undefined && { limit }) },
  });
  return { body: withOwnNext(text, baseUrl) };
}

/** Where the next page is, in the head of a status: documents follow it, of which there may be megabytes. */
function withOwnNext(text: JsonText, baseUrl: string): JsonText {
  const bytes = Buffer.from(text.bytes.buffer, text.bytes.byteOffset, text.bytes.byteLength);
  const start = `"next":"${baseUrl}/v`;
  // Quotes within texts are escaped, so neither can be found in one.
  const at = bytes.indexOf(start);
  if (at >= 0 && at < bytes.indexOf('"data":[')) bytes.write('1', at + Buffer.byteLength(start));
  return text;
}

export const cancelJob =
  (call: 'cancelCrawl' | 'cancelBatch') =>
  async ({ params }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> => {
    const { status } = await trawl.call(call, { params: { id: params.id! } });
    return { body: { status } };
  };

export const jobErrors =
  (call: 'crawlErrors' | 'batchErrors') =>
  async ({ params }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> => {
    const { errors, robotsBlocked } = await trawl.call(call, { params: { id: params.id! } });
    return { body: { errors, robotsBlocked } };
  };
