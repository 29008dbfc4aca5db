// SQL for the page cache, with its versions. Its limits are in page-removal.ts. The results of each page are in result-rows.ts.
import type { PageHeader, PageVariant } from '../../contracts/page.ts';
import type { PageOwner } from '../../contracts/page-owner.ts';
import type { Connection } from '../../util/sqlite.ts';
import { type Bytes, movable } from '../encoding/join-bytes.ts';
import {
  indexName,
  type PackedPage,
  type PackedResult,
  type PackedToStore,
  packToStore,
  sitePrefix,
} from '../encoding/pack-page.ts';
import type { StoredOutcome } from '../encoding/stored-outcome.ts';
import type { CachedPage, PageQuery, PageStore } from '../page-store.ts';
import type { Bodies } from './bodies.ts';
import type { FeedRows } from './feed-rows.ts';
import { type CacheLimits, createPageRemoval, PAGE, type PageRemoval, type PageRow } from './page-removal.ts';
import type { ResultRows } from './result-rows.ts';
import type { Served } from './served.ts';
import type { HostRows } from './stored/host-rows.ts';

const VERSIONS_KEPT = 3;
const VARIANTS_LISTED = 50;
const USE_RESOLUTION_MS = 3_600_000;
const EVICTIONS_PER_WRITE = 128;

/** A cached page whose result, if it has one, is still as stored. */
export type FoundPage = Pick<CachedPage, 'pageId' | 'header' | 'screenshot'> &
  ({ resultId: string; stored: StoredOutcome } | { bytes: Bytes });

export interface CachedPageRows extends Omit<Served<PageStore>, 'sweep' | 'find'> {
  find(query: PageQuery): FoundPage | undefined;
  /** Call inside a transaction. Returns the id of the result, which may be gone if it was only referred to. */
  write(toStore: PackedToStore): number;
  /** Call after such a transaction: evicts pages that exceed a limit. */
  makeRoom(now: number): void;
  /** Both remove at most about `limit` pages and return how many they removed. */
  removeExpired(now: number, limit: number): number;
  evict(now: number, limit: number): number;
  /** Size of all pages together. */
  totalBytes(): number;
  /** Removes the least recently used pages, whatever the limits. Their results are not kept for a later scrape. */
  discard(limit: number): number;
  /**
   * Call inside a transaction. Removes the copies that were requested or found at the URL, and the page from the index;
   * `withTargets`: also the pages that the URL leads to. Returns how many copies and index entries there were.
   */
  removeUrl(url: string, owner: PageOwner, withTargets: boolean): { copies: number; entries: number };
}

interface KnownRow {
  url: string;
  title: string | null;
  description: string | null;
}
interface VariantRow {
  variant: string;
  fetchedAt: number;
  verified: 0 | 1;
}
interface PageVersion extends PageRow {
  header: string;
  usedAt: number;
  checkedAt: number;
  /** The id of the file, if a screenshot was requested. */
  screenshot?: string;
}

interface CachedPageRowsDeps {
  connection: Connection;
  bodies: Bodies;
  results: ResultRows;
  feed: Pick<FeedRows, 'put' | 'remove'>;
  hosts: Pick<HostRows, 'count'>;
}

