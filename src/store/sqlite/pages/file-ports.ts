// The ports about files: downloads, uploads and profiles. Large files never pass between the threads, only where they are.
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Moved, type Remote } from '../../../runtime/threads/thread.ts';
import { assert } from '../../../util/assert.ts';
import { createFileKeeper, createFileReceiver } from '../../calls/file-receiver.ts';
import type { WatchedHealth } from '../../calls/store-health.ts';
import { readersOfBlob } from '../../ports/files/blob-file.ts';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import type { StoredFile } from '../../ports/files/file-store.ts';
import type { Store } from '../../ports/store.ts';
import { createProfilePort } from '../../sql/pages/files/profile-port.ts';
import type { StoreThread } from '../hosted-store.ts';
import type { Body } from './bodies.ts';

interface FilePortsDeps {
  remote: Remote<StoreThread>;
  dataDir: string;
  filesMaxBytes: number;
  health: WatchedHealth;
  /** The object store, if there is one. */
  blobs: BlobStore | undefined;
}

export function createFilePorts(deps: FilePortsDeps): Pick<Store, 'files' | 'profiles' | 'uploads'> {
  const { remote, blobs } = deps;
  const adopt: Store['files']['adopt'] = async (file) => {
    const size = await syncFile(file.path);
    return remote.files.adopt({ ...file, size });
  };
  return {
    files: {
      add: (file) => {
        const bytes = new Uint8Array(file.bytes);
        return remote.files.add(new Moved({ ...file, bytes }, [bytes.buffer]));
      },
      adopt,
      write: createFileKeeper(deps, adopt),
      renew: remote.files.renew,
      async find(...args) {
        const found = await remote.files.find(...args);
        return found && { ...found, ...readersOf(found.body, blobs) };
      },
    },
    profiles: createProfilePort(remote.profiles),
    uploads: uploadsOf(deps),
  };
}

function uploadsOf({ remote, dataDir, health, blobs }: FilePortsDeps): Store['uploads'] {
  return {
    ...createFileReceiver(dataDir, health, remote.uploads.attachFile),
    add: remote.uploads.add,
    find: remote.uploads.find,
    async read(...args) {
      const found = await remote.uploads.read(...args);
      if (!found) return undefined;
      if ('bytes' in found) return found.bytes;
      return 'path' in found ? readOrNothing(found.path) : objectsOf(blobs).read(found.object);
    },
    remove: remote.uploads.remove,
  };
}

/** Flushes a file to disk and returns its size. Runs here because the store thread must not wait for it. */
async function syncFile(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Undefined if it has just been removed. */
async function readOrNothing(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function readersOf(body: Body, blobs: BlobStore | undefined): Pick<StoredFile, 'read' | 'link'> {
  if ('object' in body) return readersOfBlob(objectsOf(blobs), body.object);
  if ('path' in body) return { read: (range) => createReadStream(body.path, range) };
  const { bytes } = body;
  return {
    read: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
  };
}

function objectsOf(blobs: BlobStore | undefined): BlobStore {
  assert(blobs, 'The store thread names an object, but there is no object store.');
  return blobs;
}
