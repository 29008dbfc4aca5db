// Compressed bytes of pages and results: small ones in a row, large ones in a file that follows the row's transaction.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { BlobFolder } from '../fs/blobs.ts';
import type { Connection } from './connection.ts';

/** Up to here SQLite reads a value about as fast as the file system opens a file; larger ones would bloat the log. */
const LARGEST_ROW_BYTES = 64 * 1024;
/** One chunk for an ordinary page: growing by the default 16 KB took twice the time. */
const CHUNK_BYTES = 256 * 1024;

/** A third less time than the default level, for hardly more bytes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Bytes ready to be kept. Made before the transaction, so that no lock is held while they are compressed. */
export type Packed = Uint8Array;

export const packBytes = (bytes: Uint8Array): Packed => zstdCompressSync(bytes, FAST);

export interface Bodies {
  keep(packed: Packed): number;
  /** Undefined when the bytes are lost (a power cut, a damaged disk): the caller treats that like a missing row. */
  read(id: number): Buffer | undefined;
  drop(id: number): void;
  /** Removes the files that no row names. Only the owner of the data folder may do it. */
  removeOrphans(): number;
}

interface BodyRow {
  blob: string | null;
  bytes: Uint8Array | null;
}

export function createBodies(connection: Connection, blobs: BlobFolder): Bodies {
  const add = connection.prepare<{ id: number }>('INSERT INTO bodies (blob, bytes) VALUES (?, ?) RETURNING id');
  const find = connection.prepare<BodyRow>('SELECT blob, bytes FROM bodies WHERE id = ?');
  const remove = connection.prepare<{ blob: string | null }>('DELETE FROM bodies WHERE id = ? RETURNING blob');
  const blobsWithPrefix = connection.prepare<{ blob: string }>(
    `SELECT blob FROM bodies WHERE blob >= ?1 AND blob < ?1 || 'g'`,
  );

  const writeBlob = (packed: Packed): string => {
    const name = blobs.write(packed);
    connection.afterRollback(() => blobs.remove(name));
    return name;
  };

  return {
    keep(packed) {
      const inRow = packed.byteLength <= LARGEST_ROW_BYTES;
      return add.get(inRow ? null : writeBlob(packed), inRow ? packed : null)!.id;
    },
    read(id) {
      const row = find.get(BigInt(id));
      const packed = row?.bytes ?? (row?.blob ? blobs.read(row.blob) : undefined);
      if (!packed) return undefined;
      try {
        return zstdDecompressSync(packed, { chunkSize: CHUNK_BYTES });
      } catch {
        return undefined;
      }
    },
    drop(id) {
      const blob = remove.get(BigInt(id))?.blob;
      if (blob) connection.afterCommit(() => blobs.remove(blob));
    },
    removeOrphans: () => blobs.removeOrphans((prefix) => new Set(blobsWithPrefix.all(prefix).map(({ blob }) => blob))),
  };
}
