// URLs as callers write them, and as the cache and the index name them. Always parsed by the WHATWG parser.

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[^/?#:]+:\d+(?:[/?#]|$)/;
// Parsers disagree about the host when there are backslashes or control characters; no real URL needs them.
const AMBIGUOUS = /[\\\u0000-\u0020\u007f]/;

export type UrlProblem = 'empty' | 'too-long' | 'ambiguous' | 'malformed' | 'scheme' | 'userinfo' | 'host';

const MAX_URL_LENGTH = 16_384;

/** Parses a caller's URL. Surrounding spaces and a missing scheme are accepted. */
export function readUrl(text: string): URL | UrlProblem {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.length > MAX_URL_LENGTH) return 'too-long';
  if (AMBIGUOUS.test(trimmed.replaceAll(' ', '%20'))) return 'ambiguous';
  const hasScheme = SCHEME.test(trimmed) && !HOST_AND_PORT.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : `http://${trimmed}`);
  if (!url) return 'malformed';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'userinfo';
  if (url.hostname === '') return 'host';
  return url;
}

/** The URL in the form that parsers give it. A text that is not a URL is returned unchanged. */
export function addressOf(text: string): string {
  const url = readUrl(text);
  return typeof url === 'string' ? text : url.href;
}

/** The name under which a page is cached and indexed: without fragment and root dot, otherwise unchanged. */
export function normaliseUrl(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  if (copy.hostname.endsWith('.')) copy.hostname = withoutRootDots(copy.hostname);
  return copy.href;
}

const withoutRootDots = (hostname: string): string => hostname.replace(/(?<=[^.])\.+$/, '');

/** The one form in which hosts are compared: as the URL parser writes it, without brackets and root dots. */
export const bareHost = (url: URL): string => withoutRootDots(url.hostname.replace(/^\[|\]$/g, ''));

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
