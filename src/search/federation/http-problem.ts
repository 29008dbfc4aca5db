// What an HTTP answer or a failure of the wire means for whoever asked a provider. Nothing here repeats what was sent or received.
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import { type ProblemKind, ProviderProblem } from '../providers/provider-problem.ts';

/** Milliseconds: however far away a time is, it is asked again the next day, because clocks and servers err. */
const MAX_WAIT_MS = 24 * 60 * 60_000;

/** 432 and 433 are what some providers call the end of a plan. */
const QUOTA_STATUSES = new Set([402, 429, 432, 433]);

const MEANING: Readonly<Record<ProblemKind, string>> = {
  quota: 'it allows no more requests for now',
  key: 'it does not accept its key',
  refused: 'it does not take this request',
  down: 'it is out of order',
  malformed: 'it answered with a redirect, and none is followed',
};

const FAILURES: Partial<Record<ErrorCode, [ProblemKind, string]>> = {
  SCRAPE_DNS_RESOLUTION_ERROR: ['down', 'the name of its host could not be resolved'],
  SCRAPE_SSL_ERROR: ['down', 'it offered no valid TLS certificate'],
  SCRAPE_PAGE_TOO_LARGE: ['malformed', 'its answer is larger than is read'],
  UNSUPPORTED_SITE: ['down', 'its address is one that is refused here'],
  BAD_REQUEST: ['key', 'its key holds characters that no header can carry'],
};

type Headers = Readonly<Record<string, string>>;

/** `kind`: what the provider's own words say, which counts more than the status. */
export function statusProblem(
  { status, headers }: { status: number; headers: Headers },
  now: number,
  kind: ProblemKind = kindOfStatus(status, headers),
): ProviderProblem {
  return new ProviderProblem(kind, `${MEANING[kind]} (status ${status})`, { retryAfterMs: retryAfter(headers, now) });
}

function kindOfStatus(status: number, headers: Headers): ProblemKind {
  if (QUOTA_STATUSES.has(status)) return 'quota';
  if (status === 401) return 'key';
  if (status === 403) return isQuotaUsedUp(headers) || headers['retry-after'] ? 'quota' : 'key';
  if (status >= 500 || status === 408) return 'down';
  return status < 400 ? 'malformed' : 'refused';
}

/** The egress speaks of the site it was sent to, and to a caller who may change the request: neither fits here. */
export function errorProblem(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const known = error instanceof ServiceError ? FAILURES[error.code] : undefined;
  const [kind, message] = known ?? ['down', 'it could not be reached, or broke off'];
  return new ProviderProblem(kind, message, { cause: error });
}

/** Of a text that cannot be read as JSON. */
export function jsonProblem(text: string): ProviderProblem {
  const start = text.trimStart();
  if (start === '') return new ProviderProblem('malformed', 'it answered with nothing');
  return new ProviderProblem(
    'malformed',
    start.startsWith('<') ? 'it answered with a web page instead of JSON' : 'its answer is cut off, or no JSON',
  );
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const wait = waitOf(headers, now);
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), MAX_WAIT_MS);
}

function waitOf(headers: Headers, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const date = text === '' ? Number.NaN : Date.parse(text);
  if (!Number.isNaN(date)) return date - now;
  // Seconds since 1970, sent with every answer: it says when to come again only when nothing is left.
  const reset = headers['x-ratelimit-reset']?.trim() ?? '';
  return isQuotaUsedUp(headers) && /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 - now : undefined;
}

const isQuotaUsedUp = (headers: Headers): boolean => headers['x-ratelimit-remaining']?.trim() === '0';
