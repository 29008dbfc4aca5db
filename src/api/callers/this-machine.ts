// Whether a request was made by a program on this machine, and not passed on by a proxy or triggered by a web page.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isLocalName } from './web-origins.ts';

/** A proxy on this machine connects from loopback, too, but adds one of these. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];
/** Browsers add these to what web pages request. A page must not read what only people on the machine may. */
const FROM_PAGES = ['origin', 'sec-fetch-site'];

export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request;
  if ([...FORWARDED, ...FROM_PAGES].some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = request.raw.socket;
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== 'loopback') return false;
  // A foreign host name that resolves to loopback (DNS rebinding) is a web page's doing.
  const host = URL.parse(`http://${headers.host ?? ''}`);
  return host !== null && isLocalName(host);
}
