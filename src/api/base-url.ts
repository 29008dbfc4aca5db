// The base URL of links in answers: what the operator has set, else what a proxy in the own network forwards, else what the
// request itself says. Malformed values are ignored.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** What a proxy says it received. Untrusted until it is checked. */
interface ForwardedAddress {
  proto?: string;
  host?: string;
  port?: string;
  prefix?: string;
}

const PROTO = /^https?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+\/?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
const MAX_PORT = 65_535;

/** Without a trailing slash. */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { headers, protocol } = request;
  const { remoteAddress, localAddress = 'localhost', localPort } = request.raw.socket;
  const { proto = '', host, port, prefix } = isOwnNetwork(remoteAddress) ? readProxyHeaders(headers) : {};
  const scheme = PROTO.test(proto) ? proto : protocol;
  const origin =
    originOf(scheme, host, port) ??
    originOf(scheme, headers.host, port) ??
    `${scheme}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  return origin + pathOf(prefix);
}

function isOwnNetwork(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  // On a dual-stack socket, an IPv4 peer appears as ::ffff:10.0.0.1.
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}

function readProxyHeaders(headers: FastifyRequest['headers']): ForwardedAddress {
  const forwarded = (name: string) => firstOf(headers[`x-forwarded-${name}`]);
  const [proto, host] = [forwarded('proto'), forwarded('host')];
  const address = proto === undefined && host === undefined ? readForwarded(headers.forwarded) : { proto, host };
  return { ...address, port: forwarded('port'), prefix: forwarded('prefix') };
}

/** Each proxy appends a value, so the first one comes from the proxy next to the caller. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  String(header ?? '')
    .split(',')[0]!
    .trim() || undefined;

/** RFC 7239: `for=10.0.0.1;proto=https;host="example.com:8443"`. A valid protocol or host has no comma or semicolon. */
function readForwarded(header: string | undefined): ForwardedAddress {
  const pairs =
    firstOf(header)
      ?.split(';')
      .map((pair) => pair.trim().split('=', 2)) ?? [];
  const fields = new Map(pairs.map(([name, value = '']) => [name!.toLowerCase(), value.replace(/^"(.*)"$/, '$1')]));
  return { proto: fields.get('proto'), host: fields.get('host') };
}

function originOf(scheme: string, host: string | undefined, port = ''): string | undefined {
  if (host === undefined || !HOST.test(host)) return undefined;
  const hasPort = /:\d+$/.test(host);
  return URL.parse(`${scheme}://${host}${hasPort || !isPort(port) ? '' : `:${port}`}`)?.origin;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT;

const pathOf = (prefix = ''): string =>
  PREFIX.test(prefix) && !DOT_SEGMENT.test(prefix) ? prefix.replace(/\/$/, '') : '';
