// What the index derives from a URL: host, site name, country and words.
import { domainToUnicode } from 'node:url';
import { wordsOf } from '../../text/words/tokenizer.ts';

const MAX_WORDS = 40;
/** Second-level domains under which names are registered, as in example.co.uk. */
const SHARED_SECOND_LEVELS = new Set(['co', 'com', 'org', 'net', 'ac', 'gov', 'edu', 'or', 'ne', 'gob', 'gouv', 'nom']);

/** The host in lower case, without `www.` and the trailing dot. */
export function hostOf(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  return host.startsWith('www.') && host.includes('.', 4) ? host.slice(4) : host;
}

/** The part of a host that its owner chose, such as `example` in docs.example.co.uk; '' for an IP address. */
export function siteLabel(host: string): string {
  const labels = host.split('.');
  const isNumeric = host.startsWith('[') || /^\d+$/.test(labels.at(-1)!);
  if (isNumeric) return '';
  if (labels.length < 2) return host;
  const isShared = labels.length > 2 && SHARED_SECOND_LEVELS.has(labels.at(-2)!);
  return labels.at(isShared ? -3 : -2)!;
}

/** The country of a host's top-level domain, as two upper-case letters; '' for generic ones. */
export function countryOfHost(host: string): string {
  const label = host.slice(host.lastIndexOf('.') + 1);
  if (label.length !== 2 || label === host || /\d/.test(label) || GENERIC_COUNTRY_CODES.has(label)) return '';
  return label === 'uk' ? 'GB' : label.toUpperCase();
}

/** Country-code domains that are used worldwide. */
const GENERIC_COUNTRY_CODES = new Set([
  'ai',
  'co',
  'eu',
  'fm',
  'gg',
  'io',
  'ly',
  'me',
  'sh',
  'so',
  'to',
  'tv',
  'ws',
  'cc',
  'gl',
]);

/** The words of a URL, host first, with escapes and international domain names decoded. */
export function urlWords(url: URL): string[] {
  const host = hostOf(url.hostname);
  const readable = host.includes('xn--') ? domainToUnicode(host) : host;
  const rest = url.pathname + url.search;
  return wordsOf(`${readable} ${percentDecoded(rest)}`).slice(0, MAX_WORDS);
}

export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the URL is the front page of its host. */
export const isFrontPage = ({ pathname, search }: URL): boolean =>
  search === '' && (pathname === '/' || /^\/(?:index|default|home)(?:\.[a-z]{1,5})?$/i.test(pathname));
