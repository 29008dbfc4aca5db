// What is stored of some pages: their copies in the cache, their entries in the index, and whether their changes are tracked.
import type { IndexEntry } from '../../../../contracts/index-entry.ts';
import type { Viewer } from '../../../../contracts/page-owner.ts';
import { COPIES_SHOWN, type PageParts, type StoredCopy } from '../../../records/pages/page-summary.ts';
import type { Database } from '../../database/database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

interface CopyRow extends StoredCopy {
  wanted: string;
}
interface EntryRow extends BodyColumns {
  wanted: string;
  owner: string;
  fetchedAt: number;
}

export type ReadParts = (
  urls: readonly string[],
  viewer: Viewer,
  teamId: string,
) => Promise<Map<string, PageParts & { bytesRead: number }>>;

/** Pages of which nothing is stored that the viewer may see are left out. */
export function createPageParts({ sql }: Pick<Database, 'sql'>, bodies: Bodies): ReadParts {
  const readCopies = (urls: string[], viewer: Viewer) => sql<CopyRow[]>`
    SELECT wanted, copies.* FROM unnest(${urls}::text[]) AS wanted, LATERAL (
      SELECT id, owner, url, variant, status, content_type AS "contentType", size, fetched_at AS "fetchedAt",
        checked_at AS "checkedAt", expires_at AS "expiresAt", verified AS "isVerified", title, description,
        (SELECT count(*) FROM screenshots WHERE page_id = pages.id)::integer AS screenshots
      FROM pages WHERE id IN (
        SELECT id FROM pages WHERE owner = ANY(${[...viewer]}) AND url_key(url) = url_key(wanted)
          AND final_url IS NULL
        UNION ALL SELECT id FROM pages WHERE owner = ANY(${[...viewer]}) AND url_key(final_url) = url_key(wanted)
          AND final_url IS NOT NULL
      ) ORDER BY fetched_at DESC, id DESC LIMIT ${COPIES_SHOWN}) AS copies`;

  // The entry of the team itself comes before one that it shares.
  const readEntries = (urls: string[], viewer: Viewer, teamId: string) => sql<EntryRow[]>`
    SELECT wanted, entry.* FROM unnest(${urls}::text[]) AS wanted, LATERAL (
      SELECT owner, blob, bytes, fetched_at AS "fetchedAt" FROM index_entries
      WHERE owner = ANY(${[...viewer]}) AND url_key(url) = url_key(wanted)
        AND (blob IS NOT NULL OR bytes IS NOT NULL)
      ORDER BY owner = ${teamId} DESC LIMIT 1) AS entry`;

  const readTracked = (urls: string[], teamId: string) => sql<{ wanted: string }[]>`
    SELECT wanted FROM unnest(${urls}::text[]) AS wanted WHERE EXISTS (
      SELECT 1 FROM page_history WHERE team_id = ${teamId} AND url_key(url) = url_key(wanted))`;

  return async (urls, viewer, teamId) => {
    const wanted = [...urls];
    const [copies, entries, tracked] = await Promise.all([
      readCopies(wanted, viewer),
      readEntries(wanted, viewer, teamId),
      readTracked(wanted, teamId),
    ]);
    const trackedUrls = new Set(tracked.map((row) => row.wanted));
    const copiesByUrl = Map.groupBy(copies, (row) => row.wanted);
    const entryByUrl = new Map(entries.map((row) => [row.wanted, row]));
    const found = await Promise.all(
      wanted.map(async (url) => {
        const own = (copiesByUrl.get(url) ?? []).map(({ wanted: _, ...copy }) => copy);
        const row = entryByUrl.get(url);
        const isTracked = trackedUrls.has(url);
        if (own.length === 0 && !row && !isTracked) return undefined;
        const bytes = row && (await bodies.read(row));
        const entry = bytes && (JSON.parse(bytes.toString()) as IndexEntry);
        const indexed = row && { owner: row.owner, fetchedAt: row.fetchedAt, ...(entry && { entry }) };
        return { copies: own, ...(indexed && { indexed }), isTracked, bytesRead: bytes?.byteLength ?? 0 };
      }),
    );
    return new Map(wanted.flatMap((url, index) => (found[index] ? [[url, found[index]]] : [])));
  };
}
