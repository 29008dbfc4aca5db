// Large bodies in the database, in parts of one megabyte, for installations without an object store.
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { BlobContent, BlobStore, ListedBlob } from '../ports/files/blob-store.ts';
import type { ByteRange } from '../ports/files/file-store.ts';
import type { PostgresDatabase } from './database/database.ts';

const PART_BYTES = 1024 * 1024;

export function createBlobRows({ sql, transaction }: Pick<PostgresDatabase, 'sql' | 'transaction'>): BlobStore {
  const sizeOf = async (name: string): Promise<number | undefined> =>
    (await sql<{ size: number }[]>`SELECT size FROM blobs WHERE name = ${name}`)[0]?.size;

  /** Reads one part at a time. A blob that is removed meanwhile ends with an error, not early. */
  async function* read(name: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    for (let part = Math.floor(start / PART_BYTES); part * PART_BYTES <= end; part++) {
      const [row] = await sql<{ bytes: Uint8Array }[]>`
        SELECT bytes FROM blob_parts WHERE blob = ${name} AND part = ${part}`;
      if (!row)
        throw new ServiceError('UNKNOWN_ERROR', {
          message: 'A stored file was removed while it was read. Repeat the request.',
        });
      const first = part * PART_BYTES;
      yield row.bytes.subarray(Math.max(0, start - first), end + 1 - first);
    }
  }

  const rangeOf = (size: number, range?: ByteRange): ByteRange => range ?? { start: 0, end: size - 1 };

  return {
    put: (name, content) =>
      transaction(async (inside) => {
        const size = content instanceof Uint8Array ? content.byteLength : content.size;
        await inside`INSERT INTO blobs (name, size) VALUES (${name}, ${size})`;
        let part = 0;
        for await (const bytes of partsOf(content)) {
          await inside`INSERT INTO blob_parts (blob, part, bytes) VALUES (${name}, ${part}, ${bytes})`;
          part += 1;
        }
      }),
    async read(name) {
      const size = await sizeOf(name);
      if (size === undefined) return undefined;
      const parts: Uint8Array[] = [];
      for await (const part of read(name, rangeOf(size))) parts.push(part);
      return Buffer.concat(parts, size);
    },
    async stream(name, range) {
      const size = await sizeOf(name);
      return size === undefined ? undefined : Readable.from(read(name, rangeOf(size, range)), { objectMode: false });
    },
    remove: async (names) => void (await sql`DELETE FROM blobs WHERE name = ANY(${names as string[]})`),
    async list(after, limit) {
      const rows = await sql<ListedBlob[]>`
        SELECT name, size, (extract(epoch FROM written_at) * 1000)::bigint AS "writtenAt"
        FROM blobs WHERE name > ${after} ORDER BY name LIMIT ${limit}`;
      return [...rows];
    },
    // The database itself says whether it works.
    probe: async () => {},
    close: async () => {},
  };
}

async function* partsOf(content: BlobContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.byteLength; at += PART_BYTES) yield content.subarray(at, at + PART_BYTES);
    return;
  }
  const file = await open(content.path);
  try {
    for (let at = 0; at < content.size; ) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PART_BYTES), 0, PART_BYTES, at);
      if (bytesRead === 0)
        throw new ServiceError('UNKNOWN_ERROR', {
          message: 'A file became shorter while it was stored. Repeat the request.',
        });
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
