// SQL for the counters of hosts: how many pages each owner has of a host, how large, how new. Transactions append what they
// change, and readers fold it into the counters, so that writers do not wait for each other.
import { type HostRow, hostOf, hostStart, nameOf, nextHosts, toHostList } from '../../../records/pages/host-list.ts';
import type { HostQuery, StoredPages } from '../../../stored-pages.ts';
import type { Database, Sql } from '../../database/database.ts';
import { lockByName } from '../../database/lock-by-name.ts';

export interface HostRows extends Pick<StoredPages, 'hosts'> {
  /** Call inside the transaction that changes what is counted. */
  count(sql: Sql, changes: readonly HostChange[]): Promise<void>;
  /** The end of a statement that counts the change for each row of this table or CTE. */
  countFor(sql: Sql, rows: Fragment, change: HostChange): Fragment;
  /** Size of all cached pages. Call it inside a transaction. */
  totalBytes(sql: Sql): Promise<number>;
}

/** A part of a query. */
type Fragment = ReturnType<Sql>;

export interface HostChange {
  owner: string;
  url: string;
  pages?: number;
  tracked?: number;
  bytes?: number;
  at?: number;
}

export function createHostRows({ transaction }: Pick<Database, 'transaction'>): HostRows {
  return {
    async count(sql, changes) {
      if (changes.length > 0) await sql`INSERT INTO host_changes ${sql(changes.map(toRow))}`;
    },
    countFor(sql, rows, change) {
      const { owner, name, host, pages, tracked, bytes, at } = toRow(change);
      return sql`
        INSERT INTO host_changes (owner, name, host, pages, tracked, bytes, at)
        SELECT ${owner}, ${name}, ${host}, ${pages}::bigint, ${tracked}::bigint, ${bytes}::bigint, ${at}::bigint FROM ${rows}`;
    },
    async totalBytes(sql) {
      await fold(sql);
      const [total] = await sql<{ bytes: number }[]>`SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM stored_hosts`;
      return total!.bytes;
    },
    hosts: (query) =>
      transaction(async (sql) => {
        await fold(sql);
        const { viewer, limit } = query;
        const start = hostStart(query);
        const streams = await Promise.all(viewer.map((owner) => nextRows(sql, owner, query, limit + 1)));
        const next = nextHosts(streams, start, limit);
        const hosts = [...new Set(next.rows.map(({ host }) => host))];
        const known = await sql<HostRow[]>`
          SELECT ${columns(sql)} FROM stored_hosts JOIN unnest(${hosts.map(nameOf)}::text[], ${hosts}::text[])
            AS wanted (name, host) USING (name, host)
          WHERE owner = ANY(${[...viewer]})`;
        return toHostList(next, start, query, ({ host }) => known.filter((row) => row.host === host));
      }),
  };
}

function toRow({ owner, url, pages = 0, tracked = 0, bytes = 0, at = 0 }: HostChange) {
  const host = hostOf(url);
  return { owner, name: nameOf(host), host, pages, tracked, bytes, at };
}

const columns = (sql: Sql) => sql`owner, name, host, pages, tracked, bytes, newest_at AS "newestAt"`;

/** The rows of an owner that come next in the order of the query. */
async function nextRows(sql: Sql, owner: string, query: HostQuery, limit: number): Promise<HostRow[]> {
  const { isBySize, name, host, pages, end } = hostStart(query);
  if (!isBySize) {
    return sql<HostRow[]>`SELECT ${columns(sql)} FROM stored_hosts
      WHERE owner = ${owner} AND (name, host) > (${name}, ${host}) AND name < ${end} ORDER BY name, host LIMIT ${limit}`;
  }
  const same =
    pages === undefined
      ? []
      : await sql<HostRow[]>`SELECT ${columns(sql)} FROM stored_hosts
          WHERE owner = ${owner} AND pages = ${pages} AND (name, host) > (${name}, ${host})
          ORDER BY name, host LIMIT ${limit}`;
  if (same.length === limit) return same;
  const fewer = await sql<HostRow[]>`SELECT ${columns(sql)} FROM stored_hosts
    WHERE owner = ${owner} AND pages < ${pages ?? Number.MAX_SAFE_INTEGER}
    ORDER BY pages DESC, name, host LIMIT ${limit - same.length}`;
  return [...same, ...fewer];
}

/** One at a time, since two would lock the counters in different orders. */
async function fold(sql: Sql): Promise<void> {
  const [pending] = await sql`SELECT 1 FROM host_changes LIMIT 1`;
  if (!pending) return;
  await lockByName(sql, 'counters of hosts');
  const changed = await sql<HostRow[]>`
    WITH taken AS (DELETE FROM host_changes RETURNING *)
    INSERT INTO stored_hosts AS known (owner, name, host, pages, tracked, bytes, newest_at)
      SELECT owner, name, host, sum(pages), sum(tracked), sum(bytes), max(at) FROM taken GROUP BY owner, name, host
    ON CONFLICT (owner, name, host) DO UPDATE SET pages = known.pages + excluded.pages,
      tracked = known.tracked + excluded.tracked, bytes = known.bytes + excluded.bytes,
      newest_at = greatest(known.newest_at, excluded.newest_at)
    RETURNING owner, name, host, pages, tracked, bytes`;
  const empty = changed.filter(({ pages, tracked, bytes }) => pages <= 0 && tracked <= 0 && bytes <= 0);
  if (empty.length === 0) return;
  const column = (name: 'owner' | 'name' | 'host') => empty.map((row) => row[name]);
  await sql`DELETE FROM stored_hosts WHERE (owner, name, host) IN (
    SELECT * FROM unnest(${column('owner')}::text[], ${column('name')}::text[], ${column('host')}::text[]))`;
}
