// The route table: the server, the OpenAPI file and the docs are made from it. Paths that the contract documents and this
// version does not serve yet stand in PLANNED_ROUTES and answer 501.
import { z } from 'zod';
import { batchRequest, batchResponse } from './batch.ts';
import { BROWSER_ROUTES } from './browser-routes.ts';
import {
  activeCrawlsResponse,
  crawlPreviewRequest,
  crawlPreviewResponse,
  crawlRequest,
  crawlResponse,
} from './crawl.ts';
import { feedbackRequest, feedbackResponse, searchFeedbackRequest } from './feedback.ts';
import { cancelResponse, jobErrorsResponse, jobStatusQuery, jobStatusResponse } from './job.ts';
import { mapRequest, mapResponse } from './map.ts';
import { PARSE_ROUTES } from './parse-routes.ts';
import { scrapeRequest, scrapeResponse } from './scrape.ts';
import { searchRequest, searchResponse } from './search.ts';
import { concurrencyResponse, creditUsageResponse, queueStatusResponse } from './team.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  method: Method;
  /** Parameters are written `:name`. */
  path: string;
  summary: string;
  /** Paths without a key: probes, the interface description, and files whose link is the key; nothing that works or tells. */
  open?: true;
  request?: z.ZodType;
  /** A file comes in: beside the options in a form (which JSON may replace), or as the whole body. */
  upload?: 'form' | 'raw';
  /** What may stand behind the `?`. */
  query?: z.ZodObject;
  response: z.ZodType;
  /** Of the response, where it is not JSON. */
  contentType?: string;
  /** Takes the header x-idempotency-key: what is asked for a second time with the same key is refused. */
  idempotent?: true;
  /** The same path also speaks WebSocket: the progress of a job, as it happens. */
  watch?: true;
  /** Names the key of the request body that holds what is to be fetched (false: its URL is only read); the egress corpus runs against each. */
  fetches?: string | false;
}

const fileLinkQuery = z.object({
  expires: z.string().describe('Until when the link works, in milliseconds since 1970'),
  sig: z.string().describe('What makes the link valid, as it was given'),
});
const health = z.object({ status: z.enum(['ok', 'unavailable']) });

