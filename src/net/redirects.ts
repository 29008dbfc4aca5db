// Follows redirects: every hop passes the same checks as the first, and credentials stay with the site they are for.
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Egress, EgressRequest, EgressResponse } from './egress.ts';
import type { CallerHeaders } from './http/caller-headers.ts';

export interface FollowRequest extends EgressRequest {
  /** Not `operator`: one of the operator's addresses must not be able to redirect to another. */
  route: Exclude<EgressRequest['route'], 'operator'>;
  callerHeaders?: CallerHeaders;
}

export interface RedirectHooks {
  /** Additional headers (cookies) for each hop, including the first. */
  headersFor?(url: URL): Record<string, string> | Promise<Record<string, string>>;
  /** Called with every response, including the last, before the next hop: for its cookies. Must not read the body. */
  onResponse?(response: EgressResponse): void | Promise<void>;
}

export interface Hop {
  from: URL;
  status: number;
  to: URL;
}

export interface Followed {
  /** The first response that is not a redirect; its `url` is the final one. */
  response: EgressResponse;
  hops: Hop[];
  /** Whether no hop had an invalid certificate. */
  isVerified: boolean;
}

export const MAX_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const AMBIGUOUS = /[\\\u0000-\u001f\u007f]/;

export async function followRedirects(
  { request: send }: Pick<Egress, 'request'>,
  request: FollowRequest,
  hooks: RedirectHooks,
  signal: AbortSignal,
): Promise<Followed> {
  const hops: Hop[] = [];
  const sent = new Set<string>();
  let current = request;
  let isVerified = true;
  while (true) {
    const { callerHeaders, ...hop } = current;
    const headers = { ...hop.headers, ...callerHeaders?.at(hop.url), ...(await hooks.headersFor?.(hop.url)) };
    // An identical request would get the same redirect again; one with other cookies may not.
    const same = JSON.stringify([hop.method, withoutFragment(hop.url), headers]);
    if (sent.has(same))
      throw siteError(
        'The site redirects in a circle. It may need cookies or another URL: open it in a browser to see where it leads.',
      );
    sent.add(same);

    const response = await send({ ...hop, headers }, signal);
    await hooks.onResponse?.(response);
    isVerified &&= response.isVerified;
    const location = REDIRECTS.has(response.status) ? response.headers.location?.trim() : undefined;
    if (!location) return { response, hops, isVerified };
    response.body.destroy();
    if (hops.length === MAX_REDIRECTS)
      throw siteError(
        `The site redirects more than ${MAX_REDIRECTS} times. Open it in a browser, and scrape the URL that it leads to.`,
      );
    const to = readLocation(location, hop.url);
    hops.push({ from: hop.url, status: response.status, to });
    current = nextRequest(current, response.status, to);
  }
}

/** Resolves a Location header. Throws ServiceError if two URL parsers could read it differently. */
export function readLocation(location: string, base: URL): URL {
  const text = asUtf8(location);
  if (AMBIGUOUS.test(text)) throw refused('an address with a backslash or a control character in it');
  const url = URL.parse(text, base.href);
  if (!url)
    throw siteError(
      'The site redirects to something that is not a URL. Open it in a browser, and scrape the URL that it leads to.',
    );
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused(`a ${url.protocol} address`);
  if (url.username !== '' || url.password !== '') throw refused('an address with a user name or password in it');
  if (url.hash === '') url.hash = base.hash;
  return url;
}

/** The method and headers of the next hop, as the Fetch standard defines them. */
function nextRequest(request: FollowRequest, status: number, url: URL): FollowRequest {
  const next: FollowRequest = { ...request, url };
  const turnsToGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  if (turnsToGet) {
    next.method = 'GET';
    next.body = undefined;
    next.headers = without(next.headers, (name) => name.startsWith('content-'));
  }
  if (request.url.origin !== url.origin) next.headers = without(next.headers, (name) => CREDENTIALS.has(name));
  return next;
}

const without = (headers: Record<string, string>, drop: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !drop(name.toLowerCase())));

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length);
}

/** Header bytes are read as Latin-1, but sites that do not escape their paths mean UTF-8. */
function asUtf8(text: string): string {
  if (/[^\u0000-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

const siteError = (message: string) => new ServiceError('SCRAPE_SITE_ERROR', { message });
const refused = (what: string) =>
  new ServiceError('UNSUPPORTED_SITE', {
    message: `The site redirects to ${what}, which is refused. Scrape the final URL instead.`,
  });
