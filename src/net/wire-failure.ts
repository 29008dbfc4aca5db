// Translates network errors into ServiceErrors that name neither addresses nor credentials.
import { type ErrorCode, ServiceError } from '../contracts/errors/errors.ts';

const BROKEN_OFF = 'The site broke the connection off. Try again later.';
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The site refused the connection. Check the port, or try again later.',
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  ERR_HTTP2_STREAM_ERROR: BROKEN_OFF,
  ERR_HTTP2_SESSION_ERROR: BROKEN_OFF,
  ERR_HTTP2_GOAWAY_SESSION: BROKEN_OFF,
  ETIMEDOUT: 'The site did not answer in time. Try again later.',
  UND_ERR_CONNECT_TIMEOUT: 'The site did not answer in time. Try again later.',
  EHOSTUNREACH: 'The site cannot be reached. Try again later.',
  ENETUNREACH: 'The site cannot be reached. Try again later.',
};

// Not worth retrying: the site would most likely do the same again, or the operator has to act.
const LASTING_FAULTS: Readonly<Record<string, [ErrorCode, string?]>> = {
  UND_ERR_HEADERS_TIMEOUT: [
    'SCRAPE_SITE_ERROR',
    'The site accepted the request but did not answer in time. Try again later.',
  ],
  UND_ERR_BODY_TIMEOUT: ['SCRAPE_SITE_ERROR', 'The site stopped in the middle of its answer. Try again later.'],
  UND_ERR_HEADERS_OVERFLOW: [
    'SCRAPE_PAGE_TOO_LARGE',
    "The site's response headers are larger than this service reads. Its operator has to repair that.",
  ],
  UND_ERR_DESTROYED: ['SERVICE_UNAVAILABLE'],
  UND_ERR_CLOSED: ['SERVICE_UNAVAILABLE'],
};

const TEMPORARY_DNS_FAULTS = new Set(['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EREFUSED']);

/** The error for the caller of a request or reader of its body. If the caller aborted, its own reason is returned. */
export const failureOf = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : wireFailure(error);

export function wireFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const lasting = LASTING_FAULTS[code];
  if (lasting) return new ServiceError(lasting[0], { message: lasting[1], cause: error });
  const message =
    CONNECTION_FAULTS[code] ?? 'The site did not answer with valid HTTP. Check the port and the scheme of the URL.';
  return new ServiceError('SCRAPE_SITE_ERROR', { message, cause: error });
}

/** Whether a handshake failed because of TLS, rather than because the connection did. */
export const isTlsFault = (error: unknown): boolean => !(codeOf(error) in CONNECTION_FAULTS);

/** Whether it is worth sending the same request again after a pause. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const code = codeOf(error.cause);
  if (error.code === 'SCRAPE_DNS_RESOLUTION_ERROR') return TEMPORARY_DNS_FAULTS.has(code);
  return (
    (error.code === 'SCRAPE_SITE_ERROR' || error.code === 'SCRAPE_PROXY_SELECTION_ERROR') && code in CONNECTION_FAULTS
  );
}

/** Whether an established connection was closed. */
export function isBrokenOff(error: unknown): boolean {
  const code = codeOf(error instanceof ServiceError ? error.cause : error);
  return CONNECTION_FAULTS[code] === BROKEN_OFF;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
