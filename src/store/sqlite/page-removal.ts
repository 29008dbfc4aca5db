// Removes cached pages, one by one or to keep the cache within its limits.
import type { PageOwner } from '../../contracts/page-owner.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { Bodies } from './bodies.ts';
import type { ResultRows } from './result-rows.ts';
import type { HostRows } from './stored/host-rows.ts';

const EVICTION_BATCH = 32;

export interface PageRow {
  id: number;
  bodyId: number;
  size: number;
  owner: PageOwner;
  /** Where it was found. */
  foundAt: string;
}

/** The columns of a PageRow. */
export const PAGE = 'id, body_id AS bodyId, size, owner, coalesce(final_url, url) AS foundAt';

/** What limits the cache. */
export interface CacheLimits {
  maxBytes: number;
  /** How many bytes are missing to the free space that the disk should have. */
  shortage(): number;
}

interface PageRemovalDeps {
  connection: Connection;
  bodies: Bodies;
  results: Pick<ResultRows, 'detachAll'>;
  hosts: Pick<HostRows, 'count'>;
}

export interface PageRemoval {
  /** Call inside a transaction: counts bytes that were added or, if negative, removed. */
  grow(bytes: number): void;
  /** Call inside a transaction. Returns the size of the page. */
  removePage(page: PageRow, now: number): number;
  removePages(choose: () => PageRow[], now: number): number;
  /** Removes at most `limit` pages while the cache exceeds a limit. */
  evict(now: number, limit: number): number;
  /** Removes the least recently used pages, whatever the limits. Their results are not kept for a later scrape. */
  discard(limit: number): number;
  totalBytes(): number;
}

export function createPageRemoval(deps: PageRemovalDeps, limits: CacheLimits): PageRemoval {
  const { connection, bodies, results, hosts } = deps;
  const sql = prepareAll(connection);
  // Maintained in memory, and changed only after a commit.
  let total = sql.totalSize.get()!.size;
  const grow = (bytes: number) =>
    connection.afterCommit(() => {
      total += bytes;
    });

  const removePage = ({ id, bodyId, size, owner, foundAt }: PageRow, now: number): number => {
    results.detachAll(id, now);
    sql.removePage.run(id);
    bodies.remove(bodyId);
    hosts.count(owner, foundAt, { bytes: -size });
    return size;
  };

  const removePages = (choose: () => PageRow[], now: number): number =>
    connection.transaction(() => {
      const freed = choose().map((page) => removePage(page, now));
      grow(-sum(freed));
      return freed.length;
    });

  /** The least recently used pages that together free so many bytes, at most one batch. */
  const leastUsed = (bytes: number): PageRow[] => {
    let freed = 0;
    return sql.leastUsedPages.all(EVICTION_BATCH).filter(({ size }) => {
      const isNeeded = freed < bytes;
      freed += size;
      return isNeeded;
    });
  };

  const excess = () => Math.max(total - limits.maxBytes, limits.shortage());

  const evict = (now: number, limit: number): number => {
    let evicted = 0;
    for (let tooMuch = excess(); tooMuch > 0 && evicted < limit; tooMuch = excess()) {
      const bytes = tooMuch;
      const batch = removePages(() => leastUsed(bytes), now);
      if (batch === 0) break;
      evicted += batch;
    }
    return evicted;
  };

  return {
    grow,
    removePage,
    removePages,
    evict,
    discard: (limit) => removePages(() => sql.leastUsedPages.all(limit), 0),
    totalBytes: () => total,
  };
}

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);

const prepareAll = (connection: Connection) => ({
  totalSize: connection.prepare<{ size: number }>('SELECT coalesce(sum(size), 0) AS size FROM pages'),
  leastUsedPages: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages ORDER BY used_at, id LIMIT ?`),
  removePage: connection.prepare('DELETE FROM pages WHERE id = ?'),
});
