// SQL for the page cache, with its versions. Its limits are in page-removal.ts, the results of each page in result-rows.ts.
import type { PageHeader } from '../../../../contracts/page.ts';
import type { PageOwner } from '../../../../contracts/page-owner.ts';
import { movable } from '../../../encoding/join-bytes.ts';
import { freeToStore, type PackedPage, type PackedResult } from '../../../encoding/pack-page.ts';
import { openStored } from '../../../encoding/stored-outcome.ts';
import type { PageQuery, PageStore } from '../../../page-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';
import type { FeedRows, LockedEntry } from '../feed-rows.ts';
import type { PackedToStore, PagePacker } from '../pack-to-store.ts';
import type { HostRows } from '../stored/host-rows.ts';
import { createPageLists } from './page-lists.ts';
import { createPageRemoval, type PageRemoval, type PageRow, pageColumns } from './page-removal.ts';
import type { ResultRows } from './result-rows.ts';

const VERSIONS_KEPT = 3;
const USE_RESOLUTION_MS = 3_600_000;

export interface CachedPageRows
  extends Omit<PageStore, 'sweep'>,
    Pick<PageRemoval, 'makeRoom' | 'removeExpired' | 'evict' | 'totalBytes'> {
  /** Call inside a transaction. Returns the id of the result, which may be gone if it was only referred to. */
  write(sql: Sql, toStore: PackedToStore): Promise<number>;
  /**
   * Call inside a transaction. Removes the copies that were requested or found at the URL, and the page from the index;
   * `withTargets`: also the pages that the URL leads to. Returns how many copies and index entries there were.
   */
  removeUrl(
    sql: Sql,
    url: string,
    owner: PageOwner,
    withTargets: boolean,
  ): Promise<{ copies: number; entries: number }>;
}

/** A version of a page, with the wanted result if there is one. */
interface FoundVersion extends PageRow, BodyColumns {
  header: string;
  usedAt: number;
  checkedAt: number;
  /** The id of the file, if a screenshot was requested. */
  screenshot: string | null;
  resultId: number | null;
  resultBlob: string | null;
  resultBytes: Uint8Array | null;
}

interface CachedPageRowsDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
  packer: PagePacker;
  results: ResultRows;
  feed: Pick<FeedRows, 'lock' | 'put' | 'remove'>;
  hosts: Pick<HostRows, 'count' | 'totalBytes'>;
}

export function createCachedPageRows(deps: CachedPageRowsDeps, maxBytes: number): CachedPageRows {
  const { database, packer, feed } = deps;
  const { transaction } = database;
  const removal = createPageRemoval(deps, maxBytes);
  const { makeRoom, removeExpired, evict, totalBytes } = removal;
  const write = createPageWriter(deps, removal);

  const removeUrl: CachedPageRows['removeUrl'] = async (sql, url, owner, withTargets) => {
    const pages = await sql<PageRow[]>`
      SELECT ${pageColumns(sql)} FROM pages
      WHERE owner = ${owner} AND (url_key(url) = url_key(${url}) OR url_key(final_url) = url_key(${url}))
      ORDER BY id FOR UPDATE`;
    const targets = withTargets ? pages.map(({ foundAt }) => foundAt) : [];
    let entries = 0;
    for (const name of new Set([url, ...targets])) {
      if (await feed.remove(sql, await feed.lock(sql, owner, name))) entries += 1;
    }
    // At time 0, results without a scrape get no grace period and are removed by the next sweep.
    await removal.removePages(sql, pages, 0);
    return { copies: pages.length, entries };
  };

  return {
    ...{ write, removeUrl, makeRoom, removeExpired, evict, totalBytes },
    ...createPageLists(database),
    find: createPageFinder(deps, removal),
    async save(toStore) {
      const packed = await packer.pack(toStore);
      const resultId = await packer.whileWriting([packed], () => transaction((sql) => write(sql, packed)));
      freeToStore(toStore, { keepsContent: true });
      if ('result' in packed) await makeRoom(packed.result.now);
      return String(resultId);
    },
    delete: (url, owner) => transaction(async (sql) => (await removeUrl(sql, url, owner, true)).copies),
  };
}

