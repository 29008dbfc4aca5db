// Files that callers fetch by an address: all their SQL, and the limit of what they may take together.
import type { FileStore } from '../files.ts';
import type { Bodies } from './bodies.ts';
import type { Connection } from './connection.ts';
import type { Served } from './served.ts';

const EVICTION_BATCH = 32;
const EVICTIONS_A_WRITE = 4 * EVICTION_BATCH;

export interface FileRows extends Served<FileStore> {
  /** Both remove at most about `limit` files and say how many it was. */
  removeExpired(now: number, limit: number): number;
  evict(now: number, limit: number): number;
}

interface FileRow {
  id: string;
  bodyId: number;
  size: number;
}
interface FoundFile extends FileRow {
  type: string;
  expiresAt: number;
}

interface FileRowsDeps {
  connection: Connection;
  bodies: Bodies;
}

export function createFileRows({ connection, bodies }: FileRowsDeps, maxBytes: number): FileRows {
  const sql = prepareAll(connection);
  // Counted on from here in memory, changed only when a transaction has been committed.
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
        bodies.drop(bodyId);
        grow(-size);
      }
      return files.length;
    });

  /** The oldest files go until so many bytes more would find room. */
  const makeRoom = (bytes: number, limit: number): number => {
    let evicted = 0;
    while (total + bytes > maxBytes && evicted < limit) {
      const batch = removeFiles(() => sql.oldest.all(EVICTION_BATCH, total + bytes - maxBytes));
      if (batch === 0) break;
      evicted += batch;
    }
    return evicted;
  };

  return {
    add({ id, bytes, type, createdAt, expiresAt }) {
      const size = bytes.byteLength;
      makeRoom(size, EVICTIONS_A_WRITE);
      connection.transaction(() => {
        sql.add.run(id, bodies.keep(bytes), type, size, createdAt, expiresAt);
        grow(size);
      });
    },
    find(id, now) {
      const file = sql.find.get(id, now);
      const bytes = file && bodies.readAsKept(file.bodyId);
      // A file that was cut short (a power cut, a damaged disk) is none.
      if (!bytes || bytes.byteLength !== file.size) return undefined;
      return { bytes, type: file.type, expiresAt: file.expiresAt };
    },
    removeExpired: (now, limit) => removeFiles(() => sql.expired.all(now, limit)),
    evict: (_now, limit) => makeRoom(0, limit),
  };
}

const FILE = 'id, body_id AS bodyId, size';

const prepareAll = (connection: Connection) => ({
  totalSize: connection.prepare<{ size: number }>('SELECT coalesce(sum(size), 0) AS size FROM files'),
  add: connection.prepare(
    'INSERT INTO files (id, body_id, type, size, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  find: connection.prepare<FoundFile>(
    `SELECT ${FILE}, type, expires_at AS expiresAt FROM files WHERE id = ? AND expires_at > ?`,
  ),
  expired: connection.prepare<FileRow>(`SELECT ${FILE} FROM files WHERE expires_at <= ? LIMIT ?`),
  // As many of the oldest as free those bytes together.
  oldest: connection.prepare<FileRow>(
    `SELECT id, bodyId, size FROM (
       SELECT ${FILE}, sum(size) OVER (ORDER BY created_at, id) - size AS freed
       FROM (SELECT * FROM files ORDER BY created_at, id LIMIT ?)
     ) WHERE freed < ?`,
  ),
  remove: connection.prepare('DELETE FROM files WHERE id = ?'),
});