export function createCachedPageRows(deps: CachedPageRowsDeps, limits: CacheLimits): CachedPageRows {
  const { connection, bodies, results, feed, hosts } = deps;
  const sql = prepareAll(connection);
  const removal = createPageRemoval(deps, limits);
  const { grow, removePage, removePages, evict, discard, totalBytes } = removal;
  const removeUrl = createUrlRemoval(sql, feed, removal);

  const addPage = ({ page, result }: { page: PackedPage; result: PackedResult }): number => {
    const { key, owner, url, variant, isVerified, header, fetchedAt, expiresAt, site, title, description } = page;
    const size = header.length + page.body.byteLength + result.body.byteLength;
    const bodyId = bodies.add(page.body);
    const times = [fetchedAt, fetchedAt, result.now, expiresAt];
    const finalUrl = page.finalUrl === url ? null : page.finalUrl;
    const facts = [variant, isVerified ? 1 : 0, site, title, description, finalUrl];
    const { id } = sql.addPage.get(key, owner, url, header, bodyId, size, ...times, ...facts)!;
    if (page.screenshot) sql.addScreenshot.run(id, page.screenshot.options, page.screenshot.file);
    const resultId = results.addTo(id, result);
    const old = sql.oldVersions.all(key, owner, expiresAt === null ? 1 : 0, VERSIONS_KEPT);
    for (const version of old) grow(-removePage(version, result.now));
    grow(size);
    hosts.count(owner, page.finalUrl, { bytes: size }, fetchedAt);
    if (page.entry) feed.put(owner, page.finalUrl, page.entry, page, result.now);
    // The site itself says that the page no longer exists.
    else if (page.isGone) feed.remove(owner, page.finalUrl, page);
    // Nor does the page that was at this URL, if the URL leads elsewhere now.
    if (page.url !== page.finalUrl && (page.entry || page.isGone)) feed.remove(owner, page.url, page);
    return resultId;
  };

  const addResult = (result: PackedResult, pageId: number | undefined): number => {
    const page = pageId === undefined ? undefined : sql.findPage.get(pageId);
    // The page may have been evicted since the caller found it.
    if (!page) return results.addDetached(result);
    const { id, growth } = results.attach(page.id, result);
    sql.growPage.run(growth, page.id);
    grow(growth);
    hosts.count(page.owner, page.foundAt, { bytes: growth });
    return id;
  };

  const write = (toStore: PackedToStore): number => {
    if ('page' in toStore) return addPage(toStore);
    const { checked } = toStore;
    if (checked) sql.noteCheck.run(checked.at, checked.pageId);
    return 'resultId' in toStore ? toStore.resultId : addResult(toStore.result, toStore.pageId);
  };

  // The transaction before it is complete, whether or not pages can be evicted now.
  const makeRoom = (now: number) => connection.attempt(() => evict(now, EVICTIONS_PER_WRITE));

  return {
    write,
    totalBytes,
    makeRoom,

    save(toStore) {
      const packed = packToStore(toStore);
      const resultId = connection.transaction(() => write(packed));
      if ('result' in packed) makeRoom(packed.result.now);
      return String(resultId);
    },

    find({ key, viewer, transformKey, screenshot: shown, verifiedOnly, from, until, now }) {
      const wanted = [key, JSON.stringify(viewer), from, until, now, verifiedOnly ? 1 : 0];
      const page = shown === undefined ? sql.newestPage.get(...wanted) : sql.newestShownPage.get(...wanted, shown);
      if (!page) return undefined;
      if (now - page.usedAt >= USE_RESOLUTION_MS) connection.attempt(() => sql.notePageUse.run(now, page.id));
      const header = { ...(JSON.parse(page.header) as PageHeader), fetchedAt: Math.min(page.checkedAt, until) };
      const { id: pageId, screenshot } = page;
      const found = { pageId, header, ...(screenshot !== undefined && { screenshot }) };
      const result = transformKey === undefined ? undefined : results.find(page.id, transformKey);
      if (result) return { ...found, resultId: String(result.id), stored: result.stored };
      const bytes = bodies.read(page.bodyId);
      if (bytes) return { ...found, bytes: movable(bytes) };
      connection.attempt(() => removePages(() => [page], now));
      return undefined;
    },

    ...createPageLists(sql),

    removeUrl,
    delete: (url, owner) => connection.transaction(() => removeUrl(url, owner, true).copies),
    removeExpired: (now, limit) => removePages(() => sql.expiredPages.all(now, limit), now),
    evict,
    discard,
  };
}

const createUrlRemoval =
  (
    sql: Statements,
    feed: CachedPageRowsDeps['feed'],
    { grow, removePage }: Pick<PageRemoval, 'grow' | 'removePage'>,
  ): CachedPageRows['removeUrl'] =>
  (url, owner, withTargets) => {
    const pages = sql.pagesOfUrl.all(owner, url);
    const targets = withTargets ? pages.map(({ foundAt }) => foundAt) : [];
    const entries = [...new Set([url, ...targets])].filter((name) => feed.remove(owner, name));
    // At time 0, results without a scrape get no grace period and are removed by the next sweep.
    for (const page of pages) grow(-removePage(page, 0));
    return { copies: pages.length, entries: entries.length };
  };

/** What is cached, without its content. */
const createPageLists = (sql: Statements): Pick<CachedPageRows, 'variants' | 'known' | 'redirects'> => ({
  variants: (url, viewer, now) =>
    sql.variantsOfUrl
      .all(url, JSON.stringify(viewer), now, VARIANTS_LISTED)
      .map(({ variant, fetchedAt, verified }) => ({
        variant: JSON.parse(variant) as PageVariant,
        fetchedAt,
        isVerified: verified === 1,
      })),

  known({ viewer, host, subdomains, limit }) {
    const site = sitePrefix(host);
    // A slash follows the dot in ASCII, so it ends the range of names that start with these labels. No host contains
    // a space.
    const end = subdomains ? `${site.slice(0, -1)}/` : `${site} `;
    const found = sql.knownPages.all(site, end, JSON.stringify(viewer), limit);
    return found.map(({ url, title, description }) => ({
      url,
      ...(title !== null && { title }),
      ...(description !== null && { description }),
    }));
  },
  redirects(urls, viewer) {
    const rows = sql.finalUrls.all(JSON.stringify(urls), JSON.stringify(viewer));
    return Object.fromEntries(
      rows.map(({ url, finalUrl }) => [url, indexName(finalUrl)]).filter(([url, finalUrl]) => url !== finalUrl),
    );
  },
});

