// SQL for the counters of hosts: how many pages each owner has of a host, how large, how new.
import type { Connection } from '../../../util/sqlite.ts';
import { type HostRow, hostOf, hostStart, nameOf, nextHosts, toHostList } from '../../records/pages/host-list.ts';
import type { HostQuery, StoredPages } from '../../stored-pages.ts';
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

export function createHostRows(connection: Connection): HostRows {
  const sql = prepareAll(connection);

  /** The rows of an owner that come next in the order of the query. */
  const nextRows = (owner: string, query: HostQuery, limit: number): HostRow[] => {
    const { isBySize, name, host, pages, end } = hostStart(query);
    if (!isBySize) return sql.byName.all(owner, name, host, end, limit);
    const same = pages === undefined ? [] : sql.equallyMany.all(owner, pages, name, host, limit);
    if (same.length === limit) return same;
    return [...same, ...sql.fewer.all(owner, pages ?? Number.MAX_SAFE_INTEGER, limit - same.length)];
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
      const start = hostStart(query);
      const next = nextHosts(
        viewer.map((owner) => nextRows(owner, query, limit + 1)),
        start,
        limit,
      );
      return toHostList(next, start, query, ({ name, host }) =>
        viewer.map((owner) => sql.find.get(owner, name, host)).filter((row) => row !== undefined),
      );
    },
  };
}

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
