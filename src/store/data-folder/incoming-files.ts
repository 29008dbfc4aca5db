// Files being received. They are written to disk as they arrive, so that a slow large upload takes no memory.
import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../runtime/private-files.ts';
import { assert } from '../../util/assert.ts';
import { randomToken } from '../../util/ids.ts';
import type { HeldFile, UploadContent } from '../ports/files/upload-store.ts';

/** Name of the folder inside the data folder. */
export const INCOMING_FOLDER = 'incoming';

export interface Incoming {
  /** Writes to an unnamed file. */
  hold(content: UploadContent): Promise<HeldFile>;
  /** Writes to a new file, which `use` may move away. Otherwise it is removed afterwards, as is incomplete content. */
  write<T>(content: UploadContent, use: (path: string, size: number) => Promise<T>): Promise<T>;
}

export function createIncoming(folder: string): Incoming {
  const create = async (): Promise<{ path: string; handle: FileHandle }> => {
    makePrivateFolder(folder);
    const path = join(folder, randomToken(16));
    return { path, handle: await open(path, 'wx+', 0o600) };
  };

  return {
    async hold(content) {
      const { path, handle } = await create();
      try {
        await rm(path);
        const size = await copy(content, handle);
        return {
          size,
          read: () => readAll(handle, size),
          readRange: ({ start, end }) => handle.createReadStream({ start, end, autoClose: false }),
          release: () => handle.close(),
        };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    async write(content, use) {
      const { path, handle } = await create();
      try {
        let size: number;
        try {
          size = await copy(content, handle);
          await handle.sync();
        } finally {
          await handle.close();
        }
        return await use(path, size);
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** Removes what a killed process was writing. Only safe while nobody writes to the folder. */
export function removeIncoming(folder: string): void {
  makePrivateFolder(folder);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
}

async function copy(content: UploadContent, handle: FileHandle): Promise<number> {
  let size = 0;
  for await (const chunk of content) {
    for (let written = 0; written < chunk.byteLength; ) {
      written += (await handle.write(chunk, written, chunk.byteLength - written, size + written)).bytesWritten;
    }
    size += chunk.byteLength;
  }
  return size;
}

async function readAll(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at);
    assert(bytesRead > 0, 'An uploaded file became shorter while it was read.');
    at += bytesRead;
  }
  return bytes;
}
