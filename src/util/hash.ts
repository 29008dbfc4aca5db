// Hashes for keys that must not be guessable or reversible (API keys) and for cache keys.
import { createHash, hash, timingSafeEqual } from 'node:crypto';

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text);

/** One stable hash for a list of values: order matters, object key order does not. */
export const hashOf = (...values: unknown[]): string => sha256(JSON.stringify(values, sortKeys));

function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Compares secrets. The time it takes reveals neither how many characters match nor how long the secret is. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
