// What is stored of some pages: their copies in the cache, their entries in the index, and whether their changes are tracked.
import type { IndexEntry } from '../../../../page/index-entry.ts';
import type { Viewer } from '../../../../page/page-owner.ts';
import { COPIES_SHOWN, type StoredCopy, type StoredParts } from '../../../rules/pages/page-summary.ts';
import type { BooleanColumn, Queries } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

interface CopyRow extends Omit<StoredCopy, 'isVerified'> {
  wanted: string;
  isVerified: BooleanColumn;
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
) => Promise<Map<string, StoredParts & { bytesRead: number }>>;

/** Pages of which nothing is stored that the viewer may see are left out. */
export function createPageParts(
  queries: Queries,
  bodies: Pick<Bodies, 'columns' | 'exists' | 'read' | 'expect'>,
): ReadParts {
  // A CROSS JOIN, since SQLite might read all pages of an owner first.
  const readCopies = (urls: readonly string[], viewer: Viewer) => queries.rows<CopyRow>`
    SELECT wanted, id, owner, url, variant, coalesce(status, (header::json ->> 'status')::integer) AS status,
      coalesce(content_type, header::json ->> 'contentType', '') AS "contentType", size, fetched_at AS "fetchedAt",
      checked_at AS "checkedAt", expires_at AS "expiresAt", verified AS "isVerified", title, description,
      (SELECT count(*) FROM screenshots WHERE page_id = pages.id)::integer AS screenshots
    FROM (
      SELECT wanted, page, row_number() OVER (PARTITION BY wanted ORDER BY fetched_at DESC, page DESC) AS place FROM (
        SELECT asked.url AS wanted, pages.id AS page, fetched_at FROM unnest(${urls}::text[]) AS asked (url)
          CROSS JOIN pages WHERE owner = ANY(${viewer}::text[]) AND url_key(pages.url) = url_key(asked.url) AND final_url IS NULL
        UNION ALL SELECT asked.url AS wanted, pages.id AS page, fetched_at FROM unnest(${urls}::text[]) AS asked (url)
          CROSS JOIN pages WHERE owner = ANY(${viewer}::text[]) AND url_key(final_url) = url_key(asked.url)
            AND final_url IS NOT NULL
      ) AS found
    ) AS placed JOIN pages ON id = page WHERE place <= ${COPIES_SHOWN}::integer ORDER BY fetched_at DESC, id DESC`;

  // The entry of the team itself comes before one that it shares.
  const readEntries = (urls: readonly string[], viewer: Viewer, teamId: string) => queries.rows<EntryRow>`
    SELECT wanted, owner, fetched_at AS "fetchedAt", ${bodies.columns} FROM (
      SELECT asked.url AS wanted, index_entries.*,
        row_number() OVER (PARTITION BY asked.url ORDER BY owner = ${teamId} DESC) AS place
      FROM unnest(${urls}::text[]) AS asked (url) CROSS JOIN index_entries
      WHERE owner = ANY(${viewer}::text[]) AND url_key(index_entries.url) = url_key(asked.url) AND ${bodies.exists}
    ) AS found WHERE place = 1`;

  const readTracked = (urls: readonly string[], teamId: string) => queries.rows<{ wanted: string }>`
    SELECT asked.url AS wanted FROM unnest(${urls}::text[]) AS asked (url) WHERE EXISTS (
      SELECT 1 FROM page_history WHERE team_id = ${teamId} AND url_key(page_history.url) = url_key(asked.url))`;

  return async (urls, viewer, teamId) => {
    const [copies, entries, tracked] = await Promise.all([
      readCopies(urls, viewer),
      readEntries(urls, viewer, teamId),
      readTracked(urls, teamId),
    ]);
    const trackedUrls = new Set(tracked.map((row) => row.wanted));
    const copiesByUrl = Map.groupBy(copies, (row) => row.wanted);
    const entryByUrl = new Map(entries.map((row) => [row.wanted, row]));
    bodies.expect(entries);
    const found = await Promise.all(
      urls.map(async (url) => {
        const own = (copiesByUrl.get(url) ?? []).map(toCopy);
        const row = entryByUrl.get(url);
        const isTracked = trackedUrls.has(url);
        if (own.length === 0 && !row && !isTracked) return undefined;
        const bytes = row && (await bodies.read(row));
        const entry = bytes && (JSON.parse(bytes.toString()) as IndexEntry);
        const indexed = row && { owner: row.owner, fetchedAt: row.fetchedAt, ...(entry && { entry }) };
        return { copies: own, ...(indexed && { indexed }), isTracked, bytesRead: bytes?.byteLength ?? 0 };
      }),
    );
    return new Map(urls.flatMap((url, index) => (found[index] ? [[url, found[index]]] : [])));
  };
}

const toCopy = ({ wanted: _, isVerified, ...copy }: CopyRow): StoredCopy => ({
  ...copy,
  isVerified: Boolean(isVerified),
});
