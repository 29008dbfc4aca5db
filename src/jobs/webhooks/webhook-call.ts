// Sends one webhook call: its headers, its signature, and what counts as success.
import { createHmac } from 'node:crypto';
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import type { Egress } from '../../net/egress.ts';
import type { Delivery } from '../../store/delivery-store.ts';
import { deadline } from '../../util/abort.ts';
import { readStart } from '../../util/bounded-read.ts';
import { readVersion } from '../../util/version.ts';
import type { SendFailure } from '../delivery-loop.ts';

export interface WebhookCallDeps {
  egress: Pick<Egress, 'request'>;
  /** Signs the calls; absent: calls are not signed. */
  secret?: string;
  /** For the whole exchange. */
  limitMs?: number;
}

/** Resolves with undefined on success. Rejects only when `signal` aborts. */
export type WebhookCall = (
  delivery: Pick<Delivery, 'url' | 'headers' | 'body'>,
  signal: AbortSignal,
) => Promise<SendFailure | undefined>;

const LIMIT_MS = 10_000;
/** Reading a short response to its end lets the next call reuse the connection. */
const DRAIN_BYTES = 64 * 1024;

const SIGNATURE = 'X-Firecrawl-Signature';
const CONTENT_TYPE = 'Content-Type';
/** Receivers rely on these, so a job cannot set them. The egress drops connection headers. */
const OUR_HEADERS = new Set([SIGNATURE, CONTENT_TYPE].map((name) => name.toLowerCase()));

const FINAL_ERRORS: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED_SITE', 'BAD_REQUEST']);

export function createWebhookCall({ egress, secret, limitMs = LIMIT_MS }: WebhookCallDeps): WebhookCall {
  const userAgent = `Trawl-Webhook/${readVersion()}`;

  const headersOf = (configured: Record<string, string>, body: Uint8Array): Record<string, string> => {
    const theirs = Object.entries(configured).filter(([name]) => !OUR_HEADERS.has(name.toLowerCase()));
    const namesAgent = theirs.some(([name]) => name.toLowerCase() === 'user-agent');
    return {
      ...(!namesAgent && { 'User-Agent': userAgent }),
      ...Object.fromEntries(theirs),
      [CONTENT_TYPE]: 'application/json',
      ...(secret !== undefined && { [SIGNATURE]: signatureOf(body, secret) }),
    };
  };

  return async ({ url, headers, body }, outer) => {
    const { signal, done } = deadline(limitMs, notInTime, outer);
    try {
      const request = { url: new URL(url), headers: headersOf(headers, body), body };
      const answer = await egress.request({ ...request, method: 'POST', route: 'direct', verifyTls: true }, signal);
      // Only the status counts, even if the body is long, slow or broken.
      await readStart(answer.body, DRAIN_BYTES).catch(() => {});
      return failureOfStatus(answer.status);
    } catch (error) {
      outer.throwIfAborted();
      return failureOfError(error);
    } finally {
      done();
    }
  };
}

const signatureOf = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const notInTime = () =>
  new ServiceError('SCRAPE_SITE_ERROR', { message: 'The receiver did not answer within the time limit.' });

function failureOfStatus(status: number): SendFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  // Following a redirect would let the receiver choose where the payload goes.
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? `The receiver sent a redirect (${status}), which webhook calls do not follow.`
    : `The receiver answered with status ${status}.`;
  return { reason, isFinal: false };
}

function failureOfError(error: unknown): SendFailure {
  // Only the name of an unexpected error: its text may contain the address.
  if (!(error instanceof ServiceError)) return { reason: `Unexpected ${(error as Error).name}.`, isFinal: false };
  // The standard text explains how to scrape such a site anyway, which does not apply to webhooks.
  const reason = error.code === 'SCRAPE_SSL_ERROR' ? 'The receiver offered no valid TLS certificate.' : error.message;
  return { reason, isFinal: FINAL_ERRORS.has(error.code) };
}
