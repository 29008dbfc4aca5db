// SQL for the URLs that something is stored under, in their order. An index answers each of the queries, whatever else is
// stored.
import { type PageOwner, SHARED } from '../../../contracts/page-owner.ts';
import type { Connection } from '../../../util/sqlite.ts';

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
  /** URLs that lead elsewhere, too. They are no pages, but have copies of some. */
  withRedirects?: boolean;
}

export interface FoundUrls {
  urls: string[];
  /** All URLs up to here were found; absent if there are no more. */
  end?: string;
}

export type FindUrls = (query: UrlQuery) => FoundUrls;

type Source = (owner: string, from: string, to: string, limit: number) => { url: string }[];

export function createStoredUrls(connection: Connection): FindUrls {
  const sql = prepareAll(connection);
  const of = (statement: { all: Source }): Source => statement.all.bind(statement);

  return ({ owners, teamId, host, after, limit, only, seesAll, withRedirects }) => {
    const ranges = rangesOf(host).filter(({ to }) => after < to);
    const copies = [of(sql.found), of(sql.ledTo), ...(withRedirects ? [of(sql.leading)] : [])];
    const sourcesOf = (owner: PageOwner) => [of(sql.entries), ...(seesAll || owner !== SHARED ? copies : [])];
    const wanted = [
      ...(only === 'tracked' ? [] : owners.flatMap((owner) => sourcesOf(owner).map((source) => ({ owner, source })))),
      { owner: teamId, source: of(sql.tracked) },
    ];
    const found = wanted.map(({ owner, source }) => readRanges(source, owner, ranges, after, limit));
    const ends = found.flatMap((urls) => (urls.length === limit ? [urls.at(-1)!] : []));
    // What a source has after the last URL that was read from it is not known yet.
    const end = ends.length > 0 ? ends.reduce((first, url) => (url < first ? url : first)) : undefined;
    const all = [...new Set(found.flat())].filter((url) => end === undefined || url <= end).sort(compareTexts);
    return { urls: all, ...(end !== undefined && { end }) };
  };
}

interface UrlRange {
  from: string;
  to: string;
}

/** A zero follows the slash in ASCII, so it ends the URLs of a host. */
const rangesOf = (host: string | undefined): UrlRange[] =>
  host === undefined
    ? [{ from: '', to: '\u{10ffff}' }]
    : ['http', 'https'].map((scheme) => ({ from: `${scheme}://${host}/`, to: `${scheme}://${host}0` }));

function readRanges(source: Source, owner: string, ranges: UrlRange[], after: string, limit: number): string[] {
  const urls: string[] = [];
  for (const { from, to } of ranges) {
    const begin = after > from ? after : from;
    // One more, because the list begins with the URL that it goes on after.
    const rows = source(owner, begin, to, limit - urls.length + 1);
    urls.push(...rows.map(({ url }) => url).filter((url) => url !== after));
    if (urls.length >= limit) return urls.slice(0, limit);
  }
  return urls;
}

/** In the order of SQLite, which compares bytes: normalised URLs are ASCII. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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
