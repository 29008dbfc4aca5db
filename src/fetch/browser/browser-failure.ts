// Translates errors of the browser into ServiceErrors, and tells faults of the browser itself from those of the site.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';

/** The page or its browser crashed, ended or hangs. Worth another try in a new browser. */
export class BrowserFault extends Error {
  /** It may be this page that ended a browser with other pages in it: then the next try is in a browser of its own. */
  readonly isSuspect: boolean;
  /** The operator ended the browser: the page is not at fault, so this does not count as one of its tries. */
  readonly isOperators: boolean;

  constructor(message: string, { isSuspect = false, isOperators = false, ...options }: FaultOptions = {}) {
    super(message, options);
    this.isSuspect = isSuspect;
    this.isOperators = isOperators;
  }
}

interface FaultOptions extends ErrorOptions {
  isSuspect?: boolean;
  isOperators?: boolean;
}

const BY_NET_ERROR: readonly [RegExp, ErrorCode, string?][] = [
  [/ERR_NAME_NOT_RESOLVED/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'SCRAPE_SSL_ERROR'],
  [/ERR_PROXY_|ERR_TUNNEL_/, 'SCRAPE_SITE_ERROR', 'The site cannot be reached. Try again later.'],
  [
    /ERR_TOO_MANY_REDIRECTS/,
    'SCRAPE_SITE_ERROR',
    'The site redirects too many times. Open it in a browser, and scrape the URL that it leads to.',
  ],
  [
    /ERR_CONNECTION_REFUSED/,
    'SCRAPE_SITE_ERROR',
    'The site refused the connection. Check the port, or try again later.',
  ],
  [/TIMED_OUT|Timeout/, 'SCRAPE_SITE_ERROR', 'The site did not answer in time. Try again later.'],
  [
    /ERR_EMPTY_RESPONSE|ERR_CONNECTION_|ERR_CONTENT_LENGTH/,
    'SCRAPE_SITE_ERROR',
    'The site broke the connection off. Try again later.',
  ],
  [
    /ERR_INVALID_|ERR_HTTP2_|ERR_RESPONSE_|ERR_CONTENT_DEC/,
    'SCRAPE_SITE_ERROR',
    'The site did not answer with valid HTTP. Check the port and the scheme of the URL.',
  ],
  [/Download is starting/, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
  [/ERR_UNSAFE_PORT|ERR_DISALLOWED|ERR_UNKNOWN_URL_SCHEME|ERR_ADDRESS_/, 'UNSUPPORTED_SITE'],
];

const CRASHED =
  /Target crashed|Page crashed|Target closed|has been closed|Browser closed|Connection closed|Protocol error.*closed/;

/** The error for a failed navigation, by Chromium's name for it. */
export function navigationError(error: unknown): Error {
  if (error instanceof ServiceError || error instanceof BrowserFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  for (const [pattern, code, message] of BY_NET_ERROR) {
    if (pattern.test(text)) return new ServiceError(code, { message, cause: error });
  }
  return pageError(error);
}

/** The error for anything else that fails in an open page. */
export function pageError(error: unknown): Error {
  if (error instanceof ServiceError || error instanceof BrowserFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (CRASHED.test(text)) return new BrowserFault('The page or its browser ended.', { cause: error });
  return new ServiceError('SCRAPE_SITE_ERROR', {
    message: 'The page could not be rendered. Try again, or send `fastMode: true` to read it without a browser.',
    cause: error,
  });
}

/** The error for a page that was ended because of its memory. `all`: only all browsers together used too much. */
export const memoryExceeded = (scope: 'page' | 'all'): ServiceError =>
  new ServiceError('SCRAPE_PAGE_MEMORY_EXCEEDED', {
    message:
      scope === 'page'
        ? undefined
        : 'The browsers of this server together used more memory than they may (TRAWL_MAX_BROWSER_TOTAL_MB), and this page used the most. Try again later, or read it without a browser (`fastMode: true`).',
  });

/** The error for a page that failed in a second browser, too. */
export const repeatedFault = (fault: BrowserFault): ServiceError =>
  new ServiceError('SCRAPE_SITE_ERROR', {
    message:
      'The page crashes the browser or keeps it busy forever. It may be readable without JavaScript: try `fastMode`.',
    cause: fault,
  });
