// SQL for downloadable files, with the limit for their total size.

import type { Connection } from '../../util/sqlite.ts';
import type { FileOnDisk, NewFile, StoredFile } from '../file-store.ts';
import { type Bodies, type Body, sizeOf } from './bodies.ts';

const EVICTION_BATCH = 32;
const EVICTIONS_PER_WRITE = 4 * EVICTION_BATCH;

/** A file as it passes between threads: its bytes, or where a large one is. */
export type FoundFile = Omit<StoredFile, 'read'> & { body: Body };

export interface FileRows {
  add(file: NewFile): void;
  adopt(file: FileOnDisk & { size: number }): void;
  renew(id: string, times: Pick<NewFile, 'createdAt' | 'expiresAt'>): { type: string } | undefined;
  find(id: string, now: number): FoundFile | undefined;
  /** Both remove at most about `limit` files and return how many they removed. */
  removeExpired(now: number, limit: number): number;
  evict(now: number, limit: number): number;
  /** Removes the oldest files, whatever the limit. */
  discard(limit: number): number;
}

interface FileRow {
  id: string;
  bodyId: number;
  size: number;
}
interface FoundRow extends FileRow {
  type: string;
  expiresAt: number;
}

interface FileRowsDeps {
  connection: Connection;
  bodies: Bodies;
}

export function createFileRows({ connection, bodies }: FileRowsDeps, maxBytes: number): FileRows {
  const sql = prepareAll(connection);
  // Maintained in memory, and changed only after a commit.
  let total = sql.totalSize.get()!.size;
  const grow = (bytes: number) =>
    connection.afterCommit(() => {
      total += bytes;
    });

  const removeFiles = (choose: () => FileRow[]): number =>
    connection.transaction(() => {
      const files = choose();
      for (const { id, bodyId, size } of files) {
        sql.remove.run(id);
        bodies.remove(bodyId);
        grow(-size);
      }
      return files.length;
    });

  /** Removes the oldest files until this many more bytes fit. */
  const makeRoom = (bytes: number, limit: number): number => {
    let evicted = 0;
    while (total + bytes > maxBytes && evicted < limit) {
      const batch = removeFiles(() => sql.oldest.all(EVICTION_BATCH, total + bytes - maxBytes));
      if (batch === 0) break;
      evicted += batch;
    }
    return evicted;
  };

  const addRow = (file: Omit<NewFile, 'bytes'>, size: number, storeBody: () => number) => {
    const { id, type, createdAt, expiresAt } = file;
    makeRoom(size, EVICTIONS_PER_WRITE);
    connection.transaction(() => {
      sql.add.run(id, storeBody(), type, size, createdAt, expiresAt);
      grow(size);
    });
  };

  return {
    add: (file) => addRow(file, file.bytes.byteLength, () => bodies.add(file.bytes)),
    adopt: (file) => addRow(file, file.size, () => bodies.adopt(file.path)),
    renew(id, { createdAt, expiresAt }) {
      const file = sql.renew.get(createdAt, expiresAt, id);
      const body = file && bodies.locate(file.bodyId);
      return body && sizeOf(body) === file.size ? { type: file.type } : undefined;
    },
    find(id, now) {
      const file = sql.find.get(id, now);
      const body = file && bodies.locate(file.bodyId);
      // A truncated file (after a power cut or disk damage) counts as missing.
      if (!body || sizeOf(body) !== file.size) return undefined;
      return { body, type: file.type, size: file.size, expiresAt: file.expiresAt };
    },
    removeExpired: (now, limit) => removeFiles(() => sql.expired.all(now, limit)),
    evict: (_now, limit) => makeRoom(0, limit),
    discard: (limit) => removeFiles(() => sql.oldest.all(limit, Number.MAX_SAFE_INTEGER)),
  };
}

const FILE = 'id, body_id AS bodyId, size';

const prepareAll = (connection: Connection) => ({
  totalSize: connection.prepare<{ size: number }>('SELECT coalesce(sum(size), 0) AS size FROM files'),
  add: connection.prepare(
    'INSERT INTO files (id, body_id, type, size, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  find: connection.prepare<FoundRow>(
    `SELECT ${FILE}, type, expires_at AS expiresAt FROM files WHERE id = ? AND expires_at > ?`,
  ),
  renew: connection.prepare<FoundRow>(
    `UPDATE files SET created_at = ?, expires_at = max(expires_at, ?) WHERE id = ? RETURNING ${FILE}, type`,
  ),
  // The screenshots of cached pages stay.
  expired: connection.prepare<FileRow>(
    `SELECT ${FILE} FROM files WHERE expires_at <= ?
       AND NOT EXISTS (SELECT 1 FROM screenshots WHERE file_id = files.id) LIMIT ?`,
  ),
  // The oldest files that together free this many bytes.
  oldest: connection.prepare<FileRow>(
    `SELECT id, bodyId, size FROM (
       SELECT ${FILE}, sum(size) OVER (ORDER BY created_at, id) - size AS freed
       FROM (SELECT * FROM files ORDER BY created_at, id LIMIT ?)
     ) WHERE freed < ?`,
  ),
  remove: connection.prepare('DELETE FROM files WHERE id = ?'),
});
