// The host of a URL as rules compare it. The URL parser writes names in lower case and punycode and addresses in one form;
// what is left is the root dot, and IPv4 addresses that are written as IPv6.
import ipaddr from 'ipaddr.js';
import { bareHost } from '../../urls/url.ts';

export function canonicalHost(url: URL): string {
  const host = bareHost(url);
  return host.startsWith('::ffff:') ? ipaddr.process(host).toString() : host;
}
