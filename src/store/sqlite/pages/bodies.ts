// The bytes of pages, results and files: small ones in a row, large ones in a file that follows the transaction of its
// row. With an object store, such a file is only a copy once it was moved there.
import { diskFaultOf } from '../../../runtime/sqlite/disk-fault.ts';
import type { SqliteConnection } from '../../../runtime/sqlite/sqlite.ts';
import type { BlobFolder } from '../../blobs/blob-folder.ts';
import { decompressBytes } from '../../encoding/compress.ts';
import type { ObjectRows } from '../objects/object-rows.ts';

/**
 * Up to this size, SQLite reads a value about as fast as the file system opens a file. Larger ones would bloat the log.
 */
const LARGEST_ROW_BYTES = 64 * 1024;

/** Small bodies as bytes, large ones as a file, or as an object that only the service can read. */
export type Body = { bytes: Uint8Array } | { path: string; size: number } | { object: string; size: number };

export const sizeOf = (body: Body): number => ('bytes' in body ? body.bytes.byteLength : body.size);

export interface StoredBodies {
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
  /** Announces bodies that are about to be read: what is in the object store is fetched together. */
  expect(ids: readonly (number | null)[]): void;
  /** Removes files without a row. Only the owner of the data folder may call it. */
  removeOrphans(): number;
}

interface BodyRow {
  blob: string | null;
  bytes: Uint8Array | null;
}

export interface BodySettings {
  objects?: ObjectRows;
  /** Larger bodies are files. */
  largestRowBytes?: number;
}

export function createBodies(
  connection: SqliteConnection,
  blobs: BlobFolder,
  { objects, largestRowBytes = LARGEST_ROW_BYTES }: BodySettings = {},
): StoredBodies {
  const add = connection.prepare<never>('INSERT INTO bodies (blob, bytes) VALUES (?, ?)');
  const find = connection.prepare<BodyRow>('SELECT blob, bytes FROM bodies WHERE id = ?');
  const blobOf = connection.prepare<{ blob: string | null }>('SELECT blob FROM bodies WHERE id = ?');
  const remove = connection.prepare<never>('DELETE FROM bodies WHERE id = ?');
  const blobsWithPrefix = connection.prepare<{ blob: string }>(
    // Copies of what is in the object store are not missed.
    `SELECT blob FROM bodies WHERE blob >= ?1 AND blob < ?1 || 'g' AND NOT EXISTS (SELECT 1 FROM objects WHERE name = blob)`,
  );

  const addRow = (blob: string | null, bytes: Uint8Array | null) => Number(add.run(blob, bytes).lastInsertRowid);
  const orRemove = (blob: string): string => {
    connection.afterRollback(() => blobs.remove(blob));
    return blob;
  };
  const addBlob = (blob: string): number => {
    if (objects) connection.afterCommit(() => objects.noteWritten(blob));
    return addRow(blob, null);
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
    if (!row?.blob) return row?.bytes ?? undefined;
    const { blob } = row;
    return unlessDamaged(() => blobs.read(blob)) ?? objects?.read(blob);
  };

  return {
    add(bytes) {
      if (bytes.byteLength <= largestRowBytes) return addRow(null, bytes);
      return addBlob(orRemove(blobs.write(bytes)));
    },
    adopt(path) {
      const blob = blobs.adopt(path);
      // Back where it was, so that the call can be repeated.
      connection.afterRollback(() => blobs.giveBack(blob, path));
      return addBlob(blob);
    },
    readRaw: readAsKept,
    locate(id) {
      const row = findRow(id);
      if (row?.bytes) return { bytes: row.bytes };
      return row?.blob ? (blobs.locate(row.blob) ?? objects?.locate(row.blob)) : undefined;
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
      const blob = blobOf.get(BigInt(id))?.blob;
      remove.run(BigInt(id));
      if (!blob) return;
      objects?.noteRemoved(blob);
      connection.afterCommit(() => blobs.remove(blob));
    },
    expect(ids) {
      if (!objects) return;
      objects.expect(ids.flatMap((id) => (id === null ? [] : (findRow(id)?.blob ?? []))));
    },
    removeOrphans: () => blobs.removeOrphans((prefix) => new Set(blobsWithPrefix.all(prefix).map(({ blob }) => blob))),
  };
}
