// SQL for upload URLs and the files received through them. A complete file is put into the blob store, so that any process can
// parse it.
import type { AttachFile } from '../../../calls/file-receiver.ts';
import type { Upload, UploadStore } from '../../../upload-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Bodies } from '../bodies.ts';

export interface UploadRows extends Omit<UploadStore, 'hold' | 'receive'> {
  attachFile: AttachFile;
  removeExpired(now: number, limit: number): Promise<number>;
}

interface UploadRow extends Omit<Upload, 'declaredSize' | 'size'> {
  declaredSize: number | null;
  size: number | null;
  blob: string | null;
}

interface UploadRowsDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
}

export function createUploadRows({ database, bodies }: UploadRowsDeps): UploadRows {
  const { sql: pool, transaction } = database;

  const findRow = async (id: string, now: number): Promise<UploadRow | undefined> => {
    const [row] = await pool<UploadRow[]>`
      SELECT team_id AS "teamId", name, type, declared_size AS "declaredSize", open_until AS "openUntil",
        expires_at AS "expiresAt", size, blob
      FROM uploads WHERE id = ${id} AND ${isAlive(pool, now)}`;
    return row;
  };

  const dropAll = async (sql: Sql, removed: readonly { blob: string | null }[]): Promise<number> => {
    await bodies.remove(
      sql,
      removed.map(({ blob }) => ({ blob, bytes: null })),
    );
    return removed.length;
  };

  const isOpen = async (id: string): Promise<boolean> =>
    (await pool`SELECT 1 FROM uploads WHERE id = ${id} AND blob IS NULL`).length > 0;

  return {
    add: ({ id, teamId, name, type, declaredSize, createdAt, openUntil, expiresAt }, limit) =>
      transaction(async (sql) => {
        // Uploads of a team are added one after the other, so that their number holds.
        await sql`SELECT 1 FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
        const added = await sql`
          INSERT INTO uploads (id, team_id, name, type, declared_size, created_at, open_until, expires_at)
          SELECT ${id}, ${teamId}, ${name}, ${type}, ${declaredSize ?? null}::bigint, ${createdAt}::bigint,
            ${openUntil}::bigint, ${expiresAt}::bigint
          WHERE (SELECT count(*) FROM uploads WHERE team_id = ${teamId} AND ${isAlive(sql, createdAt)}) < ${limit}`;
        return added.count > 0;
      }),
    async find(id, now) {
      const row = await findRow(id, now);
      if (!row) return undefined;
      const { blob: _, declaredSize, size, ...upload } = row;
      return { ...upload, ...(declaredSize !== null && { declaredSize }), ...(size !== null && { size }) };
    },
    async attachFile(id, path, size) {
      if (!(await isOpen(id))) return false;
      const body = await bodies.adopt(path, size);
      const settled = await bodies.whileNaming(
        [body],
        () => pool`UPDATE uploads SET blob = ${body.blob}, size = ${size} WHERE id = ${id} AND blob IS NULL`,
      );
      return settled.count > 0;
    },
    async read(id, now) {
      const row = await findRow(id, now);
      if (!row || row.blob === null) return undefined;
      const bytes = await bodies.readRaw({ blob: row.blob, bytes: null });
      // What is incomplete counts as missing.
      return bytes?.byteLength === row.size ? bytes : undefined;
    },
    remove: (id) =>
      transaction(async (sql) => {
        await dropAll(sql, await sql<{ blob: string | null }[]>`DELETE FROM uploads WHERE id = ${id} RETURNING blob`);
      }),
    removeExpired: (now, limit) =>
      transaction(async (sql) =>
        dropAll(
          sql,
          await sql<{ blob: string | null }[]>`
            DELETE FROM uploads WHERE id IN (
              SELECT id FROM uploads WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING blob`,
        ),
      ),
  };
}

/** An upload URL that received nothing in time no longer exists. */
const isAlive = (sql: Sql, now: number) => sql`expires_at > ${now} AND (blob IS NOT NULL OR open_until > ${now})`;
