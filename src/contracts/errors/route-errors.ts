// Which errors a route can answer with. The OpenAPI file lists them by status, and tests compare every answer with them.
import { ERROR_TABLE, type ErrorCode } from './errors.ts';

const ALWAYS: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'UNKNOWN_ERROR'];
/** The store is asked whose key it is, if for nothing else. */
const WITH_KEY: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'TOO_MANY_WRONG_KEYS',
  'RATE_LIMITED',
  'KEY_RESTRICTED',
  'NETWORK_NOT_ALLOWED',
  'FORBIDDEN_ORIGIN',
  'CSRF_TOKEN_INVALID',
  'STORAGE_UNAVAILABLE',
  'STORAGE_DAMAGED',
];
const WITH_BODY: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'BAD_REQUEST_INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

const allCodes = Object.keys(ERROR_TABLE) as ErrorCode[];

/** Open routes that only the operator may use, with a key or a session of the console. */
export const OPERATOR_ERRORS: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'TOO_MANY_WRONG_KEYS',
  'FORBIDDEN_ORIGIN',
  'STORAGE_UNAVAILABLE',
  'STORAGE_DAMAGED',
];

/** The rules about URLs do not allow one of the request. */
export const URL_ERRORS: readonly ErrorCode[] = ['UNSUPPORTED_SITE', 'unsafe_domain_blocked', 'SAFE_MODE_BLOCKED'];

/** Everything that can go wrong when a page is read. */
export const PAGE_ERRORS: readonly ErrorCode[] = [
  'INSUFFICIENT_CREDITS',
  'FEATURE_NOT_ENABLED',
  ...URL_ERRORS,
  'QUEUE_FULL',
  'CONCURRENCY_QUEUE_TIMEOUT',
  'PROFILE_UNREADABLE',
  'NO_BROWSER',
  'NO_MEDIA_TOOLS',
  'PII_MODEL_UNAVAILABLE',
  'REDACTION_FAILED',
  ...allCodes.filter((code) => /^(?:SCRAPE|DOCUMENT|MODEL|ARCHIVE)_/.test(code)),
];

/** A job is started by a request that could be wrong in the same ways, but its pages fail later. */
export const JOB_START_ERRORS: readonly ErrorCode[] = [
  'ARCHIVE_NEEDS_STORAGE',
  'INSUFFICIENT_CREDITS',
  'FEATURE_NOT_ENABLED',
  ...URL_ERRORS,
  'IDEMPOTENCY_KEY_USED',
  'QUEUE_FULL',
  'NO_BROWSER',
  'NO_MEDIA_TOOLS',
  'PII_MODEL_UNAVAILABLE',
  'SCRAPE_ACTIONS_NOT_SUPPORTED',
  'SCRAPE_BRANDING_NOT_SUPPORTED',
];

/** A model could not turn a `prompt` into options. */
export const PROMPT_ERRORS: readonly ErrorCode[] = ['NEEDS_MODEL', 'CRAWL_PROMPT_FAILED'];

export const JOB_ERRORS: readonly ErrorCode[] = ['INVALID_JOB_ID', 'JOB_NOT_FOUND'];

const ONLY_OF_JOBS = new Set<ErrorCode>(['INSUFFICIENT_CREDITS', 'IDEMPOTENCY_KEY_USED', 'QUEUE_FULL', 'NEEDS_MODEL']);
/** A monitor is refused for what would make its checks fail. */
export const MONITOR_START_ERRORS: readonly ErrorCode[] = JOB_START_ERRORS.filter((code) => !ONLY_OF_JOBS.has(code));

/** Providers could not be asked, or a paper could not be read. */
export const RESEARCH_ERRORS: readonly ErrorCode[] = [...PAGE_ERRORS, 'PAPER_NOT_FOUND', 'SOURCES_UNAVAILABLE'];

export const SESSION_ERRORS: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'SESSION_NOT_FOUND',
  'SESSION_ENDED',
  'SESSION_KEY_ENDED',
  'NO_BROWSER',
];

/** What of a route decides. */
interface Described {
  open?: true;
  request?: object;
  query?: object;
  upload?: string;
  invalidRequest?: ErrorCode;
  fails?: readonly ErrorCode[];
}

export function routeErrors(route: Described): ErrorCode[] {
  const hasInput = route.request !== undefined || route.upload !== undefined;
  const codes = [
    ...(route.open ? [] : WITH_KEY),
    ...(hasInput ? WITH_BODY : []),
    ...(route.query ? (['BAD_REQUEST'] as const) : []),
    ...(route.invalidRequest ? [route.invalidRequest] : []),
    ...(route.fails ?? []),
    ...ALWAYS,
  ];
  return [...new Set(codes)];
}
