// SQL for the URLs that something is stored under, in their order. An index answers each of the queries, whatever else is
// stored.
import type { Connection } from '../../../util/sqlite.ts';
import {
  type FoundUrls,
  mergeUrls,
  type UrlQuery,
  type UrlRange,
  urlRanges,
  urlSources,
} from '../../records/pages/url-list.ts';

export type FindUrls = (query: UrlQuery) => FoundUrls;

type Source = (owner: string, from: string, to: string, limit: number) => { url: string }[];

export function createStoredUrls(connection: Connection): FindUrls {
  const sql = prepareAll(connection);

  return (query) => {
    const { after, limit } = query;
    const ranges = urlRanges(query);
    const found = urlSources(query).map(({ owner, source }) =>
      readRanges(sql[source].all.bind(sql[source]), owner, ranges, after, limit),
    );
    return mergeUrls(found, limit, (url) => url);
  };
}

function readRanges(source: Source, owner: string, ranges: UrlRange[], after: string, limit: number): string[] {
  const urls: string[] = [];
  for (const { from, to } of ranges) {
    // One more, because the list begins with the URL that it goes on after.
    const rows = source(owner, from, to, limit - urls.length + 1);
    urls.push(...rows.map(({ url }) => url).filter((url) => url !== after));
    if (urls.length >= limit) return urls.slice(0, limit);
  }
  return urls;
}

const RANGE = 'owner = ? AND url >= ? AND url < ?';

const prepareAll = (connection: Connection) => ({
  entries: connection.prepare<{ url: string }>(
    `SELECT url FROM index_entries WHERE ${RANGE} AND body_id IS NOT NULL ORDER BY url LIMIT ?`,
  ),
  found: connection.prepare<{ url: string }>(
    `SELECT DISTINCT url FROM pages WHERE ${RANGE} AND final_url IS NULL ORDER BY url LIMIT ?`,
  ),
  leading: connection.prepare<{ url: string }>(
    `SELECT DISTINCT url FROM pages WHERE ${RANGE} AND final_url IS NOT NULL ORDER BY url LIMIT ?`,
  ),
  ledTo: connection.prepare<{ url: string }>(
    `SELECT DISTINCT final_url AS url FROM pages WHERE owner = ? AND final_url >= ? AND final_url < ?
     ORDER BY final_url LIMIT ?`,
  ),
  tracked: connection.prepare<{ url: string }>(
    'SELECT DISTINCT url FROM page_history WHERE team_id = ? AND url >= ? AND url < ? ORDER BY url LIMIT ?',
  ),
});
