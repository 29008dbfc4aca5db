// Sends a body to a receiver that a caller chose: directly, with a verified certificate, within a time limit.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { Egress } from '../../net/egress.ts';
import { startDeadline } from '../../util/abort.ts';
import { readStart } from '../../util/bytes/bounded-read.ts';
import type { SendFailure, Sent } from './delivery-loop.ts';

export interface PostCallDeps {
  egress: Pick<Egress, 'request'>;
  /** For the whole exchange. */
  limitMs?: number;
}

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface Posted extends Sent {
  /** Absent if the receiver did not answer. */
  statusCode?: number;
}

/** Rejects only when `signal` aborts. */
export type PostCall = (post: Post, signal: AbortSignal) => Promise<Posted>;

const LIMIT_MS = 10_000;
/** Reading a short response to its end lets the next call reuse the connection. */
const DRAIN_BYTES = 64 * 1024;

const FINAL_ERRORS: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_SITE', 'BAD_REQUEST']);

/** `calls` names what is sent, for the reasons of failures. */
export function createPostCall(calls: string, { egress, limitMs = LIMIT_MS }: PostCallDeps): PostCall {
  return async ({ url, headers, body }, outer) => {
    const { signal, done } = startDeadline(limitMs, notInTime, outer);
    try {
      const request = { url: new URL(url), headers, body };
      const answer = await egress.request({ ...request, method: 'POST', route: 'direct', verifyTls: true }, signal);
      // Only the status counts, even if the body is long, slow or broken.
      await readStart(answer.body, DRAIN_BYTES).catch(() => {});
      const failure = failureOfStatus(answer.status, calls);
      return { statusCode: answer.status, ...(failure && { failure }) };
    } catch (error) {
      outer.throwIfAborted();
      return { failure: failureOfError(error) };
    } finally {
      done();
    }
  };
}

/** Headers of the receiver's owner, except those that the service sets. The egress drops connection headers. */
export function withoutHeaders(headers: Record<string, string>, reserved: readonly string[]): Record<string, string> {
  const names = new Set(reserved.map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())));
}

export const hasHeader = (headers: Record<string, string>, wanted: string): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === wanted);

const notInTime = () =>
  new ServiceError('SCRAPE_SITE_ERROR', { message: 'The receiver did not answer within the time limit.' });

function failureOfStatus(status: number, calls: string): SendFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  // Following a redirect would let the receiver choose where the payload goes.
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? `The receiver sent a redirect (${status}), which ${calls} do not follow.`
    : `The receiver answered with status ${status}.`;
  return { reason, isFinal: false };
}

function failureOfError(error: unknown): SendFailure {
  // Only the name of an unexpected error: its text may contain the address.
  if (!(error instanceof ServiceError)) return { reason: `Unexpected ${(error as Error).name}.`, isFinal: false };
  // The standard text explains how to scrape such a site anyway, which does not apply here.
  const reason = error.code === 'SCRAPE_SSL_ERROR' ? 'The receiver offered no valid TLS certificate.' : error.message;
  return { reason, isFinal: FINAL_ERRORS.has(error.code) };
}
