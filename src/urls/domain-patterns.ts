// Lists of domains: `example.com` is exactly that host, `*.example.com` is every host below it.
import { bareHost } from './url.ts';

/** The entry of the list that a host matches; undefined if it matches no entry. The host is written as in `bareHost`. */
export type DomainList = (host: string) => string | undefined;

const MAX_HOST_LENGTH = 253;

/** The entry as hosts are written (lower case, IDNA, no root dot); undefined if it is not a domain, `*.domain` or address. */
export function readDomainPattern(text: string): string | undefined {
  const [, star = '', name = ''] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? [];
  const isIPv6 = star === '' && /^\[[0-9a-f:.]+\]$/i.test(name);
  // The URL parser would take these as the end of the host, or drop them.
  if (!isIPv6 && !/^[^\s/:@?#\\*[\]%]+$/.test(name)) return undefined;
  const url = URL.parse(`http://${name}/`);
  const host = url ? bareHost(url) : '';
  const isHost = host !== '' && host.length <= MAX_HOST_LENGTH && !/^\.|\.\./.test(host);
  // IP addresses have no subdomains.
  return isHost && !(star !== '' && /^[\d.]+$/.test(host)) ? star + host : undefined;
}

/** Looks up each parent domain, so that a long list costs no more than a short one. */
export function readDomainList(patterns: readonly string[]): DomainList {
  const entries = new Set(patterns);
  return (host) => {
    if (entries.has(host)) return host;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      const pattern = `*${host.slice(dot)}`;
      if (entries.has(pattern)) return pattern;
    }
    return undefined;
  };
}
