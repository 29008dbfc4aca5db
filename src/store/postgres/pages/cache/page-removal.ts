// Removes cached pages, one by one or to keep the cache within its limit.
import type { PageOwner } from '../../../../contracts/page-owner.ts';
import type { Remover } from '../../../sql/database.ts';
import { type Eviction, firstWith, sizeOf } from '../../../sql/pages/eviction.ts';
import type { Database, Sql } from '../../database/database.ts';
import { createPostgresDatabase, type PostgresTx } from '../../database/queries.ts';
import type { Bodies } from '../bodies.ts';
import { createEviction } from '../eviction.ts';
import type { HostRows } from '../stored/host-rows.ts';
import type { ResultRows } from './result-rows.ts';

export interface PageRow {
  id: number;
  blob: string | null;
  size: number;
  owner: PageOwner;
  /** Where it was found. */
  foundAt: string;
}

/** The columns of a PageRow. */
export const pageColumns = (sql: Sql) => sql`pages.id, pages.blob, size, owner, coalesce(final_url, url) AS "foundAt"`;

interface PageRemovalDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
  results: Pick<ResultRows, 'detachAll'>;
  hosts: Pick<HostRows, 'count' | 'totalBytes'>;
}

export interface PageRemoval extends Eviction {
  /** Call inside the transaction that has locked them. */
  removePages(sql: Sql, pages: readonly PageRow[], now: number): Promise<void>;
  /** Removes at most about `limit` expired pages and returns how many it removed. */
  removeExpired: Remover;
  totalBytes(): Promise<number>;
}

export function createPageRemoval(deps: PageRemovalDeps, maxBytes: number): PageRemoval {
  const { database, bodies, results, hosts } = deps;
  const { transaction } = database;

  const removePages: PageRemoval['removePages'] = async (sql, pages, now) => {
    if (pages.length === 0) return;
    const ids = pages.map(({ id }) => id);
    await results.detachAll(sql, ids, now);
    await Promise.all([
      sql`DELETE FROM pages WHERE id = ANY(${ids})`,
      bodies.remove(
        sql,
        pages.map(({ blob }) => ({ blob, bytes: null })),
      ),
      hosts.count(
        sql,
        pages.map(({ owner, foundAt, size }) => ({ owner, url: foundAt, bytes: -size })),
      ),
    ]);
  };

  const eviction = createEviction(
    { database: createPostgresDatabase(database), name: 'pages', maxBytes, totalBytes: hosts.totalBytes },
    async (tx, { limit, bytes }, now) => {
      const { sql } = tx as PostgresTx;
      const oldest = await sql<PageRow[]>`
        SELECT ${pageColumns(sql)} FROM pages ORDER BY used_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
      const chosen = firstWith(oldest, bytes);
      await removePages(sql, chosen, now);
      return { entries: chosen.length, bytes: sizeOf(chosen) };
    },
  );

  return {
    ...eviction,
    removePages,
    removeExpired: (now, limit) =>
      transaction(async (sql) => {
        const pages = await sql<PageRow[]>`
          SELECT ${pageColumns(sql)} FROM pages WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
        await removePages(sql, pages, now);
        return pages.length;
      }),
    totalBytes: () => transaction(hosts.totalBytes),
  };
}
