// Watches folders and reports changes in batches: an editor that saves several files causes one new run.
import { existsSync, watch } from 'node:fs';

const SETTLE_MS = 150;

export interface Changes {
  /** Resolves once something has changed since the last call and nothing has changed for a moment. */
  next(): Promise<void>;
}

/** The watchers keep the process alive. */
export function watchFolders(folders: readonly string[]): Changes {
  let changed = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders.filter((name) => existsSync(name))) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => changed.resolve(), SETTLE_MS);
    });
  }
  return {
    async next() {
      await changed.promise;
      changed = Promise.withResolvers();
    },
  };
}
