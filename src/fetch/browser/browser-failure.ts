// What went wrong in a browser, as the caller may see it; and what is a fault of the browser itself, worth another one.
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';

/** The browser or its page died or does not answer: not what the site did, so a new one gets a try. */
export class BrowserFault extends Error {}

const BY_NET_ERROR: readonly [RegExp, ErrorCode, string?][] = [
  [/ERR_NAME_NOT_RESOLVED/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'SCRAPE_SSL_ERROR'],
  [/ERR_PROXY_|ERR_TUNNEL_/, 'SCRAPE_SITE_ERROR', 'The site cannot be reached.'],
  [/ERR_TOO_MANY_REDIRECTS/, 'SCRAPE_SITE_ERROR', 'The site redirects too many times.'],
  [/ERR_CONNECTION_REFUSED/, 'SCRAPE_SITE_ERROR', 'The site refused the connection.'],
  [/TIMED_OUT|Timeout/, 'SCRAPE_SITE_ERROR', 'The site did not answer in time.'],
  [/ERR_EMPTY_RESPONSE|ERR_CONNECTION_|ERR_CONTENT_LENGTH/, 'SCRAPE_SITE_ERROR', 'The site broke the connection off.'],
  [
    /ERR_INVALID_|ERR_HTTP2_|ERR_RESPONSE_|ERR_CONTENT_DEC/,
    'SCRAPE_SITE_ERROR',
    'The site did not answer with valid HTTP.',
  ],
  [/Download is starting/, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
  [/ERR_UNSAFE_PORT|ERR_DISALLOWED|ERR_UNKNOWN_URL_SCHEME|ERR_ADDRESS_/, 'UNSUPPORTED_SITE'],
];

const CRASHED =
  /Target crashed|Page crashed|Target closed|has been closed|Browser closed|Connection closed|Protocol error.*closed/;

/** The error of a navigation, by the name Chromium gives it. */
export function navigationError(error: unknown): Error {
  if (error instanceof ServiceError || error instanceof BrowserFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  for (const [pattern, code, message] of BY_NET_ERROR) {
    if (pattern.test(text)) return new ServiceError(code, { message, cause: error });
  }
  return pageError(error);
}

/** Any other error of a page that is open. */
export function pageError(error: unknown): Error {
  if (error instanceof ServiceError || error instanceof BrowserFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (CRASHED.test(text)) return new BrowserFault('The page or its browser ended.', { cause: error });
  return new ServiceError('SCRAPE_SITE_ERROR', { message: 'The page could not be rendered.', cause: error });
}

/** For a caller that got the second fault in a row. */
export const repeatedFault = (fault: BrowserFault): ServiceError =>
  new ServiceError('SCRAPE_SITE_ERROR', {
    message: 'The page brings the browser down, or keeps it busy without end. It may be readable without JavaScript.',
    cause: fault,
  });
