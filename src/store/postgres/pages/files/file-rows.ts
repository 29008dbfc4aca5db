// SQL for downloadable files, with the limit for their total size.
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readersOfBlob } from '../../../blob-file.ts';
import type { BlobStore } from '../../../blob-store.ts';
import type { ByteRange, FileStore, NewFile } from '../../../file-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';
import { createEviction, firstWith, sizeOf } from '../eviction.ts';

const EVICTION_BATCH = 32;

export interface FileRows extends FileStore {
  /** Both remove at most about `limit` files and return how many they removed. */
  removeExpired(now: number, limit: number): Promise<number>;
  evict(now: number, limit: number): Promise<number>;
}

interface FileRow {
  id: string;
  blob: string | null;
  size: number;
}
interface FoundRow extends BodyColumns {
  type: string;
  size: number;
  expiresAt: number;
}

interface FileRowsDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
  blobs: BlobStore;
}

export function createFileRows({ database, bodies, blobs }: FileRowsDeps, maxBytes: number): FileRows {
  const { sql: pool, transaction } = database;

  const removeFiles = async (sql: Sql, files: readonly FileRow[]): Promise<number> => {
    await Promise.all([
      sql`DELETE FROM files WHERE id = ANY(${files.map(({ id }) => id)})`,
      bodies.remove(
        sql,
        files.map(({ blob }) => ({ blob, bytes: null })),
      ),
    ]);
    return files.length;
  };

  const eviction = createEviction({
    database,
    name: 'files',
    maxBytes,
    async totalBytes(sql) {
      const [sum] = await sql<{ total: number }[]>`SELECT coalesce(sum(size), 0)::bigint AS total FROM files`;
      return sum!.total;
    },
    async removeOldest(sql, bytes) {
      const oldest = await sql<FileRow[]>`
        SELECT id, blob, size FROM files ORDER BY created_at, id LIMIT ${EVICTION_BATCH} FOR UPDATE SKIP LOCKED`;
      const chosen = firstWith(oldest, bytes);
      return { entries: await removeFiles(sql, chosen), bytes: sizeOf(chosen) };
    },
  });

  const addRow = async ({ id, type, createdAt, expiresAt }: Omit<NewFile, 'bytes'>, body: NewBody): Promise<void> => {
    const { blob, bytes, size } = body;
    eviction.noteGrowth(size);
    await eviction.makeRoom(createdAt, size);
    await bodies.whileNaming(
      [body],
      () => pool`
        INSERT INTO files (id, type, blob, bytes, size, created_at, expires_at)
        VALUES (${id}, ${type}, ${blob}, ${bytes}, ${size}, ${createdAt}, ${expiresAt})`,
    );
  };

  return {
    add: async (file) => addRow(file, await bodies.store(file.bytes)),
    async adopt(file) {
      const { size } = await stat(file.path);
      await addRow(file, await bodies.adopt(file.path, size));
      await rm(file.path, { force: true });
    },
    async renew(id, { createdAt, expiresAt }) {
      const [file] = await pool<{ type: string }[]>`
        UPDATE files SET created_at = ${createdAt}, expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}
        RETURNING type`;
      return file && { type: file.type };
    },
    async find(id, now) {
      const [file] = await pool<FoundRow[]>`
        SELECT type, size, expires_at AS "expiresAt", blob, bytes FROM files WHERE id = ${id} AND expires_at > ${now}`;
      if (!file) return undefined;
      const { blob, bytes, ...facts } = file;
      if (bytes) return { ...facts, read: (range) => bytesOf(bytes, range) };
      return { ...facts, ...readersOfBlob(blobs, blob!) };
    },
    removeExpired: (now, limit) =>
      transaction(async (sql) =>
        // The screenshots of cached pages stay.
        removeFiles(
          sql,
          await sql<FileRow[]>`
            SELECT id, blob, size FROM files WHERE expires_at <= ${now}
              AND NOT EXISTS (SELECT 1 FROM screenshots WHERE file_id = files.id) LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
        ),
      ),
    evict: eviction.evict,
  };
}

const bytesOf = (bytes: Uint8Array, range?: ByteRange): Readable =>
  Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false });
