// What the operator's reverse proxies say about a request: who sent it, and to which address. Everybody can send such headers,
// so only those of trusted proxies count (TRAWL_TRUSTED_PROXIES), and of a list only what trusted proxies have added.
import type { FastifyRequest } from 'fastify';
import type { NetworkList } from '../../urls/networks.ts';

export interface Forwarded {
  /** Address of the caller, as text. Empty if the connection has none. */
  address: string;
  /** The rest is unchecked text of a trusted proxy. */
  proto?: string;
  host?: string;
  port?: string;
  prefix?: string;
}

export type ReadForwarded = (request: Pick<FastifyRequest, 'headers' | 'raw'>) => Forwarded;

type Headers = FastifyRequest['headers'];

export const createForwardedReader =
  (isTrusted: NetworkList): ReadForwarded =>
  ({ headers, raw }) => {
    const peer = raw.socket.remoteAddress ?? '';
    return isTrusted(peer) ? followProxies(peer, headers, isTrusted) : { address: peer };
  };

/** Each proxy appends whom it was asked by, so the list is read from its end for as long as the next one is trusted. */
function followProxies(peer: string, headers: Headers, isTrusted: NetworkList): Forwarded {
  const elements = readForwardedHeader(headers.forwarded);
  const addresses = listOf(headers['x-forwarded-for']);
  const senders = (addresses.length > 0 ? addresses : elements.map((element) => element.for ?? '')).map(withoutPort);
  let address = peer;
  let hops = 0;
  for (const sender of senders.toReversed()) {
    address = sender;
    hops += 1;
    if (!isTrusted(sender)) break;
  }
  // Proxies that only set these headers, instead of appending to them, leave one value for all of them.
  const fromEnd = <T>(values: readonly T[]): T | undefined => values.at(-Math.min(Math.max(hops, 1), values.length));
  const forwarded = (name: string) => fromEnd(listOf(headers[`x-forwarded-${name}`])) || undefined;
  const [proto, host] = [forwarded('proto'), forwarded('host')];
  const asked = proto === undefined && host === undefined ? fromEnd(elements) : { proto, host };
  return { address, proto: asked?.proto, host: asked?.host, port: forwarded('port'), prefix: forwarded('prefix') };
}

const listOf = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((value) => value.trim());

/** RFC 7239: `for=10.0.0.1;proto=https;host="example.com:8443"`. A valid protocol or host has no comma or semicolon. */
const readForwardedHeader = (header: string | undefined): { for?: string; proto?: string; host?: string }[] =>
  listOf(header).map((element) => {
    const pairs = element.split(';').map((pair) => pair.trim().split('=', 2));
    return Object.fromEntries(
      pairs
        .map(([name, value = '']) => [name!.toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const)
        .filter(([name]) => name === 'for' || name === 'proto' || name === 'host'),
    );
  });

/** `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]` without port and brackets. */
const withoutPort = (address: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
