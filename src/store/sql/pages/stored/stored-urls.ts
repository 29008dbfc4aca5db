// The URLs that something is stored under, in their order. An index answers each of the queries, whatever else is stored.
import {
  type FoundUrls,
  mergeUrls,
  type UrlQuery,
  type UrlRange,
  type UrlSource,
  urlRanges,
  urlSources,
} from '../../../rules/pages/url-list.ts';
import { type Awaitable, type Queries, sql } from '../../database.ts';
import type { BodyParts } from '../bodies.ts';

export type FindUrls = (query: UrlQuery) => Promise<FoundUrls>;

type Read = (owner: string, range: UrlRange, limit: number) => Awaitable<{ url: string }[]>;

interface Deps {
  database: Queries;
  bodies: Pick<BodyParts, 'exists'>;
  /** What the dialect sorts URLs by. */
  urlKey(url: string): string;
}

export function createStoredUrls({ database, bodies, urlKey }: Deps): FindUrls {
  const inRange = ({ from, to }: UrlRange) => sql`url_key(url) >= url_key(${from}) AND url_key(url) < ${to}`;
  const sources: Record<UrlSource, Read> = {
    entries: (owner, range, limit) => database.rows`
      SELECT url FROM index_entries WHERE owner = ${owner} AND ${inRange(range)} AND ${bodies.exists}
      ORDER BY url_key(url) LIMIT ${limit}`,
    found: (owner, range, limit) => database.rows`
      SELECT DISTINCT url_key(url) AS key, url FROM pages WHERE owner = ${owner} AND ${inRange(range)} AND final_url IS NULL
      ORDER BY url_key(url) LIMIT ${limit}`,
    leading: (owner, range, limit) => database.rows`
      SELECT DISTINCT url_key(url) AS key, url FROM pages WHERE owner = ${owner} AND ${inRange(range)} AND final_url IS NOT NULL
      ORDER BY url_key(url) LIMIT ${limit}`,
    ledTo: (owner, { from, to }, limit) => database.rows`
      SELECT DISTINCT url_key(final_url) AS key, final_url AS url FROM pages
      WHERE owner = ${owner} AND url_key(final_url) >= url_key(${from}) AND url_key(final_url) < ${to}
        AND final_url IS NOT NULL
      ORDER BY url_key(final_url) LIMIT ${limit}`,
    tracked: (owner, range, limit) => database.rows`
      SELECT DISTINCT url_key(url) AS key, url FROM page_history WHERE team_id = ${owner} AND ${inRange(range)}
      ORDER BY url_key(url) LIMIT ${limit}`,
    kept: (owner, range, limit) => database.rows`
      SELECT DISTINCT url_key(url) AS key, url FROM collection_members
      WHERE team_id = ${owner} AND ${inRange(range)} AND state = 'present' ORDER BY url_key(url) LIMIT ${limit}`,
  };

  return async (query) => {
    const { after, limit } = query;
    const ranges = urlRanges(query);
    const found = await Promise.all(
      urlSources(query).map(({ owner, source }) => readRanges(sources[source], owner, ranges, after, limit)),
    );
    return mergeUrls(found, limit, urlKey);
  };
}

async function readRanges(read: Read, owner: string, ranges: UrlRange[], after: string, limit: number) {
  const urls: string[] = [];
  for (const range of ranges) {
    // One more, because the list begins with the URL that it goes on after.
    const rows = await read(owner, range, limit - urls.length + 1);
    urls.push(...rows.map(({ url }) => url).filter((url) => url !== after));
    if (urls.length >= limit) return urls.slice(0, limit);
  }
  return urls;
}