function createPageWriter(
  { results, feed, hosts }: CachedPageRowsDeps,
  { removePages, noteGrowth }: PageRemoval,
): CachedPageRows['write'] {
  /** Another process may write the same page: what neither can see of the other is removed with the next version. */
  const lockOldVersions = (sql: Sql, { key, owner, expiresAt }: PackedPage<NewBody>) => sql<PageRow[]>`
    SELECT ${pageColumns(sql)} FROM pages WHERE id IN (
      SELECT id FROM pages WHERE key = ${key} AND owner = ${owner} AND (expires_at IS NULL) = ${expiresAt === null}
      ORDER BY fetched_at DESC, id DESC OFFSET ${VERSIONS_KEPT}) FOR UPDATE SKIP LOCKED`;

  const updateIndex = async (sql: Sql, page: PackedPage<NewBody>, final: LockedEntry, now: number) => {
    const { owner, url, entry } = page;
    if (entry) await feed.put(sql, final, entry, page, now);
    // The site itself says that the page no longer exists.
    else await feed.remove(sql, final, page);
    // Nor does the page that was at this URL, if the URL leads elsewhere now.
    if (url !== final.url) await feed.remove(sql, await feed.lock(sql, owner, url), page);
  };

  /** What needs no answer first is sent together, and the database does it in this order. */
  const addPage = async (sql: Sql, page: PackedPage<NewBody>, result: PackedResult<NewBody>): Promise<number> => {
    const { owner, finalUrl, fetchedAt, entry, isGone } = page;
    const size = page.header.length + page.body.size + result.body.size;
    const [added, old, final] = await Promise.all([
      insertPage(sql, page, result, size),
      // Short-lived pages are counted separately, so that a site's errors never push out its good pages.
      lockOldVersions(sql, page),
      entry || isGone ? feed.lock(sql, owner, finalUrl) : undefined,
      hosts.count(sql, [{ owner, url: finalUrl, bytes: size, at: fetchedAt }]),
    ]);
    await removePages(sql, old, result.now);
    if (final) await updateIndex(sql, page, final, result.now);
    noteGrowth(size);
    return added;
  };

  const addResult = async (sql: Sql, result: PackedResult<NewBody>, pageId: number | undefined): Promise<number> => {
    noteGrowth(result.body.size);
    const [page] =
      pageId === undefined
        ? []
        : await sql<PageRow[]>`SELECT ${pageColumns(sql)} FROM pages WHERE id = ${pageId} FOR NO KEY UPDATE`;
    // The page may have been evicted since the caller found it.
    if (!page) return results.addDetached(sql, result);
    const { id, growth } = await results.attach(sql, page.id, result);
    await Promise.all([
      sql`UPDATE pages SET size = size + ${growth} WHERE id = ${page.id}`,
      hosts.count(sql, [{ owner: page.owner, url: page.foundAt, bytes: growth }]),
    ]);
    return id;
  };

  return async (sql, toStore) => {
    if ('page' in toStore) return addPage(sql, toStore.page, toStore.result);
    const { checked } = toStore;
    if (checked)
      await sql`UPDATE pages SET checked_at = ${checked.at} WHERE id = ${checked.pageId} AND checked_at < ${checked.at}`;
    return 'resultId' in toStore ? toStore.resultId : addResult(sql, toStore.result, toStore.pageId);
  };
}

