// Receives files that callers send. They are written to the disk of this process while they arrive, which may take minutes, so
// only complete ones become calls to the store.
import { join } from 'node:path';
import { asDiskError } from '../../contracts/errors/disk-error.ts';
import { createIncoming, INCOMING_FOLDER } from '../data-folder/incoming-files.ts';
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
  const noteDiskFault = (error: unknown): never => {
    const failure = asDiskError(error);
    throw failure === error ? error : health.noteFailure(failure);
  };
  return {
    hold: (content) => incoming.hold(content).catch(noteDiskFault),
    receive: (id, content) => incoming.write(content, (path, size) => attachFile(id, path, size)).catch(noteDiskFault),
  };
}
