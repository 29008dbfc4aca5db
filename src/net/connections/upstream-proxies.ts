// Upstream proxies: parses the operator's list, picks one for a request, opens tunnels through it, and tells its own
// answers from those of sites.

import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { bareHost } from '../../urls/url.ts';
import { raceAbort } from '../../util/abort.ts';
import { SettingError } from '../../util/setting-error.ts';
import { request as httpRequest } from '../http/node-http.ts';

export interface UpstreamProxy {
  /** Without credentials. */
  url: URL;
  /** The Proxy-Authorization header, if the entry had a user name. */
  authorization?: string;
  /** Two upper-case letters. */
  country?: string;
}

export interface ProxyList {
  readonly size: number;
  /** Rotates among the country's proxies, else among those without a country, else takes the first. */
  pick(country: string | undefined): UpstreamProxy | undefined;
}

/** Parses a list of `http://user:pass@host:port` or `DE=http://...`. Errors never contain credentials. */
export function parseProxyList(text: string): UpstreamProxy[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const [, country, address = entry] = /^([A-Za-z]{2})=(.*)$/s.exec(entry) ?? [];
      const url = URL.parse(address);
      if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
        throw new SettingError(
          `entry ${index + 1} is not a proxy such as http://user:password@host:8080 or DE=http://host:8080`,
        );
      }
      const proxy: UpstreamProxy = { url: new URL(url.origin) };
      if (url.username !== '') proxy.authorization = basic(url.username, url.password);
      if (country) proxy.country = country.toUpperCase();
      return proxy;
    });
}

function basic(user: string, password: string): string {
  const credentials = `${percentDecoded(user)}:${percentDecoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Leaves a bare % alone: passwords are more often pasted than escaped. */
function percentDecoded(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

export function createProxyList(proxies: readonly UpstreamProxy[]): ProxyList {
  const byCountry = Map.groupBy(proxies, (proxy) => proxy.country);
  let turn = 0;
  return {
    size: proxies.length,
    pick(country) {
      const candidates = byCountry.get(country?.toUpperCase()) ?? byCountry.get(undefined) ?? proxies.slice(0, 1);
      return candidates[turn++ % candidates.length];
    },
  };
}

/** Starts TLS with an https proxy. Its certificate is always verified, because the proxy sees the credentials. */
export async function secureProxy(socket: Socket, proxy: UpstreamProxy, signal: AbortSignal): Promise<Socket> {
  if (proxy.url.protocol !== 'https:') return socket;
  const host = bareHost(proxy.url);
  const secured = Promise.withResolvers<Socket>();
  const tls = connectTls({
    socket,
    host,
    servername: /[a-z]$/i.test(host) ? host : undefined,
    ALPNProtocols: ['http/1.1'],
  });
  tls.once('secureConnect', () => secured.resolve(tls)).on('error', secured.reject);
  return closingOnFailure(tls, raceAbort(secured.promise, signal));
}

/** Asks the proxy for a tunnel to `authority` (host:port) and returns the socket to the target. */
export async function openTunnel(
  socket: Socket,
  proxy: UpstreamProxy,
  authority: string,
  signal: AbortSignal,
): Promise<Socket> {
  const opened = Promise.withResolvers<Socket>();
  const request = httpRequest({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
  });
  request.once('connect', (response, tunnel: Socket, head) => {
    if (head.length > 0) tunnel.unshift(head);
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) opened.resolve(tunnel);
    else opened.reject(proxyRefusal(status));
  });
  request.on('error', opened.reject);
  request.end();
  return closingOnFailure(socket, raceAbort(opened.promise, signal));
}

/** The proxy itself answered, instead of the target. */
export function proxyRefusal(status: number): ServiceError {
  const advice = status === 407 ? ' Check its user name and password.' : '';
  const message = UNREACHED.has(status)
    ? `The upstream proxy could not reach the site (status ${status}). Check the address, or try another proxy.`
    : `The upstream proxy refused the request with status ${status}.${advice}`;
  return new ServiceError('SCRAPE_PROXY_SELECTION_ERROR', { message, cause: new ProxyAnswer(status) });
}

/** The cause of a refusal. */
class ProxyAnswer extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answered with status ${status}.`);
    this.name = 'ProxyAnswer';
    this.status = status;
  }
}

const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);
/** How proxies answer that open no tunnels to this port: forbidden, unknown as a method or as a target. */
const NO_TUNNEL: ReadonlySet<number> = new Set([400, 403, 404, 405, 501]);

/** Whether a failed tunnel only means that the proxy opens none there, so that it may still forward requests. */
export function isTunnelRefusal(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof ProxyAnswer) return NO_TUNNEL.has(cause.status);
  // Some proxies hang up on methods that they do not know.
  return (cause as { code?: unknown } | undefined)?.code === 'ECONNRESET';
}

/** Headers that only a proxy adds to an error page. */
const PROXY_HEADERS = ['proxy-status', 'proxy-authenticate', 'proxy-connection', 'proxy-agent'];
const PROXY_SERVERS = /^(?:squid|tinyproxy|privoxy|mitmproxy|3proxy|polipo|ccproxy|goproxy|wingate)\b/i;

/** Whether a forwarded request was answered by the proxy itself. Without a sign of that, it was the site. */
export function isProxyAnswer(status: number, headers: Readonly<Record<string, unknown>>): boolean {
  if (status === 407 || (status >= 400 && 'x-squid-error' in headers)) return true;
  // Proxies add some of these headers to what they relay, too, so they only count with a status that proxies make up.
  if (!UNREACHED.has(status)) return false;
  return PROXY_HEADERS.some((name) => name in headers) || PROXY_SERVERS.test(String(headers.server ?? ''));
}

async function closingOnFailure<T>(socket: Socket, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
}
