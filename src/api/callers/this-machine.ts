// Whether a request was made on this machine and by our own user, and not passed on by a proxy or triggered by a web page.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isSameUser } from '../../runtime/programs/peer-user.ts';
import { isLocalName } from './web-origins.ts';

/** A proxy on this machine connects from loopback, too, but adds one of these. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];
/** Browsers add these to what web pages request. A page must not read what only people on the machine may. */
const FROM_PAGES = ['origin', 'sec-fetch-site'];

/** Not passed on by a proxy, but possibly requested by a web page that is open on this machine. */
function isLocalConnection({ headers, raw }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = raw.socket;
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== 'loopback') return false;
  // A foreign host name that resolves to loopback (DNS rebinding) is a web page's doing.
  const host = URL.parse(`http://${headers.host ?? ''}`);
  return host !== null && isLocalName(host);
}

/**
 * By a program of the user that the service runs as. A proxy that adds no header looks like a program of this machine, and so
 * does every other user of it: neither may act as the operator.
 */
export const isFromOwnUser = (request: FastifyRequest): boolean =>
  isLocalConnection(request) && isSameUser(request.raw.socket);

/** Whether a program of the own user sent the request, and not a web page. */
export const isFromOwnProgram = (request: FastifyRequest): boolean =>
  FROM_PAGES.every((name) => request.headers[name] === undefined) && isFromOwnUser(request);

/** Sent by a page of this service itself, which is what keeps other sites from pressing its buttons. */
export function isFromOwnPage({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const from = URL.parse(origin ?? '');
  if (from === null || (site !== undefined && site !== 'same-origin')) return false;
  return from.host === host || from.origin === URL.parse(baseUrl)?.origin;
}
