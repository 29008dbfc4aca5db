// The one table of errors that callers can get: code, HTTP status, text. A text says what happened, then what to do.
import { BROWSER_ERRORS } from '../browser/browser-errors.ts';
import { COLLECTION_ERRORS } from '../collection/collection-errors.ts';
import { JOB_STATE_ERRORS } from '../crawl/job-errors.ts';
import { ONBOARDING_ERRORS } from '../onboarding/onboarding-errors.ts';
import { OPERATOR_ERRORS } from '../operator/operator-errors.ts';
import { QUERY_ERRORS } from '../query/query-errors.ts';
import { POLICY_ERRORS } from '../team/policy-errors.ts';

interface ErrorEntry {
  status: number;
  text: string;
  /** The `code` of the answer where the public interface has another one, or none. */
  sentAs?: 'UNKNOWN_ERROR' | null;
}

const table = {
  ...JOB_STATE_ERRORS,
  ...COLLECTION_ERRORS,
  ...POLICY_ERRORS,
  ...ONBOARDING_ERRORS,
  ...OPERATOR_ERRORS,
  ...BROWSER_ERRORS,
  ...QUERY_ERRORS,
  // The request cannot be served as it is.
  BAD_REQUEST: { status: 400, text: 'Bad Request' },
  BAD_REQUEST_INVALID_JSON: { status: 400, text: 'Bad request, malformed JSON' },
  INVALID_SEARCH_REQUEST: { status: 400, text: 'Invalid request body', sentAs: null },
  SCRAPE_ACTIONS_NOT_SUPPORTED: {
    status: 400,
    text: '`actions` need a browser, and this server has none. Send the request without `actions`.',
  },
  SCRAPE_BRANDING_NOT_SUPPORTED: {
    status: 400,
    text: "The format 'branding' needs a web page that is shown in a browser. Request other formats for documents, and on servers without a browser.",
  },
  SCRAPE_ACTION_ERROR: {
    status: 400,
    text: 'One of the `actions` failed. The message and `details` say which one, counting from 0.',
  },
  SCRAPE_JSON_CONTENT_TOO_LARGE: {
    status: 400,
    text: 'The page is too long to extract data from it: it has more than 2 million characters. Narrow it down with `includeTags` or `excludeTags`.',
  },
  invalid_token: { status: 400, text: 'The token is not valid. Open the link in the e-mail again.' },
  NO_VALID_URLS: { status: 400, text: 'No valid URLs provided' },
  NEEDS_MODEL: {
    status: 400,
    text: 'A `prompt` needs a language model, and no model can be used. The message says why; the operator can set one with TRAWL_MODEL.',
  },
  CRAWL_PROMPT_FAILED: { status: 400, text: 'Failed to process natural language prompt. Please try rephrasing.' },
  ARCHIVE_NEEDS_STORAGE: {
    status: 400,
    text: 'An archive has to be stored, and with zero data retention nothing may be. Leave out `archive` or `zeroDataRetention`.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    text: 'This file type is not supported. Send a PDF, an office document, an e-book, an email, a notebook, a text file or an image.',
  },
  PARSE_UNSUPPORTED_OPTIONS: {
    status: 400,
    text: 'Options that control page loading (such as `actions`) do not apply to uploads. Leave them out.',
  },
  UNAUTHORIZED: { status: 401, text: 'Unauthorized' },
  FEATURE_NOT_ENABLED: {
    status: 403,
    text: 'This feature is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.',
  },
  FORBIDDEN_ORIGIN: {
    status: 403,
    text: 'Requests from other websites are refused while authentication is off. Set TRAWL_AUTH=required and send a key.',
  },
  SCRAPE_PROMPT_INJECTION_DETECTED: {
    status: 403,
    text: 'The page contains text that tries to give orders to a language model, so it is not returned. Leave out `checkPromptInjection` to get it anyway.',
  },
  UNSUPPORTED_SITE: {
    status: 403,
    text: 'This address is in a private, loopback or reserved network, which the server does not connect to. If the network is yours, list the host or network in TRAWL_ALLOW_NETWORKS.',
  },
  NOT_FOUND: { status: 404, text: 'There is nothing at this path. GET /v2/openapi.json lists all paths.' },
  thread_not_found: {
    status: 404,
    text: 'Thread not found. It is deleted with its last run. Send the request without `threadId` to start a new thread.',
  },
  not_found: { status: 404, text: 'The address is no longer known. There is nothing to confirm or to end.' },
  SEARCH_NOT_FOUND: { status: 404, text: 'There is no search with this ID to rate. Check the ID.' },
  MONITOR_NOT_FOUND: { status: 404, text: 'Monitor not found' },
  CHECK_NOT_FOUND: { status: 404, text: 'Check not found' },
  PAPER_NOT_FOUND: { status: 404, text: 'No catalogue knows a paper with this id. Check the id.' },
  ARCHIVE_NOT_FOUND: {
    status: 404,
    text: 'There is no archive with this ID, or it has expired. GET /v2/archives lists those of your team.',
  },
  ARCHIVE_MISS: {
    status: 404,
    text: 'The archive does not have this URL, and nothing is fetched for a request with `source`. Leave out `source` to read the page from the web.',
  },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    text: 'No cached copy matches `minAge` (and `maxAge`). Leave out `minAge` to scrape the page now.',
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    text: 'The page is not in the cache, and `lockdown` forbids fetching it. Leave out `lockdown` to scrape the page now.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: 'This path does not support this method. GET /v2/openapi.json lists the methods of all paths.',
  },
  GONE: { status: 410, text: 'This version of the interface is not available. The message says what to use instead.' },
  MONITOR_PAUSED: { status: 409, text: 'Monitor is paused. Resume it before running a check.' },
  CHECK_UNFINISHED: {
    status: 409,
    text: 'A check of this monitor is already waiting or running. Wait until it has ended: `checkId` is its id.',
  },
  thread_busy: {
    status: 409,
    text: 'A run of this thread has not ended. `runId` names it. Wait until it has ended, or cancel it.',
  },
  thread_expired: {
    status: 409,
    text: 'The thread cannot be continued: its last run had zero data retention, so nothing of it is kept. Start a new thread.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    text: 'The request body is larger than this server accepts. Send less at once, or raise TRAWL_MAX_REQUEST_MB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    text: 'The body has a content type that this path does not accept. Send it as JSON, with `Content-Type: application/json`.',
  },

  DOCUMENT_ENCRYPTED: {
    status: 422,
    text: 'The file is encrypted and cannot be read without its password. Remove the protection and try again.',
  },
  DOCUMENT_DAMAGED: {
    status: 422,
    text: 'The file is damaged, and nothing could be read from it. Check that it opens elsewhere.',
  },
  DOCUMENT_TOO_COMPLEX: {
    status: 422,
    text: 'The file takes more time or memory to parse than one file may use, or decompresses to far more than its own size. Split it into smaller files.',
  },

  MODEL_REFUSED: {
    status: 422,
    text: 'The language model refused to answer. Word the request differently, or send another page.',
  },
  SCRAPE_SELECTOR_TOO_COMPLEX: {
    status: 422,
    text: 'A CSS selector takes too many steps on this page. The message names it. Use tags, classes and ids, or fewer and shorter selectors.',
  },

  // Limits.
  SCRAPE_TIMEOUT: {
    status: 408,
    text: 'The scrape operation timed out before completing. Raise `timeout`, or request less.',
  },
  MAP_TIMEOUT: {
    status: 408,
    text: 'The map operation timed out before completing. Raise `timeout`, or lower `limit`.',
  },
  MODEL_TIMEOUT: {
    status: 408,
    text: 'The language model did not answer within the time of the request. Raise `timeout`, or request less.',
  },
  MODEL_BUDGET_EXCEEDED: {
    status: 429,
    text: 'Your team has used up the tokens of language models that it may use today. Wait until tomorrow (UTC), or ask the operator to raise TRAWL_MODEL_TOKENS_PER_DAY.',
  },
  TOO_MANY_MONITORS: {
    status: 429,
    text: 'Your team has as many monitors as it may have (TRAWL_MAX_MONITORS). Delete one.',
  },
  PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: {
    status: 429,
    text: 'Ten uploads are already waiting to be parsed. Parse one of them, or wait until they expire.',
  },
  TOO_MANY_WRONG_KEYS: {
    status: 429,
    text: 'Too many wrong keys came from this address. Check the key, and wait for as long as `Retry-After` says.',
  },
  QUEUE_FULL: {
    status: 429,
    text: 'Too many requests are already waiting: this one could not be served in time. Retry after the seconds in `Retry-After`, send fewer requests at once, or raise `timeout`.',
  },

  // The target site, or the way to it.
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 500, text: 'The host name could not be resolved. Check its spelling.' },
  SCRAPE_SITE_ERROR: { status: 500, text: 'The site did not answer with a page that could be read. Try again later.' },
  SCRAPE_SSL_ERROR: {
    status: 500,
    text: 'The site has no valid TLS certificate. Set `skipTlsVerification: true` to read it anyway.',
  },
  SCRAPE_PROXY_SELECTION_ERROR: {
    status: 500,
    text: 'The upstream proxy did not forward the request. Check TRAWL_PROXY and TRAWL_PROXY_ENHANCED.',
  },
  SCRAPE_AUDIO_UNSUPPORTED_URL: {
    status: 500,
    text: 'No audio or video that can be downloaded was found at this URL. Give the URL of the page or file that plays it.',
  },
  SCRAPE_VIDEO_UNSUPPORTED_URL: {
    status: 500,
    text: 'No video that can be downloaded was found at this URL. Give the URL of the page or file that plays it.',
  },
  SCRAPE_MEDIA_ACCESS_DENIED: {
    status: 403,
    text: 'The site only lets signed-in users download this media file. Send the `headers` of a user who may.',
  },
  SCRAPE_MEDIA_TOO_LARGE: {
    status: 500,
    text: 'The media file is larger or longer than this server downloads. The operator can raise TRAWL_MAX_MEDIA_MB.',
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    text: 'This file type cannot be converted to text. Request the format `rawBase64` to get the file itself.',
  },
  SCRAPE_PAGE_TOO_LARGE: {
    status: 500,
    text: 'The page is larger than this server reads. The operator can raise TRAWL_MAX_PAGE_MB.',
  },
  SCRAPE_PAGE_MEMORY_EXCEEDED: {
    status: 500,
    text: 'The page used more memory than one page may in the browser. Read it without a browser (`fastMode: true`). The operator can raise TRAWL_MAX_BROWSER_MB.',
  },
  CRAWL_DENIAL: {
    status: 500,
    text: 'The page is outside the scope of the crawl. Widen it with `crawlEntireDomain`, `allowSubdomains` or `allowExternalLinks`.',
  },
  MAP_FAILED: {
    status: 500,
    text: 'The site could not be mapped because of an unexpected error. The server log has the cause.',
  },
  SEARCH_FAILED: {
    status: 500,
    sentAs: 'UNKNOWN_ERROR',
    text: 'No search provider answered, and the own index has no matching page. Try again later, or check the provider settings.',
  },
  MODEL_FAILED: {
    status: 500,
    text: 'The language model did not give a usable answer. Try again later; the message says what happened.',
  },
  SCRAPE_ALL_ENGINES_FAILED: { status: 500, text: 'The page could not be read by any engine. Try again later.' },

  // The service itself.
  STORAGE_DAMAGED: {
    status: 500,
    text: 'What the server has stored for this request is damaged and cannot be read. Repeat the request that made it. The operator can find out more with `trawl doctor`.',
  },
  REDACTION_FAILED: {
    status: 500,
    text: 'The page could not be redacted, so it is not returned. Try again, or request less of it.',
  },
  UNKNOWN_ERROR: { status: 500, text: 'An unexpected error occurred. Try again; the server log has the cause.' },
  ENCODING_FAILED: { status: 500, text: 'The meaning of a text could not be computed. Try again, or send less of it.' },
  ENCODER_UNAVAILABLE: {
    status: 501,
    text: 'The model that compares texts by their meaning cannot run on this server. `trawl doctor` tells its operator how to install it.',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    text: 'This call, or an option of it, is documented but not available in this version. The message says why, and what to use instead.',
  },
  SOURCES_UNAVAILABLE: {
    status: 503,
    text: 'None of the sources that could answer was reached. The message names them and says what to do.',
  },
  PII_MODEL_UNAVAILABLE: {
    status: 503,
    text: 'The model that finds names cannot run on this server. `trawl doctor` tells its operator how to install it. `redactPII` with `mode: fast` works without, and finds fewer names.',
  },
  NO_MEDIA_TOOLS: {
    status: 503,
    text: 'This needs ffmpeg, and none is available on this server. Install it, or set TRAWL_FFMPEG.',
  },
  NO_BROWSER: {
    status: 503,
    text: 'This needs a browser, and none is available on this server. Install Chromium, or set CHROMIUM_PATH.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    text: 'The server cannot store anything at the moment, for example because its disk is full. Try again later. /v0/health/readiness says when it can.',
  },
  SERVICE_UNAVAILABLE: { status: 503, text: 'The service is starting or shutting down. Retry in a few seconds.' },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

export const ERROR_TABLE: Readonly<Record<ErrorCode, Readonly<ErrorEntry>>> = table;
