// The route table, from which the server, the OpenAPI file and the docs are made. Calls that the contract documents but this
// version does not serve are in planned-routes.ts.
import { z } from 'zod';
import { AGENT_ROUTES } from './agent/agent-routes.ts';
import { EXTRACT_ROUTES } from './agent/extract-routes.ts';
import { ARCHIVE_ROUTES } from './archive/archive-routes.ts';
import { nameText } from './bounds.ts';
import { BROWSER_ROUTES } from './browser/browser-routes.ts';
import { COLLECTION_ROUTES } from './collection/collection-routes.ts';
import { CONSOLE_SESSION_ROUTES } from './console/console-session-routes.ts';
import { JOB_ROUTES } from './crawl/job-routes.ts';
import { mapRequest, mapResponse } from './crawl/map.ts';
import type { ErrorCode, ErrorStyle } from './errors/errors.ts';
import { JOB_ERRORS, PAGE_ERRORS } from './errors/route-errors.ts';
import { chaptersResponse } from './manual.ts';
import { MONITOR_MAIL_ROUTES } from './monitor/monitor-mail-routes.ts';
import { MONITOR_ROUTES } from './monitor/monitor-routes.ts';
import { ONBOARDING_ROUTES } from './onboarding/onboarding-routes.ts';
import { OPERATOR_ROUTES } from './operator/operator-routes.ts';
import { STATE_ROUTES } from './operator/state-routes.ts';
import { QUERY_ROUTES } from './query/query-routes.ts';
import { PARSE_ROUTES } from './scrape/parse-routes.ts';
import { scrapeRequest, scrapeResponse } from './scrape/scrape.ts';
import { FEEDBACK_ROUTES } from './search/feedback-routes.ts';
import { RESEARCH_ROUTES } from './search/research-routes.ts';
import { SEARCH_ROUTES } from './search/search-routes.ts';
import { STORED_PAGE_ROUTES } from './search/stored-page-routes.ts';
import { AUDIT_ROUTES } from './team/audit-routes.ts';
import { KEY_ROUTES } from './team/key-routes.ts';
import { TEAM_ROUTES } from './team/team-routes.ts';
import { THREAT_ROUTES } from './threats/threat-routes.ts';
import { WEBHOOK_ROUTES } from './webhooks/webhook-routes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  method: Method;
  /** With parameters as `:name`. */
  path: string;
  /** Its path in earlier versions of the interface, at which it answers as well. */
  formerly?: string;
  summary: string;
  /** Needs no key: health checks, the interface description, the manual, and links that are keys themselves. */
  open?: true;
  /** Only for the operator: with a key of the default team, or from this machine itself. */
  operator?: true;
  request?: z.ZodType;
  /** Largest body of an open route in bytes, if not the usual limit. */
  maxBodyBytes?: number;
  /** The error for an invalid body; BAD_REQUEST unless set. */
  invalidRequest?: ErrorCode;
  /** Takes a file: in a form beside the options (or JSON without a file), or as the whole body. */
  upload?: 'form' | 'raw';
  /** The query string. */
  query?: z.ZodObject;
  /** Query parameters that may be sent several times; they arrive as lists. */
  repeatable?: readonly string[];
  /** Built when it is first asked for: no call needs it, only the docs, MCP and the tests. Half of all schemas are answers. */
  response: z.ZodLazy | z.ZodString | z.ZodUnknown;
  /** Content type of a response that is not JSON; several if the request chooses. With a key, it is sent as a download. */
  contentType?: string | readonly string[];
  /** Answers with server-sent events if `stream` is true in its body, else with JSON. */
  streams?: true;
  /** Answers with JSON, or with a download if the `format` of its body names one. */
  downloads?: true;
  /** How errors are written, for clients of these calls that look elsewhere for code and text; see errors.ts. */
  errorStyle?: ErrorStyle;
  /** The Cache-Control header of its answers, if any. */
  cacheControl?: string;
  /** Told in headers of its answers: that the call is deprecated, and which path replaces it. */
  deprecated?: { replacement: string; notice: string };
  /** Accepts the header x-idempotency-key: a second request with the same key is refused. */
  idempotent?: true;
  /** The path also accepts a WebSocket, which streams the progress of the job. */
  watch?: true;
  /** The name in the OpenAPI file, where the specification gives one. Default: the key in ROUTES. */
  operationId?: string;
  /** Errors of this operation, besides those of every request with a key or a body. */
  fails?: readonly ErrorCode[];
  /** The body's key with the URL to fetch (false: none, or only by another operation). The egress corpus attacks each of them. */
  fetches?: string | false;
}

