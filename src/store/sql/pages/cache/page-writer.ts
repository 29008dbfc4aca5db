// Writes pages and results into the cache, inside the transactions of those who fetched them.
import type { PackedPage, PackedResult } from '../../../encoding/pack-page.ts';
import type { Tx } from '../../database.ts';
import type { Bodies, NewBody } from '../bodies.ts';
import type { Eviction } from '../eviction.ts';
import type { IndexEntries, LockedEntry } from '../index-entries.ts';
import type { PackedToStore } from '../page-packer.ts';
import type { HostCounters } from '../stored/host-list.ts';
import type { PageRemoval, PageRow } from './page-removal.ts';
import type { ResultRows } from './result-rows.ts';

const VERSIONS_KEPT = 3;
/** Larger than any real number of rows, so it sets no limit. */
const ALL = 1_000_000;

/** Returns the id of the result, which may be gone if it was only referred to. */
export type WritePage = (tx: Tx, toStore: PackedToStore) => Promise<number>;

interface PageWriterDeps {
  bodies: Bodies;
  results: ResultRows;
  entries: IndexEntries;
  hosts: Pick<HostCounters, 'count'>;
  eviction: Pick<Eviction, 'noteGrowth'>;
  removal: Pick<PageRemoval, 'columns' | 'removePages'>;
}

export function createPageWriter({ bodies, results, entries, hosts, eviction, removal }: PageWriterDeps): WritePage {
  const { columns, removePages } = removal;

  const insertPage = async (tx: Tx, page: PackedPage<NewBody>, size: number, now: number): Promise<number> => {
    const { key, owner, url, header, status, contentType, variant, isVerified, fetchedAt, expiresAt } = page;
    const { site, title, description, screenshot } = page;
    const finalUrl = page.finalUrl === url ? null : page.finalUrl;
    const id = await tx.add`
      INSERT INTO pages (key, owner, url, final_url, header, status, content_type, variant, verified, site, title,
        description, size, fetched_at, checked_at, used_at, expires_at, ${bodies.target})
      VALUES (${key}, ${owner}, ${url}, ${finalUrl}, ${header}, ${status}, ${contentType}, ${variant}, ${isVerified},
        ${site}, ${title}, ${description}, ${size}, ${fetchedAt}, ${fetchedAt}, ${now}, ${expiresAt},
        ${bodies.values(tx, page.body)})`;
    // The file may have made room for others in the meantime.
    if (screenshot)
      await tx.run`
        INSERT INTO screenshots (page_id, options, file_id)
        SELECT ${id}::bigint, ${screenshot.options}, id FROM files WHERE id = ${screenshot.file} FOR KEY SHARE`;
    return id;
  };

  /** Short-lived pages are counted separately, so that a site's errors never push out its good pages. */
  const findOldVersions = (tx: Tx, { key, owner, expiresAt }: PackedPage<NewBody>) => tx.rows<{ id: number }>`
    SELECT id FROM pages WHERE key = ${key} AND owner = ${owner} AND (expires_at IS NULL) = ${expiresAt === null}
    ORDER BY fetched_at DESC, id DESC LIMIT ${ALL} OFFSET ${VERSIONS_KEPT}`;

  /** Another process may write the same page: what neither can see of the other is removed with the next version. */
  const removeVersions = async (tx: Tx, versions: readonly { id: number }[], now: number): Promise<void> => {
    if (versions.length === 0) return;
    const locked = await tx.rows<PageRow>`
      SELECT ${columns} FROM pages WHERE id = ANY(${versions.map(({ id }) => id)}::bigint[]) FOR UPDATE SKIP LOCKED`;
    await removePages(tx, locked, now);
  };

  const updateIndex = async (tx: Tx, page: PackedPage<NewBody>, final: LockedEntry, now: number) => {
    const { owner, url, entry } = page;
    if (entry) await entries.put(tx, final, entry, page, now);
    // The site itself says that the page no longer exists.
    else await entries.remove(tx, final, page);
    // Nor does the page that was at this URL, if the URL leads elsewhere now.
    if (url !== final.url) await entries.remove(tx, await entries.lock(tx, owner, url), page);
  };

  /** Statements that need no earlier answer are sent together, and the database runs them in this order. */
  const addPage = async (tx: Tx, page: PackedPage<NewBody>, result: PackedResult<NewBody>): Promise<number> => {
    const { owner, finalUrl, fetchedAt, entry, isGone } = page;
    const size = page.header.length + page.body.size + result.body.size;
    const [id, old, final] = await Promise.all([
      insertPage(tx, page, size, result.now),
      findOldVersions(tx, page),
      entry || isGone ? entries.lock(tx, owner, finalUrl) : undefined,
      hosts.count(tx, [{ owner, url: finalUrl, bytes: size, at: fetchedAt }]),
    ]);
    const [resultId] = await Promise.all([
      results.addTo(tx, id, result),
      removeVersions(tx, old, result.now),
      final && updateIndex(tx, page, final, result.now),
    ]);
    eviction.noteGrowth(size);
    return resultId;
  };

  const addResult = async (tx: Tx, result: PackedResult<NewBody>, pageId: number | undefined): Promise<number> => {
    const page =
      pageId === undefined
        ? undefined
        : await tx.one<PageRow>`SELECT ${columns} FROM pages WHERE id = ${pageId} FOR NO KEY UPDATE`;
    // The page may have been evicted since the caller found it.
    if (!page) return results.addDetached(tx, result);
    const { id, growth } = await results.attach(tx, page.id, result);
    eviction.noteGrowth(growth);
    await Promise.all([
      tx.run`UPDATE pages SET size = size + ${growth}::bigint WHERE id = ${page.id}`,
      hosts.count(tx, [{ owner: page.owner, url: page.foundAt, bytes: growth }]),
    ]);
    return id;
  };

  return async (tx, toStore) => {
    if ('page' in toStore) return addPage(tx, toStore.page, toStore.result);
    const { checked } = toStore;
    if (checked)
      await tx.run`
        UPDATE pages SET checked_at = ${checked.at} WHERE id = ${checked.pageId} AND checked_at < ${checked.at}`;
    return 'resultId' in toStore ? toStore.resultId : addResult(tx, toStore.result, toStore.pageId);
  };
}