const VISIBLE = 'owner IN (SELECT value FROM json_each(?))';

type Statements = ReturnType<typeof prepareAll>;

const prepareAll = (connection: Connection) => ({
  addPage: connection.prepare<{ id: number }>(
    `INSERT INTO pages (key, owner, url, header, body_id, size, fetched_at, checked_at, used_at, expires_at, variant, verified,
       site, title, description, final_url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  ),
  newestPage: connection.prepare<PageVersion>(
    `SELECT ${PAGE}, header, used_at AS usedAt, checked_at AS checkedAt FROM pages
     WHERE key = ? AND ${VISIBLE} AND checked_at >= ? AND fetched_at <= ? AND (expires_at IS NULL OR expires_at > ?) AND verified >= ?
     ORDER BY fetched_at DESC, id DESC LIMIT 1`,
  ),
  newestShownPage: connection.prepare<PageVersion>(
    `SELECT ${PAGE}, header, used_at AS usedAt, checked_at AS checkedAt, file_id AS screenshot
     FROM pages JOIN screenshots ON page_id = pages.id
     WHERE key = ? AND ${VISIBLE} AND checked_at >= ? AND fetched_at <= ? AND (expires_at IS NULL OR expires_at > ?) AND verified >= ?
       AND screenshots.options = ? ORDER BY fetched_at DESC, pages.id DESC LIMIT 1`,
  ),
  // The file may have made room for others in the meantime.
  addScreenshot: connection.prepare(
    'INSERT INTO screenshots (page_id, options, file_id) SELECT ?, ?, id FROM files WHERE id = ?',
  ),
  variantsOfUrl: connection.prepare<VariantRow>(
    `SELECT variant, checked_at AS fetchedAt, verified FROM pages
     WHERE url = ? AND ${VISIBLE} AND variant IS NOT NULL AND (expires_at IS NULL OR expires_at > ?)
     ORDER BY fetched_at DESC, id DESC LIMIT ?`,
  ),
  // Short-lived pages are counted separately, so that a site's errors never push out its good pages.
  oldVersions: connection.prepare<PageRow>(
    `SELECT ${PAGE} FROM pages WHERE key = ? AND owner = ? AND (expires_at IS NULL) = ?
     ORDER BY fetched_at DESC, id DESC LIMIT -1 OFFSET ?`,
  ),
  expiredPages: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages WHERE expires_at <= ? LIMIT ?`),
  pagesOfUrl: connection.prepare<PageRow>(
    `SELECT ${PAGE} FROM pages WHERE owner = ?1 AND url = ?2
     UNION SELECT ${PAGE} FROM pages WHERE owner = ?1 AND final_url = ?2`,
  ),
  // Of the rows of a URL, SQLite shows the one with the maximum.
  finalUrls: connection.prepare<{ url: string; finalUrl: string }>(
    `SELECT url, header ->> 'finalUrl' AS finalUrl, max(fetched_at) FROM pages
     WHERE url IN (SELECT value FROM json_each(?)) AND ${VISIBLE} AND verified = 1 GROUP BY url`,
  ),
  // The inner query reads only the index; full rows are read only for the result.
  knownPages: connection.prepare<KnownRow>(
    `SELECT pages.url, title, description FROM (
       SELECT id, max(fetched_at) AS newest FROM pages WHERE site >= ? AND site < ? AND ${VISIBLE}
       GROUP BY site, url ORDER BY newest DESC, id DESC LIMIT ?
     ) AS known JOIN pages ON pages.id = known.id ORDER BY newest DESC, pages.id DESC`,
  ),
  findPage: connection.prepare<PageRow>(`SELECT ${PAGE} FROM pages WHERE id = ?`),
  noteCheck: connection.prepare('UPDATE pages SET checked_at = max(checked_at, ?) WHERE id = ?'),
  notePageUse: connection.prepare('UPDATE pages SET used_at = ? WHERE id = ?'),
  growPage: connection.prepare('UPDATE pages SET size = size + ? WHERE id = ?'),
});
