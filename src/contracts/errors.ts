// Every error a caller can meet, in one table: code, HTTP status, text. `ServiceError` is the only thing that is thrown on purpose.

interface ErrorEntry {
  status: number;
  text: string;
}

const table = {
  // Requests that cannot be served as they are.
  BAD_REQUEST: { status: 400, text: 'Bad Request' },
  BAD_REQUEST_INVALID_JSON: { status: 400, text: 'Bad request, malformed JSON' },
  INVALID_JOB_ID: { status: 400, text: 'Invalid job ID format. Job ID must be a valid UUID.' },
  SCRAPE_ACTIONS_NOT_SUPPORTED: {
    status: 400,
    text: 'Page actions need a browser, and this service has none. Send the request without `actions`.',
  },
  SCRAPE_ACTION_ERROR: {
    status: 400,
    text: 'One of the `actions` could not be done. The message and `details` name it, counted from 0.',
  },
  NO_VALID_URLS: { status: 400, text: 'No valid URLs provided' },
  NEEDS_MODEL: {
    status: 400,
    text: 'This needs a language model, and none can be configured in this version. Give the options themselves instead of a `prompt`.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    text: 'This type of file cannot be read here. PDF, office documents, e-books, mails, notebooks, text of any kind and pictures can.',
  },
  PARSE_UNSUPPORTED_OPTIONS: { status: 400, text: 'An uploaded file is not visited: options for visits do not apply.' },
  UNAUTHORIZED: { status: 401, text: 'Unauthorized' },
  FEATURE_NOT_ENABLED: { status: 403, text: 'This feature is not enabled for your team.' },
  EXECUTE_NOT_ALLOWED: {
    status: 403,
    text: 'This server runs no code of callers. Its operator can allow it, in a sandbox: TRAWL_BROWSER_EXECUTE=on, or a list of node, python and bash.',
  },
  FORBIDDEN_ORIGIN: { status: 403, text: 'Requests from other web pages are refused while authentication is off.' },
  UNSUPPORTED_SITE: {
    status: 403,
    text: 'This address cannot be reached from here: private, loopback and reserved networks are refused. If it is yours, list its host or network in TRAWL_ALLOW_NETWORKS.',
  },
  NOT_FOUND: { status: 404, text: 'There is nothing at this path. GET /v2/openapi.json lists what there is.' },
  JOB_NOT_FOUND: { status: 404, text: 'Job not found.' },
  SESSION_NOT_FOUND: { status: 404, text: 'Browser session not found.' },
  PROFILE_NOT_FOUND: { status: 404, text: 'There is no profile of this name.' },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    text: 'Nothing in the cache fits `minAge` (and `maxAge`). Leave `minAge` out to scrape the page now.',
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    text: 'The page is not in the cache, and `lockdown` allows no request to the outside.',
  },
  METHOD_NOT_ALLOWED: { status: 405, text: 'This path does not take this method.' },
  IDEMPOTENCY_KEY_USED: { status: 409, text: 'Idempotency key already used' },
  JOB_FINISHED: { status: 409, text: 'The job has ended already.' },
  PROFILE_IN_USE: {
    status: 409,
    text: 'Another browser session will save this profile when it ends. End that session first, or open the profile with `saveChanges: false`.',
  },
  PROFILE_TOO_LARGE: {
    status: 413,
    text: 'The sites of this profile have stored more than a profile may hold (20 MB). What was saved before is kept.',
  },
  REPLAY_UNAVAILABLE: { status: 409, text: 'The scrape could not be done again in a browser session.' },
  SESSION_ENDED: { status: 410, text: 'Browser session has been destroyed.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    text: 'The request body is larger than this service accepts (TRAWL_MAX_REQUEST_MB).',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Send the body as JSON, with `Content-Type: application/json`.' },

  DOCUMENT_ENCRYPTED: {
    status: 422,
    text: 'The document is encrypted and cannot be read without its password. Remove the protection first.',
  },
  DOCUMENT_DAMAGED: { status: 422, text: 'The document is damaged: nothing could be read from it.' },
  DOCUMENT_TOO_COMPLEX: {
    status: 422,
    text: 'The document needs more time or memory than one document may take, or unpacks to far more than it is.',
  },

  // Limits.
  SCRAPE_TIMEOUT: {
    status: 408,
    text: 'The scrape did not finish within its `timeout`. Allow more time, or ask for less.',
  },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    text: 'The request waited for a free place until its time ran out. Send fewer requests at once, or allow a longer `timeout`.',
  },
  MAP_TIMEOUT: {
    status: 408,
    text: 'The map was not finished within its `timeout`. Allow more time, or lower `limit`.',
  },
  TOO_MANY_SESSIONS: {
    status: 429,
    text: 'The maximum number of active browser sessions is reached (TRAWL_MAX_SESSIONS). End one, or wait until one expires.',
  },
  PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
    status: 429,
    text: 'Ten uploads wait to be parsed already. Parse one of them, or wait until they expire.',
  },
  QUEUE_FULL: { status: 429, text: 'Too many requests are waiting already. Retry in a few seconds.' },

  // What went wrong out there.
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 200, text: 'The host name could not be resolved. Check its spelling.' },
  SCRAPE_SITE_ERROR: { status: 500, text: 'The site could not be read.' },
  SCRAPE_SSL_ERROR: {
    status: 500,
    text: 'The site offered no valid TLS certificate. Set `skipTlsVerification: true` to read it all the same.',
  },
  SCRAPE_PROXY_SELECTION_ERROR: {
    status: 500,
    text: 'The upstream proxy did not carry the request. Check TRAWL_PROXY and TRAWL_PROXY_ENHANCED.',
  },
  SCRAPE_AUDIO_UNSUPPORTED_URL: { status: 500, text: 'No audio or video was found at this URL that could be fetched.' },
  SCRAPE_VIDEO_UNSUPPORTED_URL: { status: 500, text: 'No video was found at this URL that could be fetched.' },
  SCRAPE_MEDIA_ACCESS_DENIED: { status: 403, text: 'The site lets nobody fetch this media file without signing in.' },
  SCRAPE_MEDIA_TOO_LARGE: {
    status: 500,
    text: 'The media file is larger or longer than this service fetches (TRAWL_MAX_MEDIA_MB).',
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: { status: 500, text: 'This type of file cannot be turned into text here.' },
  SCRAPE_PAGE_TOO_LARGE: { status: 500, text: 'The page is larger than this service reads (TRAWL_MAX_PAGE_MB).' },
  CRAWL_DENIAL: { status: 500, text: 'The page is outside of the crawl.' },
  MAP_FAILED: { status: 500, text: 'The site could not be mapped.' },
  SCRAPE_ALL_ENGINES_FAILED: { status: 500, text: 'No engine could read the page.' },

  // The service itself.
  PROFILE_UNREADABLE: {
    status: 500,
    text: 'This profile was saved with another secret, or is damaged. Restore the file `secret` of the data folder, or delete the profile and make it anew.',
  },
  UNKNOWN_ERROR: { status: 500, text: 'An unexpected error occurred.' },
  NOT_IMPLEMENTED: { status: 501, text: 'This operation is documented but not part of this version yet.' },
  NO_MEDIA_TOOLS: { status: 503, text: 'This needs ffmpeg, and this service has none.' },
  NO_BROWSER: { status: 503, text: 'This needs a browser, and this service has none.' },
  SANDBOX_UNAVAILABLE: { status: 503, text: 'The sandbox that code runs in cannot be set up on this machine.' },
  SERVICE_UNAVAILABLE: { status: 503, text: 'The service is starting or shutting down. Retry in a few seconds.' },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

export const ERROR_TABLE: Readonly<Record<ErrorCode, Readonly<ErrorEntry>>> = table;

export interface ErrorDetail {
  code: string;
  path: (string | number)[];
  message: string;
}

export interface ErrorOptions {
  /** Replaces the table's text where the case at hand can be named more exactly. */
  message?: string;
  details?: ErrorDetail[] | Record<string, unknown>;
  cause?: unknown;
  /** Seconds for a `Retry-After` header. */
  retryAfter?: number;
}

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorOptions['details'];
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERROR_TABLE[code].text, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERROR_TABLE[code].status;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}

export interface ErrorBody {
  success: false;
  code: string;
  error: string;
  details?: ErrorOptions['details'];
}

export const errorBody = (error: ServiceError): ErrorBody => ({
  success: false,
  code: error.code,
  error: error.message,
  ...(error.details && { details: error.details }),
});
