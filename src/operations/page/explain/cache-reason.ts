// Says why a request was answered from the cache, or why not.
import { iso } from '../../../util/clock.ts';
import { acceptedAge, privateOptions, uncachedFormats } from '../cache/page-cache.ts';
import { changeTrackingOf } from '../changes/history-keys.ts';
import type { PageOptions } from '../page-request.ts';
import type { PageTrace } from './page-trace.ts';

type CacheNote = NonNullable<PageTrace['cache']>;

export interface LookedUp {
  options: PageOptions;
  now: number;
  lastModified?: number | undefined;
  /** The copy that this caller may see, if there is one. */
  copy: { header: { fetchedAt: number }; isAccepted: boolean } | undefined;
}

export function cacheNote({ options, now, lastModified, copy }: LookedUp): CacheNote {
  const cachedAt = copy && { cachedAt: iso(copy.header.fetchedAt) };
  if (copy?.isAccepted) {
    return { state: 'hit', reason: `The cache had a copy that is ${age(now, copy)} old.`, ...cachedAt };
  }
  const bypass = bypassReason(options);
  if (bypass !== undefined) return { state: 'bypassed', reason: bypass, ...cachedAt };
  if (!copy) return { state: 'miss', reason: 'The cache had no copy of the page for these options.' };
  const limit = acceptedAge(options, now, lastModified);
  const allowed = limit === undefined ? '' : `, and the request accepts ${duration(now - limit.from)}`;
  return { state: 'miss', reason: `The copy in the cache is ${age(now, copy)} old${allowed}.`, ...cachedAt };
}

export const UNRENDERED = 'The copy in the cache is an empty shell that no browser has rendered yet.';
export const CONFIRMED = 'The site says that the older copy in the cache is still good.';
export const UPLOADED = 'Uploaded files are never cached.';

function bypassReason(options: PageOptions): string | undefined {
  const named = privateOptions(options);
  if (named.length > 0) return `Requests with ${listed(named)} are private and never read the cache.`;
  const uncached = uncachedFormats(options);
  if (uncached.length > 0) return `The format ${listed(uncached)} is never cached.`;
  if (changeTrackingOf(options)) return '`changeTracking` compares fresh looks, so the cache does not answer.';
  return options.maxAge === 0 ? '`maxAge: 0` asks for a fresh page.' : undefined;
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');

const age = (now: number, { header }: NonNullable<LookedUp['copy']>): string => duration(now - header.fetchedAt);

const UNITS: [name: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** In the largest unit of which there is at least one. */
function duration(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? UNITS.at(-1)!;
  const count = Math.max(0, Math.floor(ms / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
