// How a host in includeDomains or excludeDomains is read: it stands for itself and its subdomains, but `www.example.com`
// stands for exactly that host and its bare twin `example.com`.
import { isWithin } from './categories.ts';

/** `example.com` for `www.example.com`; undefined for any other host. */
export const bareTwin = (host: string): string | undefined =>
  /^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : undefined;

export function isOnListedDomain(hostname: string, listed: string): boolean {
  const twin = bareTwin(listed);
  return twin === undefined ? isWithin(hostname, listed) : hostname === listed || hostname === twin;
}
