// SQL for the last versions of tracked pages.
import type { Connection } from '../../util/sqlite.ts';
import type { PageHistory, PageLook } from '../page-history.ts';
import { type Bodies, type CompressedBytes, compressBytes } from './bodies.ts';
import type { Served } from './served.ts';

/** A look whose version was compressed before the transaction. */
export interface PackedLook extends Omit<PageLook, 'version'> {
  version?: CompressedBytes;
}

export const packLook = (look: PageLook | undefined): PackedLook | undefined =>
  look && { ...look, version: look.version && compressBytes(look.version) };

export interface HistoryRows extends Served<PageHistory> {
  /** Call inside a transaction. */
  write(teamId: string, look: PackedLook | undefined): void;
}

interface HistoryRow {
  bodyId: number;
  at: number;
}

export function createHistoryRows(connection: Connection, bodies: Bodies): HistoryRows {
  const sql = prepareAll(connection);
  return {
    find(key) {
      const row = sql.find.get(key);
      // A version that is lost (damaged disk) counts as none.
      const version = row && bodies.read(row.bodyId);
      return version && { at: row.at, version: new Uint8Array(version) };
    },
    known: (crawl, after, limit) => sql.known.all(crawl, after, limit).map(({ url }) => url),
    write(teamId, look) {
      if (!look) return;
      const { key, url, at, crawl = null, version } = look;
      const last = sql.find.get(key);
      if (last && last.at > at) return;
      if (!version) {
        sql.forget.run(key);
        return;
      }
      sql.write.run(key, teamId, url, crawl, at, bodies.add(version));
      if (last) bodies.remove(last.bodyId);
    },
  };
}

const prepareAll = (connection: Connection) => ({
  find: connection.prepare<HistoryRow>('SELECT body_id AS bodyId, seen_at AS at FROM page_history WHERE key = ?'),
  known: connection.prepare<{ url: string }>(
    'SELECT url FROM page_history WHERE crawl = ? AND url > ? ORDER BY url LIMIT ?',
  ),
  write: connection.prepare(
    `INSERT INTO page_history (key, team_id, url, crawl, seen_at, body_id) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET crawl = coalesce(excluded.crawl, crawl), seen_at = excluded.seen_at, body_id = excluded.body_id`,
  ),
  forget: connection.prepare('UPDATE page_history SET crawl = NULL WHERE key = ?'),
});
