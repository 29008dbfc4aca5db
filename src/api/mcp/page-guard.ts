// Which web pages may use `/mcp`. Its specification wants the headers Origin and Host to be checked even where a key is
// needed: a page must not reach a server on this machine by a name that its own DNS server resolves to loopback.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { NetworkList } from '../../urls/networks.ts';
import { createOwnHostTest } from '../../urls/own-host.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import type { BaseUrlOf } from '../callers/base-url.ts';
import { hostOf, isLocalName } from '../callers/web-origins.ts';

interface Deps {
  publicUrl?: string;
  /** A proxy on this machine connects from loopback, with the host name that its own caller used. */
  trustedProxies: NetworkList;
  baseUrlOf: BaseUrlOf;
}

const OTHER_ORIGIN =
  'Web pages of other sites may not use the MCP server. Use a page of this service or of your own computer, or a client that is not a web page.';
const OTHER_HOST =
  'The Host header must be a loopback name, an IP address or the host of TRAWL_PUBLIC_URL. Behind a proxy, set TRAWL_PUBLIC_URL or TRAWL_TRUSTED_PROXIES.';

/** Throws FORBIDDEN_ORIGIN. */
export function createPageGuard({ publicUrl, trustedProxies, baseUrlOf }: Deps): (request: FastifyRequest) => void {
  const isPublic = createOwnHostTest(publicUrl);
  const isOwn = (url: URL) => isPublic(bareHost(url), portOf(url));
  return (request) => {
    const { localAddress, remoteAddress = '' } = request.raw.socket;
    const host = hostOf(request);
    const isByName = isLoopback(localAddress) && !trustedProxies(remoteAddress);
    if (isByName && !(host && (isLocalName(host) || isOwn(host)))) {
      throw new ServiceError('FORBIDDEN_ORIGIN', { message: OTHER_HOST });
    }
    const { origin } = request.headers;
    if (origin === undefined) return;
    const page = URL.parse(origin);
    const isAllowed =
      page &&
      (page.host === host?.host || isOwn(page) || isLoopbackName(page) || page.origin === originOf(baseUrlOf(request)));
    if (!isAllowed) throw new ServiceError('FORBIDDEN_ORIGIN', { message: OTHER_ORIGIN });
  };
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

const isLoopback = (address = ''): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

function isLoopbackName(url: URL): boolean {
  const name = bareHost(url);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}
