// SQL for upload URLs and the files received through them.

import type { Connection } from '../../util/sqlite.ts';
import type { NewUpload, Upload } from '../upload-store.ts';
import { type Bodies, type Body, sizeOf } from './bodies.ts';

export interface UploadRows {
  add(upload: NewUpload, limit: number): boolean;
  find(id: string, now: number): Upload | undefined;
  /** Moves the file at that path into the upload, unless it already has one. */
  attachFile(id: string, path: string, size: number): boolean;
  /** Where the file of the upload is. */
  locate(id: string, now: number): Body | undefined;
  remove(id: string): void;
  removeExpired(now: number, limit: number): number;
}

interface UploadRow {
  teamId: string;
  name: string;
  type: string;
  declaredSize: number | null;
  openUntil: number;
  expiresAt: number;
  bodyId: number | null;
  size: number | null;
}

interface UploadRowsDeps {
  connection: Connection;
  bodies: Bodies;
}

export function createUploadRows({ connection, bodies }: UploadRowsDeps): UploadRows {
  const sql = prepareAll(connection);

  const dropAll = (removed: { bodyId: number | null }[]): number => {
    for (const { bodyId } of removed) if (bodyId !== null) bodies.remove(bodyId);
    return removed.length;
  };

  return {
    add: ({ id, teamId, name, type, declaredSize, createdAt, openUntil, expiresAt }, limit) =>
      connection.transaction(() => {
        if (sql.countWaiting.get(teamId, createdAt, createdAt)!.count >= limit) return false;
        sql.add.run(id, teamId, name, type, declaredSize ?? null, createdAt, openUntil, expiresAt);
        return true;
      }),
    find(id, now) {
      const row = sql.find.get(id, now, now);
      if (!row) return undefined;
      const { bodyId: _, declaredSize, size, ...upload } = row;
      return { ...upload, ...(declaredSize !== null && { declaredSize }), ...(size !== null && { size }) };
    },
    attachFile: (id, path, size) =>
      connection.transaction(() => {
        if (!sql.findEmpty.get(id)) return false;
        sql.settle.run(bodies.adopt(path), size, id);
        return true;
      }),
    locate(id, now) {
      const row = sql.find.get(id, now, now);
      const body = row?.bodyId ? bodies.locate(row.bodyId) : undefined;
      // A truncated file (after a power cut or disk damage) counts as missing.
      return body && sizeOf(body) === row?.size ? body : undefined;
    },
    remove: (id) => connection.transaction(() => void dropAll(sql.remove.all(id))),
    removeExpired: (now, limit) => connection.transaction(() => dropAll(sql.removeExpired.all(now, limit))),
  };
}

// An upload URL that received nothing in time no longer exists.
const ALIVE = 'expires_at > ? AND (body_id IS NOT NULL OR open_until > ?)';

const prepareAll = (connection: Connection) => ({
  countWaiting: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM uploads WHERE team_id = ? AND ${ALIVE}`,
  ),
  add: connection.prepare(
    `INSERT INTO uploads (id, team_id, name, type, declared_size, created_at, open_until, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  find: connection.prepare<UploadRow>(
    `SELECT team_id AS teamId, name, type, declared_size AS declaredSize, open_until AS openUntil,
       expires_at AS expiresAt, body_id AS bodyId, size
     FROM uploads WHERE id = ? AND ${ALIVE}`,
  ),
  findEmpty: connection.prepare('SELECT 1 FROM uploads WHERE id = ? AND body_id IS NULL'),
  settle: connection.prepare('UPDATE uploads SET body_id = ?, size = ? WHERE id = ?'),
  remove: connection.prepare<{ bodyId: number | null }>('DELETE FROM uploads WHERE id = ? RETURNING body_id AS bodyId'),
  removeExpired: connection.prepare<{ bodyId: number | null }>(
    `DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE expires_at <= ? LIMIT ?)
     RETURNING body_id AS bodyId`,
  ),
});
