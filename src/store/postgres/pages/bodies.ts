// Bodies in PostgreSQL: small ones are columns of the row that they belong to, large ones are in the blob store. A blob is put
// before the transaction that names it, and removed after the one that forgets it.
import { randomToken } from '../../../util/ids.ts';
import { compressLater, decompressLater } from '../../encoding/compress.ts';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import { sql } from '../../sql/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../../sql/pages/bodies.ts';
import type { PostgresDatabase } from '../database/database.ts';
import { outageOf } from '../database/faults.ts';

/** Larger ones would bloat the log of the database. */
const LARGEST_ROW_BYTES = 64 * 1024;
const NAME_BYTES = 16;

export function createBodies({ sql: pool }: Pick<PostgresDatabase, 'sql'>, blobs: BlobStore): Bodies {
  const store = async (bytes: Uint8Array): Promise<NewBody> => {
    if (bytes.byteLength <= LARGEST_ROW_BYTES) return { blob: null, bytes, size: bytes.byteLength };
    const blob = randomToken(NAME_BYTES);
    await blobs.put(blob, bytes);
    return { blob, bytes: null, size: bytes.byteLength };
  };

  const readRaw = async ({ blob, bytes }: BodyColumns): Promise<Uint8Array | undefined> =>
    bytes ?? (blob ? await blobs.read(blob) : undefined);

  const removeUnnamed = async (names: string[]) => {
    const rows = await pool<{ name: string }[]>`SELECT name FROM named_blobs WHERE name = ANY(${names})`;
    const named = new Set(rows.map(({ name }) => name));
    const unnamed = names.filter((name) => !named.has(name));
    if (unnamed.length > 0) await blobs.remove(unnamed);
  };

  return {
    columns: sql`blob, bytes`,
    reference: sql`blob`,
    target: sql`blob, bytes`,
    exists: sql`(blob IS NOT NULL OR bytes IS NOT NULL)`,
    columnsOfFirst: (table, otherwise) => sql`
      CASE WHEN ${table}.id IS NULL THEN ${otherwise}.blob ELSE ${table}.blob END AS blob,
      CASE WHEN ${table}.id IS NULL THEN ${otherwise}.bytes ELSE ${table}.bytes END AS bytes`,
    values: (_, { blob, bytes }) => sql`${blob}::text, ${bytes}::bytea`,
    // Where files are adopted, there may be no column for bytes.
    assign: (_, { blob, bytes }) => (bytes === undefined ? sql`blob = ${blob}` : sql`blob = ${blob}, bytes = ${bytes}`),
    expect: () => {},
    store,
    readRaw,
    pack: async (bytes) => store(await compressLater(bytes)),
    async adopt(path, size) {
      const blob = randomToken(NAME_BYTES);
      await blobs.put(blob, { path, size });
      return { blob, size };
    },
    async whileNaming(bodies, work) {
      const names = bodies.flatMap(({ blob }) => blob ?? []);
      // What cannot be removed now is an orphan, which the sweep removes.
      const tidy = () => (names.length > 0 ? removeUnnamed(names).catch(() => {}) : undefined);
      try {
        const done = await work();
        await tidy();
        return done;
      } catch (error) {
        // Where the connection was lost, the transaction may still be committed.
        if (outageOf(error) === undefined) await tidy();
        throw error;
      }
    },
    async read(body) {
      const packed = await readRaw(body);
      return packed && decompressLater(packed).catch(() => undefined);
    },
    async remove(tx, bodies) {
      const names = bodies.flatMap(({ blob }) => blob ?? []);
      if (names.length > 0) {
        await tx.run`INSERT INTO removed_blobs (name) SELECT unnest(${names}::text[]) ON CONFLICT DO NOTHING`;
      }
    },
  };
}
