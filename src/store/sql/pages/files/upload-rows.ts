// Upload URLs, and the files received through them.
import type { AttachFile } from '../../../calls/file-receiver.ts';
import type { Upload, UploadStore } from '../../../ports/files/upload-store.ts';
import { type Awaitable, type Database, type Queries, type Remover, sql, type Tx } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

/** `File` is how a dialect gives out a file. */
export interface UploadRows<File> extends Pick<UploadStore, 'add' | 'find' | 'remove'> {
  attachFile: AttachFile;
  read(id: string, now: number): Promise<File | undefined>;
  removeExpired: Remover;
}

/** An upload with a size has its file. */
interface UploadRow extends Omit<Upload, 'declaredSize' | 'size'> {
  declaredSize: number | null;
  size: number | null;
}

interface UploadRowsDeps<File> {
  database: Database;
  bodies: Bodies;
  /** Undefined if the body is lost, or has another size. */
  open(body: BodyColumns, size: number): Awaitable<File | undefined>;
}

export function createUploadRows<File>({ database, bodies, open }: UploadRowsDeps<File>): UploadRows<File> {
  const isOpen = async (queries: Queries, id: string): Promise<boolean> =>
    (await queries.one`SELECT 1 FROM uploads WHERE id = ${id} AND size IS NULL FOR UPDATE`) !== undefined;

  const removeBodies = async (tx: Tx, removed: readonly BodyColumns[]): Promise<number> => {
    await bodies.remove(tx, removed);
    return removed.length;
  };

  return {
    add: ({ id, teamId, name, type, declaredSize, createdAt, openUntil, expiresAt }, limit) =>
      database.transaction(async (tx) => {
        // Uploads of a team are added one after the other, so that their number holds.
        await tx.one`SELECT 1 FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
        const added = await tx.run`
          INSERT INTO uploads (id, team_id, name, type, declared_size, created_at, open_until, expires_at)
          SELECT ${id}, ${teamId}, ${name}, ${type}, ${declaredSize}::bigint, ${createdAt}::bigint, ${openUntil}::bigint,
            ${expiresAt}::bigint
          WHERE (SELECT count(*) FROM uploads WHERE team_id = ${teamId} AND ${isAlive(createdAt)}) < ${limit}::bigint`;
        return added > 0;
      }),
    async find(id, now) {
      const row = await database.one<UploadRow>`
        SELECT team_id AS "teamId", name, type, declared_size AS "declaredSize", open_until AS "openUntil",
          expires_at AS "expiresAt", size
        FROM uploads WHERE id = ${id} AND ${isAlive(now)}`;
      if (!row) return undefined;
      const { declaredSize, size, ...upload } = row;
      return { ...upload, ...(declaredSize !== null && { declaredSize }), ...(size !== null && { size }) };
    },
    async attachFile(id, path, size) {
      // Also before the file is taken over, which may take a while.
      if (!(await isOpen(database, id))) return false;
      const body = await bodies.adopt(path, size);
      return bodies.whileNaming([body], () =>
        database.transaction(async (tx) => {
          if (!(await isOpen(tx, id))) return false;
          await tx.run`UPDATE uploads SET ${bodies.assign(tx, body)}, size = ${size} WHERE id = ${id}`;
          return true;
        }),
      );
    },
    async read(id, now) {
      const row = await database.one<BodyColumns & { size: number }>`
        SELECT size, ${bodies.reference} FROM uploads WHERE id = ${id} AND expires_at > ${now} AND size IS NOT NULL`;
      return row && open(row, row.size);
    },
    remove: (id) =>
      database.transaction(async (tx) => {
        await removeBodies(
          tx,
          await tx.rows<BodyColumns>`DELETE FROM uploads WHERE id = ${id} RETURNING ${bodies.reference}`,
        );
      }),
    removeExpired: (now, limit) =>
      database.transaction(async (tx) =>
        removeBodies(
          tx,
          await tx.rows<BodyColumns>`
            DELETE FROM uploads WHERE id IN (
              SELECT id FROM uploads WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING ${bodies.reference}`,
        ),
      ),
  };
}

/** An upload URL that received nothing in time no longer exists. */
const isAlive = (now: number) => sql`expires_at > ${now} AND (size IS NOT NULL OR open_until > ${now})`;
