// Sends one webhook call: its headers and its signature.
import { createHmac } from 'node:crypto';
import { readVersion } from '../../runtime/version.ts';
import type { Delivery } from '../../store/ports/deliveries/delivery-store.ts';
import { createPostCall, hasHeader, type PostCallDeps, type Posted, withoutHeaders } from '../deliveries/post-call.ts';

export interface WebhookCallDeps extends PostCallDeps {
  /** Signs the calls; absent: calls are not signed. */
  secret?: string;
}

/** Rejects only when `signal` aborts. */
export type WebhookCall = (
  delivery: Pick<Delivery, 'url' | 'headers' | 'body'>,
  signal: AbortSignal,
) => Promise<Posted>;

const SIGNATURE = 'X-Firecrawl-Signature';
const CONTENT_TYPE = 'Content-Type';
/** Receivers rely on these, so a job cannot set them. */
const OUR_HEADERS = [SIGNATURE, CONTENT_TYPE];

export function createWebhookCall({ secret, ...deps }: WebhookCallDeps): WebhookCall {
  const userAgent = `Trawl-Webhook/${readVersion()}`;
  const post = createPostCall('webhook calls', deps);

  const headersOf = (configured: Record<string, string>, body: Uint8Array): Record<string, string> => {
    const theirs = withoutHeaders(configured, OUR_HEADERS);
    return {
      ...(!hasHeader(theirs, 'user-agent') && { 'User-Agent': userAgent }),
      ...theirs,
      [CONTENT_TYPE]: 'application/json',
      ...(secret !== undefined && { [SIGNATURE]: signatureOf(body, secret) }),
    };
  };

  return ({ url, headers, body }, signal) => post({ url, headers: headersOf(headers, body), body }, signal);
}

const signatureOf = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
