// Classifies HTTP error responses and network failures of providers. Messages never quote what was sent or received.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import { PROBLEM_TEXTS, type ProblemKind, ProviderProblem } from '../providers/provider-problem.ts';

/** Longer waits are cut to a day, because clocks and servers can be wrong. */
const MAX_WAIT_MS = 24 * 60 * 60_000;

/** Some providers use 432 and 433 for an exhausted plan. */
const QUOTA_STATUSES = new Set([402, 429, 432, 433]);

const STATUS_TEXTS: Readonly<Record<ProblemKind, string>> = {
  ...PROBLEM_TEXTS,
  malformed: 'it answered with a redirect, which is not followed',
};

const FAILURES: Partial<Record<ErrorCode, [ProblemKind, string]>> = {
  SCRAPE_DNS_RESOLUTION_ERROR: ['down', 'the name of its host could not be resolved'],
  SCRAPE_SSL_ERROR: ['down', 'it offered no valid TLS certificate'],
  SCRAPE_PROXY_SELECTION_ERROR: ['down', 'the upstream proxy did not forward the request'],
  SCRAPE_PAGE_TOO_LARGE: ['malformed', 'its answer is too large'],
  UNSUPPORTED_SITE: ['down', 'requests to its address are not allowed'],
  BAD_REQUEST: ['key', 'its key contains characters that are not allowed in a header'],
};

type Headers = Readonly<Record<string, string>>;

/** `kind` comes from the response body, which takes precedence over the status. */
export function statusProblem(
  { status, headers }: { status: number; headers: Headers },
  now: number,
  kind: ProblemKind = kindOfStatus(status, headers),
): ProviderProblem {
  return new ProviderProblem(kind, `${STATUS_TEXTS[kind]} (status ${status})`, {
    retryAfterMs: retryAfter(headers, now),
  });
}

function kindOfStatus(status: number, headers: Headers): ProblemKind {
  if (QUOTA_STATUSES.has(status)) return 'quota';
  if (status === 401) return 'key';
  if (status === 403) return isQuotaUsedUp(headers) || headers['retry-after'] ? 'quota' : 'key';
  if (status >= 500 || status === 408) return 'down';
  return status < 400 ? 'malformed' : 'refused';
}

/** Rewords egress errors, whose texts address the caller of a scrape. */
export function errorProblem(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const known = error instanceof ServiceError ? FAILURES[error.code] : undefined;
  const [kind, message] = known ?? ['down', 'it could not be reached, or the connection broke'];
  return new ProviderProblem(kind, message, { cause: error });
}

/** For a text that is not valid JSON. */
export function jsonProblem(text: string): ProviderProblem {
  const start = text.trimStart();
  if (start === '') return new ProviderProblem('malformed', 'its answer is empty');
  return new ProviderProblem(
    'malformed',
    start.startsWith('<') ? 'it answered with a web page instead of JSON' : 'its answer is cut off, or not JSON',
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
  // Seconds since 1970, sent with every answer. It is a time to wait only when the quota is used up.
  const reset = headers['x-ratelimit-reset']?.trim() ?? '';
  return isQuotaUsedUp(headers) && /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 - now : undefined;
}

const isQuotaUsedUp = (headers: Headers): boolean => headers['x-ratelimit-remaining']?.trim() === '0';
