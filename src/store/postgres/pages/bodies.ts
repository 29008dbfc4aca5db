// The bytes of pages, results and files: small ones in the row that they belong to, large ones in the blob store. A blob is put
// before the transaction that names it, and removed after the one that forgets it.
import { randomToken } from '../../../util/ids.ts';
import type { BlobStore } from '../../blob-store.ts';
import { compressLater, decompressLater } from '../../encoding/compress.ts';
import type { Database, Sql } from '../database/database.ts';
import { outageOf } from '../database/faults.ts';

/** Larger ones would bloat the log of the database. */
const LARGEST_ROW_BYTES = 64 * 1024;
const NAME_BYTES = 16;

/** The columns of a body. Both are null if the row has no body. */
export interface BodyColumns {
  blob: string | null;
  bytes: Uint8Array | null;
}

/** A body that is ready for its row. */
export interface NewBody extends BodyColumns {
  size: number;
}

export interface Bodies {
  /** Compresses the bytes. Call it before the transaction, like `store` and `adopt`. */
  pack(bytes: Uint8Array): Promise<NewBody>;
  /** Keeps the bytes as they are. */
  store(bytes: Uint8Array): Promise<NewBody>;
  /** Takes over a file. */
  adopt(path: string, size: number): Promise<NewBody>;
  /** Runs the transaction that names these bodies. Those that it did not name are removed, unless its end is unknown. */
  whileNaming<T>(bodies: readonly NewBody[], work: () => Promise<T>): Promise<T>;
  /** Decompressed. Undefined if the blob is lost or damaged: callers treat that like a missing row. */
  read(body: BodyColumns): Promise<Buffer | undefined>;
  /** As stored. */
  readRaw(body: BodyColumns): Promise<Uint8Array | undefined>;
  /** Call inside the transaction that removes their rows. */
  remove(sql: Sql, bodies: readonly BodyColumns[]): Promise<void>;
}

export function createBodies({ sql: pool }: Pick<Database, 'sql'>, blobs: BlobStore): Bodies {
  const store = async (bytes: Uint8Array): Promise<NewBody> => {
    if (bytes.byteLength <= LARGEST_ROW_BYTES) return { blob: null, bytes, size: bytes.byteLength };
    const blob = randomToken(NAME_BYTES);
    await blobs.put(blob, bytes);
    return { blob, bytes: null, size: bytes.byteLength };
  };

  const readRaw = async ({ blob, bytes }: BodyColumns): Promise<Uint8Array | undefined> =>
    bytes ?? (blob === null ? undefined : await blobs.read(blob));

  const removeUnnamed = async (names: string[]) => {
    const rows = await pool<{ name: string }[]>`SELECT name FROM named_blobs WHERE name = ANY(${names})`;
    const named = new Set(rows.map(({ name }) => name));
    const unnamed = names.filter((name) => !named.has(name));
    if (unnamed.length > 0) await blobs.remove(unnamed);
  };

  return {
    store,
    readRaw,
    pack: async (bytes) => store(await compressLater(bytes)),
    async adopt(path, size) {
      const blob = randomToken(NAME_BYTES);
      await blobs.put(blob, { path, size });
      return { blob, bytes: null, size };
    },
    async whileNaming(bodies, work) {
      const names = bodies.flatMap(({ blob }) => (blob === null ? [] : [blob]));
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
    async remove(sql, bodies) {
      const names = bodies.flatMap(({ blob }) => (blob === null ? [] : [blob]));
      if (names.length > 0) {
        await sql`INSERT INTO removed_blobs (name) SELECT unnest(${names}::text[]) ON CONFLICT DO NOTHING`;
      }
    },
  };
}
