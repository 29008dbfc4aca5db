// Removes cached pages, one by one or to keep the cache within its limits.
import type { PageOwner } from '../../../../page/page-owner.ts';
import { type Database, type Fragment, type Remover, sql, type Tx } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';
import { type Eviction, firstWith, type RemoveOldest, sizeOf } from '../eviction.ts';
import type { HostCounters } from '../stored/host-list.ts';
import type { ResultRows } from './result-rows.ts';

export interface PageRow extends BodyColumns {
  id: number;
  size: number;
  owner: PageOwner;
  /** Where it was found. */
  foundAt: string;
}

interface PageRemovalDeps {
  database: Pick<Database, 'transaction'>;
  bodies: Bodies;
  results: Pick<ResultRows, 'detachAll'>;
  hosts: Pick<HostCounters, 'count'>;
  eviction: Eviction;
}

export interface PageRemoval {
  /** The columns of a PageRow. */
  readonly columns: Fragment;
  /** Call inside the transaction that has locked them. */
  removePages(tx: Tx, pages: readonly PageRow[], now: number): Promise<void>;
  removeExpired: Remover;
  /** Removes the least recently used pages. */
  removeOldest: RemoveOldest;
  evict: Remover;
  /** Call after a transaction that has written pages: evicts those that exceed a limit. */
  makeRoom(now: number): Promise<void>;
}

export function createPageRemoval(deps: PageRemovalDeps): PageRemoval {
  const { database, bodies, results, hosts, eviction } = deps;
  const columns = sql`id, size, owner, coalesce(final_url, url) AS "foundAt", ${bodies.reference}`;

  const removePages: PageRemoval['removePages'] = async (tx, pages, now) => {
    if (pages.length === 0) return;
    const ids = pages.map(({ id }) => id);
    await results.detachAll(tx, ids, now);
    await Promise.all([
      tx.run`DELETE FROM pages WHERE id = ANY(${ids}::bigint[])`,
      bodies.remove(tx, pages),
      hosts.count(
        tx,
        pages.map(({ owner, foundAt, size }) => ({ owner, url: foundAt, bytes: -size })),
      ),
    ]);
    eviction.noteGrowth(-sizeOf(pages));
  };

  const removeOldest: RemoveOldest = async (tx, { limit, bytes }, now) => {
    const oldest = await tx.rows<PageRow>`
      SELECT ${columns} FROM pages ORDER BY used_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    const chosen = firstWith(oldest, bytes);
    await removePages(tx, chosen, now);
    return { entries: chosen.length, bytes: sizeOf(chosen) };
  };

  return {
    columns,
    removePages,
    removeExpired: (now, limit) =>
      database.transaction(async (tx) => {
        const pages = await tx.rows<PageRow>`
          SELECT ${columns} FROM pages WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
        await removePages(tx, pages, now);
        return pages.length;
      }),
    removeOldest,
    evict: (now, limit) => eviction.evict(removeOldest, now, limit),
    makeRoom: (now) => eviction.makeRoom(removeOldest, now),
  };
}
