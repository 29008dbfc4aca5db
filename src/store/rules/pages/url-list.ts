// Lists the URLs that something is stored under, from several sources, each in the order of the URLs.
import { type PageOwner, SHARED } from '../../../page/page-owner.ts';

export interface UrlQuery {
  owners: readonly PageOwner[];
  /** Whose tracked pages count, too. */
  teamId: string;
  host?: string;
  /** Only URLs after this one. */
  after: string;
  /** How many URLs are read from each source. */
  limit: number;
  only?: 'tracked';
  /** Copies that teams share count also if no search finds the page. */
  seesAll: boolean;
  /** Includes URLs that redirect. They are not pages themselves, but pages are stored under them. */
  withRedirects?: boolean;
}

export interface FoundUrls {
  urls: string[];
  /** All URLs up to here were found; absent if there are no more. */
  end?: string;
}

/** Entries of the index, copies by where they were found, where they led, and where they began; histories, collections. */
export type UrlSource = 'entries' | 'found' | 'ledTo' | 'leading' | 'tracked' | 'kept';

export interface UrlRange {
  from: string;
  /** Exclusive. */
  to: string;
}

/** Which sources a query reads, each for one owner. */
export function urlSources(query: UrlQuery): { owner: string; source: UrlSource }[] {
  const { owners, teamId, only, seesAll, withRedirects } = query;
  const copies: UrlSource[] = ['found', 'ledTo', ...(withRedirects ? ['leading' as const] : [])];
  const sourcesOf = (owner: PageOwner): UrlSource[] => ['entries', ...(seesAll || owner !== SHARED ? copies : [])];
  return [
    ...(only === 'tracked' ? [] : owners.flatMap((owner) => sourcesOf(owner).map((source) => ({ owner, source })))),
    { owner: teamId, source: 'tracked' },
    // Pages that a collection keeps are no longer listed once they have left the cache. A deletion of the host means them, too.
    ...(withRedirects ? [{ owner: teamId, source: 'kept' as const }] : []),
  ];
}

/** What is left of the URLs of a host. They begin with `after` itself, which is not wanted again. */
export const urlRanges = ({ host, after }: UrlQuery): UrlRange[] =>
  rangesOf(host)
    .filter(({ to }) => after < to)
    .map(({ from, to }) => ({ from: after > from ? after : from, to }));

/** A zero follows the slash in ASCII, so it ends the URLs of a host. */
const rangesOf = (host: string | undefined): UrlRange[] =>
  host === undefined
    ? [{ from: '', to: '\u{10ffff}' }]
    : ['http', 'https'].map((scheme) => ({ from: `${scheme}://${host}/`, to: `${scheme}://${host}0` }));

/**
 * `found` has up to `limit` URLs of each source. `keyOf` is what the store sorts URLs by: normalised URLs are ASCII, so the
 * bytes of their keys sort as JavaScript does.
 */
export function mergeUrls(found: readonly string[][], limit: number, keyOf: (url: string) => string): FoundUrls {
  const compare = (a: string, b: string) => compareTexts(keyOf(a), keyOf(b));
  const ends = found.flatMap((urls) => (urls.length === limit ? [urls.at(-1)!] : []));
  // What a source has after the last URL that was read from it is not known yet.
  const end = ends.length > 0 ? ends.reduce((first, url) => (compare(url, first) < 0 ? url : first)) : undefined;
  const urls = [...new Set(found.flat())].filter((url) => end === undefined || compare(url, end) <= 0).sort(compare);
  return { urls, ...(end !== undefined && { end }) };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
