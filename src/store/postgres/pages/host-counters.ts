// The counters of hosts in PostgreSQL. Transactions append what they change, and readers fold it into the counters, so that
// writers do not wait for each other.
import { type HostRow, hostOf, nameOf } from '../../rules/pages/host-list.ts';
import type { HostChange, HostCounters } from '../../sql/pages/stored/host-list.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { PostgresTx } from '../database/queries.ts';

export interface PostgresHostCounters extends HostCounters {
  /** The end of a statement that counts the change for each row of this table or CTE. */
  countFor(sql: Sql, rows: Fragment, change: HostChange): Fragment;
  /** Size of all cached pages. Call it inside a transaction. */
  totalBytes(sql: Sql): Promise<number>;
}

/** A part of a query. */
type Fragment = ReturnType<Sql>;

export const hostCounters: PostgresHostCounters = {
  async count(tx, changes) {
    const { sql } = tx as PostgresTx;
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
  fold: (tx) => fold((tx as PostgresTx).sql),
};

function toRow({ owner, url, pages = 0, tracked = 0, bytes = 0, at = 0 }: HostChange) {
  const host = hostOf(url);
  return { owner, name: nameOf(host), host, pages, tracked, bytes, at };
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
