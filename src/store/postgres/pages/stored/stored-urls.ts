// SQL for the URLs that something is stored under, in their order. An index answers each of the queries, whatever else is
// stored.
import { createHash } from 'node:crypto';
import {
  type FoundUrls,
  mergeUrls,
  type UrlQuery,
  type UrlRange,
  type UrlSource,
  urlRanges,
  urlSources,
} from '../../../records/pages/url-list.ts';
import type { Database } from '../../database/database.ts';

export type FindUrls = (query: UrlQuery) => Promise<FoundUrls>;

type Read = (owner: string, range: UrlRange, limit: number) => Promise<{ url: string }[]>;

export function createStoredUrls({ sql }: Pick<Database, 'sql'>): FindUrls {
  const sources: Record<UrlSource, Read> = {
    entries: (owner, { from, to }, limit) => sql<{ url: string }[]>`
      SELECT url FROM index_entries
      WHERE owner = ${owner} AND url_key(url) >= url_key(${from}) AND url_key(url) < ${to}
        AND (blob IS NOT NULL OR bytes IS NOT NULL)
      ORDER BY url_key(url) LIMIT ${limit}`,
    found: (owner, { from, to }, limit) => sql<{ url: string }[]>`
      SELECT DISTINCT ON (url_key(url)) url FROM pages
      WHERE owner = ${owner} AND url_key(url) >= url_key(${from}) AND url_key(url) < ${to} AND final_url IS NULL
      ORDER BY url_key(url) LIMIT ${limit}`,
    leading: (owner, { from, to }, limit) => sql<{ url: string }[]>`
      SELECT DISTINCT ON (url_key(url)) url FROM pages
      WHERE owner = ${owner} AND url_key(url) >= url_key(${from}) AND url_key(url) < ${to} AND final_url IS NOT NULL
      ORDER BY url_key(url) LIMIT ${limit}`,
    ledTo: (owner, { from, to }, limit) => sql<{ url: string }[]>`
      SELECT DISTINCT ON (url_key(final_url)) final_url AS url FROM pages
      WHERE owner = ${owner} AND url_key(final_url) >= url_key(${from}) AND url_key(final_url) < ${to}
        AND final_url IS NOT NULL
      ORDER BY url_key(final_url) LIMIT ${limit}`,
    tracked: (owner, { from, to }, limit) => sql<{ url: string }[]>`
      SELECT DISTINCT ON (url_key(url)) url FROM page_history
      WHERE team_id = ${owner} AND url_key(url) >= url_key(${from}) AND url_key(url) < ${to}
      ORDER BY url_key(url) LIMIT ${limit}`,
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

/** The same as the function of this name in the schema. */
const urlKey = (url: string): string =>
  url.length <= 900 ? url : url.slice(0, 868) + createHash('md5').update(url).digest('hex');