export const ROUTES = {
  scrape: {
    method: 'POST',
    path: '/v2/scrape',
    summary: 'Scrape one page and get it in the formats you ask for',
    request: scrapeRequest,
    response: scrapeResponse,
    fetches: 'url',
  },
  getScrape: {
    method: 'GET',
    path: '/v2/scrape/:id',
    summary: 'The stored result of an earlier scrape, for 24 hours',
    response: scrapeResponse,
  },
  ...PARSE_ROUTES,
  batchScrape: {
    method: 'POST',
    path: '/v2/batch/scrape',
    summary: 'Scrape many pages with the same options',
    request: batchRequest,
    response: batchResponse,
    idempotent: true,
    fetches: 'urls',
  },
  batchStatus: {
    method: 'GET',
    path: '/v2/batch/scrape/:id',
    summary: 'How far a batch is, and its documents',
    query: jobStatusQuery,
    response: jobStatusResponse,
    watch: true,
  },
  cancelBatch: {
    method: 'DELETE',
    path: '/v2/batch/scrape/:id',
    summary: 'End a batch; what is done stays readable',
    response: cancelResponse,
  },
  batchErrors: {
    method: 'GET',
    path: '/v2/batch/scrape/:id/errors',
    summary: 'Which pages of a batch failed, and why',
    response: jobErrorsResponse,
  },
  crawl: {
    method: 'POST',
    path: '/v2/crawl',
    summary: 'Scrape a site: its sitemaps and everything that links lead to',
    request: crawlRequest,
    response: crawlResponse,
    idempotent: true,
    fetches: 'url',
  },
  crawlPreview: {
    method: 'POST',
    path: '/v2/crawl/params-preview',
    summary: 'Crawl options from a prompt (needs a language model)',
    request: crawlPreviewRequest,
    response: crawlPreviewResponse,
    fetches: false,
  },
  activeCrawls: {
    method: 'GET',
    path: '/v2/crawl/active',
    summary: 'The crawls that run',
    response: activeCrawlsResponse,
  },
  ongoingCrawls: {
    method: 'GET',
    path: '/v2/crawl/ongoing',
    summary: 'The crawls that run (the older name)',
    response: activeCrawlsResponse,
  },
  crawlStatus: {
    method: 'GET',
    path: '/v2/crawl/:id',
    summary: 'How far a crawl is, and its documents',
    query: jobStatusQuery,
    response: jobStatusResponse,
    watch: true,
  },
  cancelCrawl: {
    method: 'DELETE',
    path: '/v2/crawl/:id',
    summary: 'End a crawl; what is done stays readable',
    response: cancelResponse,
  },
  crawlErrors: {
    method: 'GET',
    path: '/v2/crawl/:id/errors',
    summary: 'Which pages of a crawl failed, and why, and which robots.txt forbade',
    response: jobErrorsResponse,
  },
  map: {
    method: 'POST',
    path: '/v2/map',
    summary: 'List the addresses of a site',
    request: mapRequest,
    response: mapResponse,
    fetches: 'url',
  },
  search: {
    method: 'POST',
    path: '/v2/search',
    summary: 'Search everything that was ever fetched and the configured providers; scrape the results if asked to',
    request: searchRequest,
    response: searchResponse,
    fetches: false,
  },
  searchFeedback: {
    method: 'POST',
    path: '/v2/search/:id/feedback',
    summary: 'Rate a search',
    request: searchFeedbackRequest,
    response: feedbackResponse,
    fetches: false,
  },
  feedback: {
    method: 'POST',
    path: '/v2/feedback',
    summary: 'Rate a search, a scrape or a map',
    request: feedbackRequest,
    response: feedbackResponse,
    fetches: false,
  },
  creditUsage: {
    method: 'GET',
    path: '/v2/team/credit-usage',
    summary: 'Credits used and left in this month',
    response: creditUsageResponse,
  },
  queueStatus: {
    method: 'GET',
    path: '/v2/team/queue-status',
    summary: 'What runs and what waits for this team',
    response: queueStatusResponse,
  },
  concurrencyCheck: {
    method: 'GET',
    path: '/v2/concurrency-check',
    summary: 'How many scrapes run for this team, and how many may',
    response: concurrencyResponse,
  },
  ...BROWSER_ROUTES,
  file: {
    method: 'GET',
    path: '/files/:file/:name',
    summary: 'A picture or document that an answer links to, until the link expires',
    open: true,
    query: fileLinkQuery,
    response: z.unknown(),
    contentType: '*/*',
  },
  openapi: {
    method: 'GET',
    path: '/v2/openapi.json',
    summary: 'This interface as OpenAPI 3.1',
    open: true,
    response: z.record(z.string(), z.unknown()),
  },
  manual: {
    method: 'GET',
    path: '/docs/:name',
    summary: 'A chapter of the manual, as Markdown',
    open: true,
    response: z.string(),
    contentType: 'text/markdown; charset=utf-8',
  },
  liveness: {
    method: 'GET',
    path: '/v0/health/liveness',
    summary: 'Is the process alive',
    open: true,
    response: health,
  },
  readiness: {
    method: 'GET',
    path: '/v0/health/readiness',
    summary: 'Is the service ready to work (503 while it starts or stops)',
    open: true,
    response: health,
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;

/** Documented, and answered with 501 until they are built. */
export const PLANNED_ROUTES: readonly `${Method} /${string}`[] = [
  'GET /v2/search/research/papers',
  'GET /v2/search/research/papers/:id',
  'GET /v2/search/research/papers/:id/similar',
  'GET /v2/search/research/github',
  'GET /v2/search/developer',
  'POST /v2/search/developer',
  'GET /v2/developer/search',
  'POST /v2/developer/search',
  'POST /v2/extract',
  'GET /v2/extract/:id',
  'POST /v2/agent',
  'GET /v2/agent',
  'GET /v2/agent/threads/:id',
  'GET /v2/agent/:id',
  'DELETE /v2/agent/:id',
  'GET /v2/agent/:id/trace',
  'GET /v2/agent/:id/snapshots/:snapshotId',
  ...(['browser', 'interact'] as const).flatMap(
    (name) => [`GET /v2/${name}/:id/replay`, `GET /v2/${name}/:id/replay/:pageId`] as const,
  ),
  'GET /v2/team/credit-usage/historical',
  'GET /v2/team/token-usage',
  'GET /v2/team/token-usage/historical',
  'GET /v2/team/activity',
  'GET /v2/team/threat-protection',
  'PUT /v2/team/threat-protection',
  'GET /v2/team/siem',
  'PUT /v2/team/siem',
  'POST /v2/monitor',
  'GET /v2/monitor',
  'GET /v2/monitor/:id',
  'PATCH /v2/monitor/:id',
  'DELETE /v2/monitor/:id',
  'POST /v2/monitor/:id/run',
  'GET /v2/monitor/:id/checks',
  'GET /v2/monitor/:id/checks/:checkId',
  'POST /v2/support/ask',
  'POST /v2/support/docs-search',
  'GET /exchange/discover',
  'POST /v2/mcp/action-logs',
];