const fileLinkQuery = z.object({
  expires: nameText.describe('When the link expires, in milliseconds since 1970.'),
  sig: nameText.describe('The signature of the link.'),
});

export const ROUTES = {
  scrape: {
    method: 'POST',
    path: '/v2/scrape',
    summary: 'Scrape one page in the formats you request',
    request: scrapeRequest,
    response: scrapeResponse,
    fetches: 'url',
    fails: [...PAGE_ERRORS, 'KEYLESS_LIMIT_REACHED', 'NOT_IMPLEMENTED'],
  },
  getScrape: {
    method: 'GET',
    path: '/v2/scrape/:id',
    summary: 'Get the result of an earlier scrape, for 24 hours',
    response: scrapeResponse,
    // A scrape of a batch or a search that failed is answered with its error.
    fails: [...JOB_ERRORS, ...PAGE_ERRORS],
  },
  ...PARSE_ROUTES,
  ...JOB_ROUTES,
  ...ARCHIVE_ROUTES,
  map: {
    method: 'POST',
    path: '/v2/map',
    summary: 'List the URLs of a site',
    request: mapRequest,
    response: mapResponse,
    fetches: 'url',
    fails: [...PAGE_ERRORS, 'MAP_TIMEOUT', 'MAP_FAILED'],
  },
  ...SEARCH_ROUTES,
  ...RESEARCH_ROUTES,
  ...FEEDBACK_ROUTES,
  ...AGENT_ROUTES,
  ...EXTRACT_ROUTES,
  ...MONITOR_ROUTES,
  ...MONITOR_MAIL_ROUTES,
  ...COLLECTION_ROUTES,
  ...TEAM_ROUTES,
  ...KEY_ROUTES,
  ...STORED_PAGE_ROUTES,
  ...QUERY_ROUTES,
  ...THREAT_ROUTES,
  ...AUDIT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...BROWSER_ROUTES,
  ...ONBOARDING_ROUTES,
  ...CONSOLE_SESSION_ROUTES,
  ...OPERATOR_ROUTES,
  file: {
    method: 'GET',
    path: '/files/:file/:name',
    summary: 'Get a file that an answer links to, until the link expires',
    open: true,
    query: fileLinkQuery,
    response: z.unknown(),
    contentType: '*/*',
    fails: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED'],
  },
  openapi: {
    method: 'GET',
    path: '/v2/openapi.json',
    summary: 'Get the OpenAPI 3.1 description of this interface',
    open: true,
    response: z.lazy(() => z.record(z.string(), z.unknown())),
  },
  chapters: {
    method: 'GET',
    path: '/docs',
    summary: 'List the chapters of the manual',
    open: true,
    response: chaptersResponse,
  },
  manual: {
    method: 'GET',
    path: '/docs/:group/:name',
    summary: 'Get a chapter of the manual, as Markdown',
    open: true,
    response: z.string(),
    contentType: 'text/markdown; charset=utf-8',
    fails: ['NOT_FOUND'],
  },
  formerChapter: {
    method: 'GET',
    path: '/docs/:name',
    summary: 'Redirect to a chapter of the manual, from an address that it had in earlier versions',
    open: true,
    response: z.string(),
    contentType: 'text/markdown; charset=utf-8',
    fails: ['NOT_FOUND'],
  },
  ...STATE_ROUTES,
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
