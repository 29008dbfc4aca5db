// The page cache: its SQL, its versions and its size limit. The results beside each page are in results.ts.
import type { PageHeader } from '../../contracts/page.ts';
import type { PageStore } from '../pages.ts';
import { type Bodies, packBytes, packJson } from './bodies.ts';
import type { Connection } from './connection.ts';
import type { ResultRows } from './results.ts';
import type { Served } from './served.ts';

const VERSIONS_KEPT = 3;
const USE_RESOLUTION_MS = 3_600_000;
const EVICTION_BATCH = 32;
const EVICTIONS_A_PUT = 4 * EVICTION_BATCH;

export interface PageRows extends Omit<Served<PageStore>, 'sweep'> {
  /** Both remove at most about `limit` pages and say how many it was. */
  removeExpired(now: number, limit: number): number;
  evict(now: number, limit: number): number;
}

interface PageRow {
  id: number;
  bodyId: number;
  size: number;
}
interface FoundPage extends PageRow {
  header: string;
  usedAt: number;
}

export function createPageRows(
  connection: Connection,
  bodies: Bodies,
  results: ResultRows,
  cacheMaxBytes: number,
): PageRows {
  const sql = prepareAll(connection);
  // Counted on from here in memory, changed only when a transaction has been committed.
  let total = sql.totalSize.get()!.size;

  const removePage = ({ id, bodyId, size }: PageRow, now: number): number => {
    results.loosenAll(id, now);
    sql.removePage.run(BigInt(id));
    bodies.drop(bodyId);
    return size;
  };

  const removePages = (choose: () => PageRow[], now: number): number => {
    const freed = connection.transaction(() => choose().map((page) => removePage(page, now)));
    total -= sum(freed);
    return freed.length;
  };

  /** The longest unused pages that together free `excess` bytes, at most a batch of them. */
  const leastUsed = (excess: number): PageRow[] => {
    let freed = 0;
    return sql.leastUsedPages.all(EVICTION_BATCH).filter(({ size }) => {
      const isNeeded = freed < excess;
      freed += size;
      return isNeeded;
    });
  };

  const evict = (now: number, limit: number): number => {
    let evicted = 0;
    while (total > cacheMaxBytes && evicted < limit) {
      const batch = removePages(() => leastUsed(total - cacheMaxBytes), now);
      if (batch === 0) break;
      evicted += batch;
    }
    return evicted;
  };

  return {
    put(key, url, { bytes, ...header }, expiresAt, result) {
      const headerText = JSON.stringify(header);
      const body = packBytes(bytes);
      const outcome = packJson(result.outcome);
      const size = headerText.length + body.byteLength + outcome.byteLength;
      const { resultId, freed } = connection.transaction(() => {
        const bodyId = BigInt(bodies.keep(body));
        const times = [header.fetchedAt, result.now, expiresAt];
        const page = sql.addPage.get(key, url, headerText, bodyId, size, ...times)!;
        const resultId = results.add(page.id, result, outcome);
        const old = sql.oldVersions.all(key, expiresAt === null ? 1 : 0, VERSIONS_KEPT);
        return { resultId, freed: sum(old.map((version) => removePage(version, result.now))) };
      });
      total += size - freed;
      evict(result.now, EVICTIONS_A_PUT);
      return String(resultId);
    },

    putResult(result, pageId) {
      const packed = packJson(result.outcome);
      const { id, growth } = connection.transaction(() => {
        // The page may have been evicted since the caller found it.
        if (pageId === undefined || !sql.pageExists.get(BigInt(pageId)))
          return { id: results.add(null, result, packed), growth: 0 };
        const attached = results.attach(pageId, result, packed);
        sql.growPage.run(attached.growth, BigInt(pageId));
        return attached;
      });
      total += growth;
      evict(result.now, EVICTIONS_A_PUT);
      return String(id);
    },

    find({ key, transformKey, from, until, now }) {
      const page = sql.newestPage.get(key, from, until, now);
      if (!page) return undefined;
      if (now - page.usedAt >= USE_RESOLUTION_MS) sql.notePageUse.run(now, BigInt(page.id));
      const header = JSON.parse(page.header) as PageHeader;
      const result = results.find(page.id, transformKey);
      if (result) return { header, resultId: String(result.id), outcome: result.outcome };
      const bytes = bodies.readBytes(page.bodyId);
      if (bytes) return { header, pageId: page.id, bytes };
      removePages(() => [page], now);
      return undefined;
    },

    // Without a time nothing is added to what scrapes hold: the other results go with the next sweep.
    delete: (url) => removePages(() => sql.pagesOfUrl.all(url), 0),
    removeExpired: (now, limit) => removePages(() => sql.expiredPages.all(now, limit), now),
    evict,
  };
}

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);

const PAGE = 'id, body_id AS bodyId, size';

const prepareAll = (connection: Connection) => ({
  totalSize: connection.prepare<{ size: number }>('SELECT coalesce(sum(size), 0) AS size FROM pages'),
  addPage: connection.prepare<{ id: number }>(
    `INSERT INTO pages (key, url, header, body_id, size, fetched_at, used_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  ),
  newestPage: connection.prepare<FoundPage>(
    `SELECT ${PAGE}, header, used_at AS usedAt FROM pages
     WHERE key = ? AND fetched_at BETWEEN ? AND ? AND (expires_at IS NULL OR expires_at > ?)
     ORDER BY fetched_at DESC, id DESC LIMIT 1`,
  ),
  // Pages kept for a moment are counted apart, so that a site's bad minutes never push out its good pages.
  oldVersions: connection.prepare<PageRow>(
    `SELECT ${PAGE} FROM pages WHERE key = ? AND (expires_at IS NULL) = ?
     ORDER BY fetched_at DESC, id DESC LIMIT -1 OFFSET ?`,
  ),
  expiredPages: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages WHERE expires_at <= ? LIMIT ?`),
  leastUsedPages: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages ORDER BY used_at, id LIMIT ?`),
  pagesOfUrl: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages WHERE url = ?`),
  pageExists: connection.prepare('SELECT 1 FROM pages WHERE id = ?'),
  notePageUse: connection.prepare('UPDATE pages SET used_at = ? WHERE id = ?'),
  growPage: connection.prepare('UPDATE pages SET size = size + ? WHERE id = ?'),
  removePage: connection.prepare('DELETE FROM pages WHERE id = ?'),
});