/** One statement for the page, its screenshot and its first result. Returns the id of the result. */
async function insertPage(
  sql: Sql,
  page: PackedPage<NewBody>,
  { transformKey, body, now }: PackedResult<NewBody>,
  size: number,
): Promise<number> {
  const row = {
    ...{ key: page.key, owner: page.owner, url: page.url, header: page.header, status: page.status },
    ...{ final_url: page.finalUrl === page.url ? null : page.finalUrl, content_type: page.contentType },
    ...{ variant: page.variant, verified: page.isVerified, site: page.site, title: page.title },
    ...{ description: page.description, blob: page.body.blob, bytes: page.body.bytes, size },
    ...{ fetched_at: page.fetchedAt, checked_at: page.fetchedAt, used_at: now, expires_at: page.expiresAt },
  };
  const { screenshot } = page;
  // The file may have made room for others in the meantime.
  const [added] = await sql<{ id: number }[]>`
    WITH page AS (INSERT INTO pages ${sql(row)} RETURNING id),
    shown AS (INSERT INTO screenshots (page_id, options, file_id)
      SELECT page.id, ${screenshot?.options ?? ''}, files.id FROM page, files WHERE files.id = ${screenshot?.file ?? null}
      FOR KEY SHARE OF files)
    INSERT INTO results (page_id, transform_key, blob, bytes, size)
      SELECT id, ${transformKey}, ${body.blob}::text, ${body.bytes}::bytea, ${body.size}::bigint FROM page RETURNING id`;
  return added!.id;
}

function createPageFinder(
  { database, bodies, results }: CachedPageRowsDeps,
  { removePages }: Pick<PageRemoval, 'removePages'>,
): PageStore['find'] {
  const { sql, transaction } = database;

  /** The bytes of the page are not read if the result is there. */
  const findVersion = async (query: PageQuery): Promise<FoundVersion | undefined> => {
    const { key, viewer, transformKey, screenshot, verifiedOnly, from, until, now } = query;
    const shown =
      screenshot === undefined
        ? sql`CROSS JOIN (SELECT NULL::text AS file_id) AS shown`
        : sql`JOIN screenshots AS shown ON shown.page_id = pages.id AND shown.options = ${screenshot}`;
    const [found] = await sql<FoundVersion[]>`
      SELECT newest.id, newest.blob, newest.size, owner, "foundAt", header, "usedAt", "checkedAt", screenshot,
        results.id AS "resultId", results.blob AS "resultBlob", results.bytes AS "resultBytes",
        CASE WHEN results.id IS NULL THEN newest.body END AS bytes
      FROM (
        SELECT ${pageColumns(sql)}, header, bytes AS body, used_at AS "usedAt", checked_at AS "checkedAt",
          file_id AS screenshot
        FROM pages ${shown}
        WHERE key = ${key} AND owner = ANY(${[...viewer]}) AND checked_at >= ${from} AND fetched_at <= ${until}
          AND (expires_at IS NULL OR expires_at > ${now}) AND (verified OR ${!verifiedOnly})
        ORDER BY fetched_at DESC, pages.id DESC LIMIT 1
      ) AS newest LEFT JOIN results ON results.page_id = newest.id AND results.transform_key = ${transformKey ?? null}
      ORDER BY results.id DESC LIMIT 1`;
    return found;
  };

  const readBytes = async ({ id, blob, bytes, resultId }: FoundVersion) => {
    if (resultId === null) return bodies.read({ blob, bytes });
    // The result was there, but is lost.
    const [row] = await sql<BodyColumns[]>`SELECT blob, bytes FROM pages WHERE id = ${id}`;
    return row && bodies.read(row);
  };

  return async (query) => {
    const page = await findVersion(query);
    if (!page) return undefined;
    const { id: pageId, screenshot, usedAt, checkedAt } = page;
    if (query.now - usedAt >= USE_RESOLUTION_MS) {
      await sql`UPDATE pages SET used_at = ${query.now} WHERE id = ${pageId}`.catch(() => {});
    }
    const header = { ...(JSON.parse(page.header) as PageHeader), fetchedAt: Math.min(checkedAt, query.until) };
    const found = { pageId, header, ...(screenshot !== null && { screenshot }) };
    if (page.resultId !== null) {
      const stored = await results.readOutcome({ blob: page.resultBlob, bytes: page.resultBytes });
      if (stored) return openStored({ ...found, resultId: String(page.resultId), stored });
    }
    const bytes = await readBytes(page);
    if (bytes) return { ...found, bytes: movable(bytes) };
    await transaction(async (inside) => {
      const lost = await inside<PageRow[]>`SELECT ${pageColumns(inside)} FROM pages WHERE id = ${pageId} FOR UPDATE`;
      await removePages(inside, lost, query.now);
    }).catch(() => {});
    return undefined;
  };
}
