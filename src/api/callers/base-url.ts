// The base URL of links in answers: what the operator has set, else what a trusted proxy forwards, else what the request
// itself says. Malformed values are ignored.
import type { FastifyRequest } from 'fastify';
import type { ReadForwarded } from './forwarded.ts';

/** Without a trailing slash. */
export type BaseUrlOf = (request: FastifyRequest) => string;

const PROTO = /^https?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+\/?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
const MAX_PORT = 65_535;

export const createBaseUrlOf =
  (publicUrl: string | undefined, readForwarded: ReadForwarded): BaseUrlOf =>
  (request) => {
    if (publicUrl !== undefined) return publicUrl;
    const { headers, protocol } = request;
    const { localAddress = 'localhost', localPort } = request.raw.socket;
    const { proto = '', host, port, prefix } = readForwarded(request);
    const scheme = PROTO.test(proto) ? proto : protocol;
    const origin =
      originOf(scheme, host, port) ??
      originOf(scheme, headers.host, port) ??
      `${scheme}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
    return origin + pathOf(prefix);
  };

function originOf(scheme: string, host: string | undefined, port = ''): string | undefined {
  if (host === undefined || !HOST.test(host)) return undefined;
  const hasPort = /:\d+$/.test(host);
  return URL.parse(`${scheme}://${host}${hasPort || !isPort(port) ? '' : `:${port}`}`)?.origin;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT;

const pathOf = (prefix = ''): string =>
  PREFIX.test(prefix) && !DOT_SEGMENT.test(prefix) ? prefix.replace(/\/$/, '') : '';
