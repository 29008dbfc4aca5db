// SQL for the counters of hosts: how many pages each owner has of a host, how large, how new.
import { SHARED, type Viewer } from '../../../contracts/page-owner.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { HostQuery, StoredHost, StoredPages } from '../../stored-pages.ts';
import type { Served } from '../served.ts';

export interface HostRows extends Pick<Served<StoredPages>, 'hosts'> {
  /** Call inside the transaction that changes what is counted. */
  count(owner: string, url: string, change: HostChange, at?: number): void;
}

export interface HostChange {
  pages?: number;
  tracked?: number;
  bytes?: number;
}

interface HostRow extends StoredHost {
  owner: string;
  name: string;
}

/** Hosts are ASCII: this is behind all of them. */
const BEHIND = '\u007f';

export function createHostRows(connection: Connection): HostRows {
  const sql = prepareAll(connection);

  const rowsOf = ({ name, host }: HostRow, viewer: Viewer): HostRow[] =>
    viewer.map((owner) => sql.find.get(owner, name, host)).filter((row) => row !== undefined);

  /** The rows of an owner that come next in the order of the query. */
  const nextRows = (owner: string, { prefix, after }: HostQuery, isBySize: boolean, limit: number): HostRow[] => {
    const names = prefix === undefined ? '' : nameOf(prefix);
    const [name, host] = after ? [nameOf(after.host), after.host] : [names, ''];
    if (!isBySize) return sql.byName.all(owner, name, host, names + BEHIND, limit);
    const same = after ? sql.equallyMany.all(owner, after.pages, name, host, limit) : [];
    if (same.length === limit) return same;
    return [...same, ...sql.fewer.all(owner, after?.pages ?? Number.MAX_SAFE_INTEGER, limit - same.length)];
  };

  return {
    count(owner, url, { pages = 0, tracked = 0, bytes = 0 }, at = 0) {
      const host = hostOf(url);
      const name = nameOf(host);
      sql.count.run(owner, name, host, pages, tracked, bytes, at);
      if (pages < 0 || tracked < 0 || bytes < 0) sql.removeEmpty.run(owner, name, host);
    },
    hosts(query) {
      const { viewer, limit } = query;
      const isBySize = query.order === 'pages' && query.prefix === undefined;
      const compare = isBySize ? bySize : byName;
      const streams = viewer.map((owner) => nextRows(owner, query, isBySize, limit + 1));
      // What comes after the end of a stream that goes on is not known yet.
      const [end] = streams.flatMap((rows) => (rows.length > limit ? [rows.at(-1)!] : [])).sort(compare);
      const next = streams
        .flat()
        .filter((row) => !end || compare(row, end) <= 0)
        .sort(compare)
        .slice(0, limit);
      // A host may have rows of several owners. It is listed once, where the first of them stands.
      const groups = next
        .map((row) => ({ row, rows: rowsOf(row, viewer) }))
        .filter(({ row, rows }) => rows.sort(compare)[0]?.owner === row.owner)
        .filter(({ rows }) => query.seesAll || rows.some(({ owner, pages }) => owner !== SHARED || pages > 0));
      const last = next.at(-1);
      const hasMore = end !== undefined || streams.flat().length > limit;
      return {
        hosts: groups.map(({ rows }) => together(rows)),
        ...(hasMore && last && { next: { pages: last.pages, host: last.host } }),
      };
    },
  };
}

const byName = (a: HostRow, b: HostRow): number =>
  compareTexts(a.name, b.name) || compareTexts(a.host, b.host) || compareTexts(a.owner, b.owner);
const bySize = (a: HostRow, b: HostRow): number => b.pages - a.pages || byName(a, b);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function together(rows: HostRow[]): StoredHost {
  const sum = (field: 'pages' | 'tracked' | 'bytes') => rows.reduce((total, row) => total + row[field], 0);
  return {
    ...{ host: rows[0]!.host, pages: sum('pages'), tracked: sum('tracked'), bytes: sum('bytes') },
    newestAt: Math.max(...rows.map(({ newestAt }) => newestAt)),
  };
}

/** With its port, unless that is the default. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

const nameOf = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);

const HOST = 'owner, name, host, pages, tracked, bytes, newest_at AS newestAt';

const prepareAll = (connection: Connection) => ({
  count: connection.prepare(
    `INSERT INTO stored_hosts (owner, name, host, pages, tracked, bytes, newest_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, tracked = tracked + excluded.tracked,
       bytes = bytes + excluded.bytes, newest_at = max(newest_at, excluded.newest_at)`,
  ),
  removeEmpty: connection.prepare(
    'DELETE FROM stored_hosts WHERE owner = ? AND name = ? AND host = ? AND pages <= 0 AND tracked <= 0 AND bytes <= 0',
  ),
  find: connection.prepare<HostRow>(`SELECT ${HOST} FROM stored_hosts WHERE owner = ? AND name = ? AND host = ?`),
  equallyMany: connection.prepare<HostRow>(
    `SELECT ${HOST} FROM stored_hosts WHERE owner = ? AND pages = ? AND (name, host) > (?, ?) ORDER BY name, host LIMIT ?`,
  ),
  fewer: connection.prepare<HostRow>(
    `SELECT ${HOST} FROM stored_hosts WHERE owner = ? AND pages < ? ORDER BY pages DESC, name, host LIMIT ?`,
  ),
  byName: connection.prepare<HostRow>(
    `SELECT ${HOST} FROM stored_hosts WHERE owner = ? AND (name, host) > (?, ?) AND name < ? ORDER BY name, host LIMIT ?`,
  ),
});
