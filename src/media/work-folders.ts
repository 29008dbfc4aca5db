// Temporary folders for fetching and converting media. Each is removed after its work, and leftovers of a killed service
// at the next start.
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface WorkFolders {
  /** Gives `work` an empty folder of its own, and removes it afterwards. */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

/** `parent` must belong to this service alone. */
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
