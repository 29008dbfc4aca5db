// Receives files that callers send. They are written to the disk of this process while they arrive, which may take minutes, so
// only complete ones become calls to the store.
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { asDiskError } from '../../contracts/errors/disk-error.ts';
import { createIncoming, INCOMING_FOLDER } from '../data-folder/incoming-files.ts';
import type { FileOnDisk, FileStore } from '../ports/files/file-store.ts';
import type { UploadStore } from '../ports/files/upload-store.ts';
import type { WatchedHealth } from './store-health.ts';

/** Moves the file at that path into the upload, unless it already has one. */
export type AttachFile = (id: string, path: string, size: number) => Promise<boolean>;

export function createFileReceiver(
  dataDir: string,
  health: Pick<WatchedHealth, 'noteFailure'>,
  attachFile: AttachFile,
): Pick<UploadStore, 'hold' | 'receive'> {
  const incoming = createIncoming(join(dataDir, INCOMING_FOLDER));
  const noted = diskFaultNoted(health);
  return {
    hold: (content) => incoming.hold(content).catch(noted),
    receive: (id, content) => incoming.write(content, (path, size) => attachFile(id, path, size)).catch(noted),
  };
}

interface KeeperDeps {
  dataDir: string;
  /** For all files together. */
  filesMaxBytes: number;
  health: Pick<WatchedHealth, 'noteFailure'>;
}

/** How much of the room for files, and of what is free on the disk, one file may take. */
const SHARE = 1 / 2;

export function createFileKeeper(
  { dataDir, filesMaxBytes, health }: KeeperDeps,
  adopt: (file: FileOnDisk) => Promise<void>,
): FileStore['write'] {
  const incoming = createIncoming(join(dataDir, INCOMING_FOLDER));
  return async (file, content) => {
    const { bavail, bsize } = await statfs(dataDir);
    const most = Math.min(filesMaxBytes, bavail * bsize) * SHARE;
    let size = 0;
    async function* beginning(): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        size += chunk.byteLength;
        if (size > most) return;
        yield chunk;
      }
    }
    const keep = async (path: string) => {
      if (size <= most) await adopt({ ...file, path });
    };
    await incoming.write(beginning(), keep).catch(diskFaultNoted(health));
    return size <= most;
  };
}

const diskFaultNoted =
  (health: Pick<WatchedHealth, 'noteFailure'>) =>
  (error: unknown): never => {
    const failure = asDiskError(error);
    throw failure === error ? error : health.noteFailure(failure);
  };
