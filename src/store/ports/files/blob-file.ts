// Files whose bytes are a blob: they are read as they come, whole or in part.
import { Readable } from 'node:stream';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { ByteRange, StoredFile } from './file-store.ts';

type Blobs = Pick<BlobStore, 'stream' | 'link'>;

/** How the file of a blob is read. Nothing is asked for before somebody reads. */
export function readersOfBlob(blobs: Blobs, name: string): Pick<StoredFile, 'read' | 'link'> {
  const { link } = blobs;
  return {
    read: (range) => Readable.from(pieces(blobs, name, range), { objectMode: false }),
    ...(link && { link: (options) => link(name, options) }),
  };
}

async function* pieces(blobs: Blobs, name: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  const stream = await blobs.stream(name, range);
  if (!stream)
    throw new ServiceError('UNKNOWN_ERROR', {
      message: 'A stored file was removed while it was read. Repeat the request.',
    });
  yield* stream;
}
