// The hosts of what is stored, by the counters that transactions change: how many pages each owner has of a host, how large, how
// new.

import type { HostQuery, StoredPages } from '../../../ports/pages/stored-pages.ts';
import { type HostRow, hostStart, nameOf, nextHosts, toHostList } from '../../../rules/pages/host-list.ts';
import { type Awaitable, type Database, sql, type Tx } from '../../database.ts';

export interface HostChange {
  owner: string;
  url: string;
  pages?: number;
  tracked?: number;
  bytes?: number;
  at?: number;
}

export interface HostCounters {
  /** Call it inside the transaction that changes what is counted. */
  count(tx: Tx, changes: readonly HostChange[]): Awaitable<void>;
  /** After it, the counters have everything that was counted. */
  fold(tx: Tx): Awaitable<void>;
}

const COLUMNS = sql`owner, name, host, pages, tracked, bytes, newest_at AS "newestAt"`;

export const createHostList =
  (database: Pick<Database, 'transaction'>, counters: Pick<HostCounters, 'fold'>): StoredPages['hosts'] =>
  (query) =>
    database.transaction(async (tx) => {
      await counters.fold(tx);
      const { viewer, limit } = query;
      const start = hostStart(query);
      const streams = await Promise.all(viewer.map((owner) => nextRows(tx, owner, query, limit + 1)));
      const next = nextHosts(streams, start, limit);
      const hosts = [...new Set(next.rows.map(({ host }) => host))];
      const known = await tx.rows<HostRow>`
        SELECT ${COLUMNS} FROM stored_hosts WHERE owner = ANY(${viewer}::text[])
          AND name = ANY(${hosts.map(nameOf)}::text[]) AND host = ANY(${hosts}::text[])`;
      return toHostList(next, start, query, ({ host }) => known.filter((row) => row.host === host));
    });

/** The rows of an owner that come next in the order of the query. */
async function nextRows(tx: Tx, owner: string, query: HostQuery, limit: number): Promise<HostRow[]> {
  const { isBySize, name, host, pages, end } = hostStart(query);
  if (!isBySize) {
    return tx.rows<HostRow>`
      SELECT ${COLUMNS} FROM stored_hosts
      WHERE owner = ${owner} AND (name, host) > (${name}, ${host}) AND name < ${end} ORDER BY name, host LIMIT ${limit}`;
  }
  const same =
    pages === undefined
      ? []
      : await tx.rows<HostRow>`
          SELECT ${COLUMNS} FROM stored_hosts
          WHERE owner = ${owner} AND pages = ${pages} AND (name, host) > (${name}, ${host})
          ORDER BY name, host LIMIT ${limit}`;
  if (same.length === limit) return same;
  const fewer = await tx.rows<HostRow>`
    SELECT ${COLUMNS} FROM stored_hosts WHERE owner = ${owner} AND pages < ${pages ?? Number.MAX_SAFE_INTEGER}
    ORDER BY pages DESC, name, host LIMIT ${limit - same.length}`;
  return [...same, ...fewer];
}
