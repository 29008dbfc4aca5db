// Keys of URLs and links: short hashes that the tables and columns use instead of texts.
import { type PageOwner, SHARED } from '../../page/page-owner.ts';

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

/**
 * The key of a page. Pages of different owners have different keys, and a link leads to the key of its own page's owner:
 * so neither anchor texts nor link counts cross from one owner to another.
 */
export const pageKey = (owner: PageOwner, url: string): number =>
  owner === SHARED ? urlKey(url) : linkHash(urlKey(url), 0, owner);

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
