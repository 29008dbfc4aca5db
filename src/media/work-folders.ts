// Folders for what is fetched and made on the way to a media file. Each goes with its work; what a killed service left goes
// with the next start.
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface WorkFolders {
  /** A folder for the time of `work`, empty and nobody else's. */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

/** Below `parent`, which must belong to the one service that calls this. */
export function createWorkFolders(parent: string): WorkFolders {
  const root = join(parent, 'media');
  rmSync(root, { recursive: true, force: true });
  return {
    async use(work) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const folder = mkdtempSync(join(root, 'work-'));
      try {
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}
