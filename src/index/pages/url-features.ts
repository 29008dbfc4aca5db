// What the index derives from a URL: host, site name, country and words.
import { domainToUnicode } from 'node:url';
import { wordsOf } from '../../text/words.ts';

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

/**
 * A 52-bit key for a URL. Spellings that rarely mean different pages share a key; a collision only mixes anchor texts.
 * The high bits come from the host, so that rows of a host lie together in the tables.
 */
export function urlKey(url: string): number {
  let start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : 0;
  if (url.startsWith('www.', start)) start += 4;
  const hash = url.indexOf('#', start);
  let end = hash === -1 ? url.length : hash;
  if (end > start && url.charCodeAt(end - 1) === 0x2f) end -= 1;
  let low = 0x2c1b3c6d;
  let high = 0x297a2d39;
  let at = start;
  for (; at < end; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x2f || code === 0x3f) break;
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  for (; at < end; at++) {
    low = Math.imul(low ^ url.charCodeAt(at), 0x01000193);
    low ^= low >>> 15;
  }
  return (mixed(high) & 0xfffff) * 0x1_0000_0000 + (mixed(low ^ (end - start)) >>> 0);
}

/** A 52-bit hash of a link: target, linking host and text. */
export function linkHash(target: number, host: number, text: string): number {
  let low = mixed(target | 0) ^ mixed((target / 0x1_0000_0000) | 0);
  let high = mixed(host | 0) ^ low;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return (mixed(high) & 0xfffff) * 0x1_0000_0000 + (mixed(low) >>> 0);
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
