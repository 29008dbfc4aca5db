// Downloadable files, with the limit for their total size.
import type { FileOnDisk, NewFile, StoredFile } from '../../../ports/files/file-store.ts';
import { type Awaitable, type Database, type Remover, sql, type Tx } from '../../database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';
import { type Eviction, firstWith, type RemoveOldest, sizeOf } from '../eviction.ts';

/** `Content` is how a dialect gives out the bytes of a file. */
export interface FileRows<Content> {
  add(file: NewFile): Promise<void>;
  adopt(file: FileOnDisk & { size: number }): Promise<void>;
  renew(id: string, times: Pick<NewFile, 'createdAt' | 'expiresAt'>): Promise<{ type: string } | undefined>;
  find(id: string, now: number): Promise<(FoundFacts & Content) | undefined>;
  /** Removes the files that hold the documents of a job. Returns how many. */
  removeOfJob(tx: Tx, job: number): Promise<number>;
  removeExpired: Remover;
  removeOldest: RemoveOldest;
  evict: Remover;
}

type FoundFacts = Pick<StoredFile, 'type' | 'size' | 'expiresAt'>;

interface FileRow extends BodyColumns {
  id: string;
  size: number;
}
interface FoundRow extends BodyColumns {
  type: string;
  size: number;
  expiresAt: number;
}

interface FileRowsDeps<Content> {
  database: Database;
  bodies: Bodies;
  eviction: Eviction;
  /** Undefined if the body is lost, or has another size. */
  open(body: BodyColumns, size: number): Awaitable<Content | undefined>;
}

export function createFileRows<Content extends object>(deps: FileRowsDeps<Content>): FileRows<Content> {
  const { database, bodies, eviction, open } = deps;
  const row = sql`id, size, ${bodies.reference}`;

  const removeFiles = async (tx: Tx, files: readonly FileRow[]): Promise<number> => {
    await tx.run`DELETE FROM files WHERE id = ANY(${files.map(({ id }) => id)}::text[])`;
    await bodies.remove(tx, files);
    eviction.noteGrowth(-sizeOf(files));
    return files.length;
  };

  const removeOldest: RemoveOldest = async (tx, { limit, bytes }) => {
    // What can be made again goes first.
    const ofJobs = await tx.rows<FileRow>`
      SELECT ${row} FROM files WHERE job_id IS NOT NULL ORDER BY created_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    const oldest =
      ofJobs.length > 0
        ? ofJobs
        : await tx.rows<FileRow>`
            SELECT ${row} FROM files ORDER BY created_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    const chosen = firstWith(oldest, bytes);
    return { entries: await removeFiles(tx, chosen), bytes: sizeOf(chosen) };
  };

  const addRow = async (file: Omit<NewFile, 'bytes'>, body: NewBody): Promise<void> => {
    const { id, type, createdAt, expiresAt, jobId = null } = file;
    const { size } = body;
    await eviction.makeRoom(removeOldest, createdAt, size);
    await bodies.whileNaming([body], () =>
      database.transaction(async (tx) => {
        await tx.run`
          INSERT INTO files (id, type, size, created_at, expires_at, job_id, ${bodies.target})
          VALUES (${id}, ${type}, ${size}, ${createdAt}, ${expiresAt}, ${jobId}, ${bodies.values(tx, body)})`;
        eviction.noteGrowth(size);
      }),
    );
  };

  return {
    add: async (file) => addRow(file, await bodies.store(file.bytes)),
    adopt: async (file) => addRow(file, await bodies.adopt(file.path, file.size)),
    async renew(id, { createdAt, expiresAt }) {
      const file = await database.one<Omit<FoundRow, 'expiresAt'>>`
        UPDATE files SET created_at = ${createdAt}, expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}
        RETURNING type, size, ${bodies.columns}`;
      return file && (await open(file, file.size)) && { type: file.type };
    },
    async find(id, now) {
      const file = await database.one<FoundRow>`
        SELECT type, size, expires_at AS "expiresAt", ${bodies.columns} FROM files
        WHERE id = ${id} AND expires_at > ${now}`;
      const content = file && (await open(file, file.size));
      return content && { ...content, type: file.type, size: file.size, expiresAt: file.expiresAt };
    },
    removeOfJob: async (tx, job) =>
      removeFiles(
        tx,
        await tx.rows<FileRow>`
          SELECT ${row} FROM files WHERE job_id = (SELECT jobs.id FROM jobs WHERE number = ${job}) FOR UPDATE`,
      ),
    removeExpired: (now, limit) =>
      database.transaction(async (tx) =>
        // The screenshots of cached pages stay.
        removeFiles(
          tx,
          await tx.rows<FileRow>`
            SELECT ${row} FROM files WHERE expires_at <= ${now}
              AND NOT EXISTS (SELECT 1 FROM screenshots WHERE file_id = files.id) LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
        ),
      ),
    removeOldest,
    evict: (now, limit) => eviction.evict(removeOldest, now, limit),
  };
}
