// What is stored of one page: its copies in the cache, its entry in the index, and whether its changes are tracked.
import type { IndexEntry } from '../../../contracts/index-entry.ts';
import type { Viewer } from '../../../contracts/page-owner.ts';
import type { Connection } from '../../../util/sqlite.ts';
import { COPIES_SHOWN, type PageParts, type StoredCopy } from '../../records/pages/page-summary.ts';
import type { Bodies } from '../bodies.ts';

interface CopyRow extends Omit<StoredCopy, 'isVerified'> {
  verified: 0 | 1;
}
interface EntryRow {
  owner: string;
  bodyId: number;
  fetchedAt: number;
}

/** Undefined if nothing is stored of the page that the viewer may see. */
export type ReadParts = (
  url: string,
  viewer: Viewer,
  teamId: string,
) => (PageParts & { bytesRead: number }) | undefined;

export function createPageParts(connection: Connection, bodies: Bodies): ReadParts {
  const sql = prepareAll(connection);
  return (url, viewer, teamId) => {
    const owners = JSON.stringify(viewer);
    const copies = sql.copies
      .all(owners, url, COPIES_SHOWN)
      .map(({ verified, ...copy }) => ({ ...copy, isVerified: verified === 1 }));
    const row = sql.entry.get(owners, url, teamId);
    const isTracked = sql.isTracked.get(teamId, url) !== undefined;
    if (copies.length === 0 && !row && !isTracked) return undefined;
    const bytes = row && bodies.read(row.bodyId);
    const entry = bytes && (JSON.parse(bytes.toString()) as IndexEntry);
    const indexed = row && { owner: row.owner, fetchedAt: row.fetchedAt, ...(entry && { entry }) };
    return { copies, ...(indexed && { indexed }), isTracked, bytesRead: bytes?.byteLength ?? 0 };
  };
}

const VISIBLE = 'owner IN (SELECT value FROM json_each(?1))';

const prepareAll = (connection: Connection) => ({
  // The entry of the team itself comes before one that it shares.
  entry: connection.prepare<EntryRow>(
    `SELECT owner, body_id AS bodyId, fetched_at AS fetchedAt FROM index_entries
     WHERE ${VISIBLE} AND url = ?2 AND body_id IS NOT NULL ORDER BY owner = ?3 DESC LIMIT 1`,
  ),
  copies: connection.prepare<CopyRow>(
    `SELECT id, owner, url, variant, header ->> 'status' AS status, coalesce(header ->> 'contentType', '') AS contentType,
       size, fetched_at AS fetchedAt, checked_at AS checkedAt, expires_at AS expiresAt, verified, title, description,
       (SELECT count(*) FROM screenshots WHERE page_id = pages.id) AS screenshots
     FROM pages WHERE id IN (
       SELECT id FROM pages WHERE ${VISIBLE} AND url = ?2 AND final_url IS NULL
       UNION ALL SELECT id FROM pages WHERE ${VISIBLE} AND final_url = ?2
     ) ORDER BY fetched_at DESC, id DESC LIMIT ?3`,
  ),
  isTracked: connection.prepare('SELECT 1 FROM page_history WHERE team_id = ? AND url = ?'),
});
