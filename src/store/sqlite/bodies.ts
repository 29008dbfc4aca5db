// The bytes of pages, results and files: small ones in a row, large ones in a file that follows the transaction of its
// row.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { diskFaultOf } from '../../util/disk-fault.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { BlobFolder } from '../fs/blob-folder.ts';
import { SPARE_BYTES } from './join-bytes.ts';

/**
 * Up to this size, SQLite reads a value about as fast as the file system opens a file. Larger ones would bloat the log.
 */
const LARGEST_ROW_BYTES = 64 * 1024;
/** For frames that do not state their length. */
const CHUNK_BYTES = 64 * 1024;
const LARGEST_CHUNK_BYTES = 16 * 1024 * 1024;

/** A third faster than the default level, with hardly more bytes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compress before the transaction, so that no lock is held in the meantime. */
export type CompressedBytes = Uint8Array;

export const compressBytes = (bytes: Uint8Array): CompressedBytes => zstdCompressSync(bytes, FAST);

/** Decompresses into one buffer of the right size. Growing a buffer, or allocating a large one, takes twice as long. */
export function decompressBytes(packed: CompressedBytes): Buffer {
  const length = unpackedLength(packed) ?? CHUNK_BYTES;
  return zstdDecompressSync(packed, {
    // A spare byte lets zlib notice the end without another round.
    chunkSize: Math.min(length + SPARE_BYTES, LARGEST_CHUNK_BYTES),
  });
}

/** The content size in the header of a zstd frame (RFC 8878, 3.1.1.1). */
function unpackedLength(packed: CompressedBytes): number | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const descriptor = view.getUint8(4);
  const isOneSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isOneSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  switch (descriptor >> 6) {
    case 0:
      return isOneSegment ? view.getUint8(at) : undefined;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

/** Small bodies as bytes, large ones as a file. */
export type Body = { bytes: Uint8Array } | { path: string; size: number };

export interface Bodies {
  add(bytes: Uint8Array): number;
  /** Moves an existing file of the same file system into the blob folder. */
  adopt(path: string): number;
  /**
   * Decompresses the body. Undefined if it is lost (power cut, damaged disk): callers treat that like a missing row.
   */
  read(id: number): Buffer | undefined;
  /** The bytes as stored; undefined if lost. A truncated file can only be recognised by its length. */
  readRaw(id: number): Uint8Array | undefined;
  /** The body as stored, without reading a large one. */
  locate(id: number): Body | undefined;
  remove(id: number): void;
  /** Removes files without a row. Only the owner of the data folder may call it. */
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

  const orRemove = (blob: string): string => {
    connection.afterRollback(() => blobs.remove(blob));
    return blob;
  };

  /** A damaged page of the database, or a damaged file, costs this body and nothing else. */
  const unlessDamaged = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const fault = diskFaultOf(error);
      if (fault === 'damaged' || fault === 'failing') return undefined;
      throw error;
    }
  };
  const findRow = (id: number) => unlessDamaged(() => find.get(BigInt(id)));

  const readAsKept = (id: number): Uint8Array | undefined => {
    const row = findRow(id);
    return row?.bytes ?? unlessDamaged(() => (row?.blob ? blobs.read(row.blob) : undefined));
  };

  return {
    add(bytes) {
      const inRow = bytes.byteLength <= LARGEST_ROW_BYTES;
      return add.get(inRow ? null : orRemove(blobs.write(bytes)), inRow ? bytes : null)!.id;
    },
    adopt(path) {
      const blob = blobs.adopt(path);
      // Back where it was, so that the call can be repeated.
      connection.afterRollback(() => blobs.giveBack(blob, path));
      return add.get(blob, null)!.id;
    },
    readRaw: readAsKept,
    locate(id) {
      const row = findRow(id);
      if (row?.bytes) return { bytes: row.bytes };
      return row?.blob ? blobs.locate(row.blob) : undefined;
    },
    read(id) {
      const packed = readAsKept(id);
      if (!packed) return undefined;
      try {
        return decompressBytes(packed);
      } catch {
        return undefined;
      }
    },
    remove(id) {
      const blob = remove.get(BigInt(id))?.blob;
      if (blob) connection.afterCommit(() => blobs.remove(blob));
    },
    removeOrphans: () => blobs.removeOrphans((prefix) => new Set(blobsWithPrefix.all(prefix).map(({ blob }) => blob))),
  };
}
