// The entries of threat lists, and the names under which the set keeps them: hosts, domains with everything below them, and
// single URLs. Understands hosts files, plain lists of domains or URLs, URLhaus CSV, and `||domain^` of filter lists.
import { readDomainPattern } from '../../../../urls/domain-patterns.ts';
import { canonicalHost } from '../../canonical-host.ts';
import type { FingerprintSet } from './fingerprint-set.ts';

const HOST = 'h';
const BELOW = 'b';
const PAGE = 'p';

/** The port of the protocol is left out, so the same page by HTTP and HTTPS is one entry. */
const pageOf = (url: URL): string => `${PAGE}${canonicalHost(url)}:${url.port}${url.pathname}${url.search}`;

/** Whether a list has the URL, its host, or a domain that the host is below. */
export function isListed(set: Pick<FingerprintSet, 'has'>, url: URL): boolean {
  const host = canonicalHost(url);
  if (set.has(HOST + host) || set.has(pageOf(url))) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    if (set.has(BELOW + host.slice(dot + 1))) return true;
  }
  return false;
}

/** `[Adblock Plus]` is the head of a filter list, `[2001:db8::1]` an address. */
const COMMENT = /^(?:[#!;]|\/\/|\[(?![0-9a-f:.]+\]$))/i;
const SINK = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|::0)[ \t]+/;
/** Names of the machine itself, which hosts files begin with. */
const OWN_NAMES = /^(?:localhost(?:\.localdomain)?|local|broadcasthost|ip6-\w+|0\.0\.0\.0)$/i;
const FILTER = /^\|\|([^/^$*|]+)\^$/;
/** A field of a CSV file, with or without quotes. */
const CSV_URL = /^(?:"[^"]*",|[^",\s]*,)+?"?(https?:\/\/[^",\s]+)"?(?:,|$)/i;

/** The names for one line; empty for a comment or an empty line, undefined for an invalid line. */
export function readLine(text: string): string[] | undefined {
  const line = text.trim();
  if (line === '' || COMMENT.test(line)) return [];
  if (/^https?:\/\//i.test(line)) return pageNames(line);
  const sink = SINK.exec(line);
  if (sink) return hostNames(line.slice(sink[0].length));
  const csv = line.includes(',') ? CSV_URL.exec(line) : null;
  if (csv) return pageNames(csv[1]!);
  const filter = FILTER.exec(line);
  return domainNames(filter ? `*.${filter[1]}` : line.replace(/\s+#.*$/, ''), filter !== null);
}

function pageNames(text: string): string[] | undefined {
  const url = URL.parse(text);
  return url ? [pageOf(url)] : undefined;
}

function hostNames(text: string): string[] {
  const names = text.replace(/#.*$/, '').split(/\s+/);
  return names.flatMap((name) => (name === '' || OWN_NAMES.test(name) ? [] : (domainNames(name, false) ?? [])));
}

/** Most entries are written as hosts are compared already. */
const PLAIN_HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z][a-z0-9-]*$/;

function domainNames(text: string, includesItself: boolean): string[] | undefined {
  if (PLAIN_HOST.test(text) && !text.includes('xn--')) return [HOST + text];
  const pattern = readDomainPattern(text);
  if (pattern === undefined || (!pattern.includes('.') && !pattern.includes(':'))) return undefined;
  if (!pattern.startsWith('*.')) return [HOST + pattern];
  const domain = pattern.slice('*.'.length);
  return includesItself ? [BELOW + domain, HOST + domain] : [BELOW + domain];
}
