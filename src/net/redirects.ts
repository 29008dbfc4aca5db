// Redirects by hand, so that every hop goes through the same checks as the first and secrets stay with the site they were meant for.
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../contracts/errors.ts';
import type { Egress, EgressRequest, EgressResponse } from './egress.ts';

export interface FollowRequest extends EgressRequest {
  /** Whoever answers at the operator's addresses must not lead on to another one. */
  route: Exclude<EgressRequest['route'], 'operator'>;
  /** Sent along with `headers`, but only until the first redirect to another origin. For whatever the caller gave. */
  firstOriginHeaders?: Record<string, string>;
}

export interface RedirectHooks {
  /** More headers for one hop, the first included: cookies. */
  headersFor?(url: URL): Record<string, string> | Promise<Record<string, string>>;
  /** Every response, the last included, before the next hop: for its cookies. The body is not to be read. */
  onResponse?(response: EgressResponse): void | Promise<void>;
}

export interface Hop {
  from: URL;
  status: number;
  to: URL;
}

export interface Followed {
  /** The first answer that is no redirect; its `url` is the final one. */
  response: EgressResponse;
  hops: Hop[];
}

export const MAX_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const AMBIGUOUS = /[\\\u0000-\u001f\u007f]/;

export async function followRedirects(
  egress: Egress,
  request: FollowRequest,
  hooks: RedirectHooks,
  signal: AbortSignal,
): Promise<Followed> {
  const hops: Hop[] = [];
  const sent = new Set<string>();
  let current = request;
  while (true) {
    const { firstOriginHeaders, ...hop } = current;
    const headers = { ...hop.headers, ...firstOriginHeaders, ...(await hooks.headersFor?.(hop.url)) };
    // The same request twice gets the same answer for ever; with another cookie it may not.
    const same = JSON.stringify([hop.method, withoutFragment(hop.url), headers]);
    if (sent.has(same)) throw siteError('The site redirects in a circle.');
    sent.add(same);

    const response = await egress.request({ ...hop, headers }, signal);
    await hooks.onResponse?.(response);
    const location = REDIRECTS.has(response.status) ? response.headers.location?.trim() : undefined;
    if (!location) return { response, hops };
    response.body.destroy();
    if (hops.length === MAX_REDIRECTS) throw siteError(`The site redirects more than ${MAX_REDIRECTS} times.`);
    const to = readLocation(location, hop.url);
    hops.push({ from: hop.url, status: response.status, to });
    current = nextRequest(current, response.status, to);
  }
}

/** Where a Location header leads from `base`. Throws ServiceError where two parsers could read it differently. */
export function readLocation(location: string, base: URL): URL {
  const text = asUtf8(location);
  if (AMBIGUOUS.test(text)) throw refused('an address with a backslash or a control character in it');
  const url = URL.parse(text, base.href);
  if (!url) throw siteError('The site redirects to something that is not an address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused(`a ${url.protocol} address`);
  if (url.username !== '' || url.password !== '') throw refused('an address with a user name or password in it');
  if (url.hash === '') url.hash = base.hash;
  return url;
}

/** The method and headers of the next hop, by the rules of the Fetch standard. */
function nextRequest(request: FollowRequest, status: number, url: URL): FollowRequest {
  const next: FollowRequest = { ...request, url };
  const turnsToGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  if (turnsToGet) {
    next.method = 'GET';
    next.body = undefined;
    next.headers = without(next.headers, (name) => name.startsWith('content-'));
    next.firstOriginHeaders = without(next.firstOriginHeaders ?? {}, (name) => name.startsWith('content-'));
  }
  if (request.url.origin !== url.origin) {
    next.headers = without(next.headers, (name) => CREDENTIALS.has(name));
    next.firstOriginHeaders = undefined;
  }
  return next;
}

const without = (headers: Record<string, string>, drop: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !drop(name.toLowerCase())));

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length);
}

/** Header bytes arrive as Latin-1; sites that do not escape their paths mean UTF-8. */
function asUtf8(text: string): string {
  if (/[^\u0000-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

const siteError = (message: string) => new ServiceError('SCRAPE_SITE_ERROR', { message });
const refused = (what: string) =>
  new ServiceError('UNSUPPORTED_SITE', { message: `The site redirects to ${what}, which is refused.` });
