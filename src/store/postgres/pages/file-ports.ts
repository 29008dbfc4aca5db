// The ports about files: downloads, uploads and profiles, whose large ones are blobs.
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { compressionLater } from '../../encoding/compress.ts';
import type { ArchiveStore } from '../../ports/files/archive-store.ts';
import { readersOfBlob } from '../../ports/files/blob-file.ts';
import type { ByteRange, FileStore, StoredFile } from '../../ports/files/file-store.ts';
import type { ProfileStore } from '../../ports/files/profile-store.ts';
import type { Database, Remover } from '../../sql/database.ts';
import type { Bodies, BodyColumns } from '../../sql/pages/bodies.ts';
import { createArchiveRows } from '../../sql/pages/files/archive-rows.ts';
import { createFileRows, type FileRows } from '../../sql/pages/files/file-rows.ts';
import { createProfilePort } from '../../sql/pages/files/profile-port.ts';
import { createProfileRows } from '../../sql/pages/files/profile-rows.ts';
import { createUploadRows, type UploadRows } from '../../sql/pages/files/upload-rows.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { createEviction } from './eviction.ts';

type Readers = Pick<StoredFile, 'read' | 'link'>;

export interface FilePorts {
  /** What is written on the way is added where the ports are put together. */
  files: Omit<FileStore, 'write'>;
  archives: ArchiveStore;
  rows: Pick<FileRows<object>, 'removeOfJob'>;
  profiles: ProfileStore;
  uploads: UploadRows<Uint8Array>;
  removers: Remover[];
}

interface Deps {
  base: Base;
  database: Database;
  bodies: Bodies;
}

export function createFilePorts({ base, database, bodies }: Deps): FilePorts {
  const { blobs, limits, secret } = base;
  const totalBytes = async (sql: Sql) => {
    const [sum] = await sql<{ total: number }[]>`SELECT coalesce(sum(size), 0)::bigint AS total FROM files`;
    return sum!.total;
  };
  const files = createFileRows<Readers>({
    ...{ database, bodies },
    eviction: createEviction({ database, name: 'files', maxBytes: limits.filesMaxBytes, totalBytes }),
    open: ({ blob, bytes }) => (bytes ? { read: (range) => bytesOf(bytes, range) } : readersOfBlob(blobs, blob!)),
  });
  // A complete file is a blob, so that any process can parse it.
  const uploads = createUploadRows({ database, bodies, open: readWhole(bodies) });
  const profiles = createProfileRows({ database, bodies, compression: compressionLater, readSecret: () => secret });
  const archives = createArchiveRows({ database, bodies, maxBytes: limits.filesMaxBytes });
  return {
    files: withFilesOnDisk(files),
    archives,
    rows: files,
    uploads,
    profiles: createProfilePort(profiles),
    removers: [files.removeExpired, files.evict, archives.removeExpired, archives.evict, uploads.removeExpired],
  };
}

const withFilesOnDisk = ({ add, adopt, renew, find }: FileRows<Readers>): FilePorts['files'] => ({
  ...{ add, renew, find },
  async adopt(file) {
    const { size } = await stat(file.path);
    await adopt({ ...file, size });
    await rm(file.path, { force: true });
  },
});

/** What is incomplete counts as missing. */
const readWhole = (bodies: Bodies) => async (body: BodyColumns, size: number) => {
  const bytes = await bodies.readRaw(body);
  return bytes?.byteLength === size ? bytes : undefined;
};

const bytesOf = (bytes: Uint8Array, range?: ByteRange): Readable =>
  Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false });
