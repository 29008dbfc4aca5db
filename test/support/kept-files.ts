// Files in a data folder, with links to them that a service of that folder will answer.

import { createFileLinks } from '../../src/operations/files.ts';
import type { Capture } from '../../src/page/captures.ts';
import { readSecret } from '../../src/store/data-folder/data-secret.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const DAY = 86_400_000;

/** Returns the path of the link, which is valid for a day from then. */
type SaveFile = (capture: Capture, age?: number) => Promise<string>;

/** Stores files before the service starts, so that the test needs no access to its process. */
export async function keepFiles<T>(dataDir: string, keep: (save: SaveFile) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1 });
  try {
    return await keep(async (capture, age = 0) => {
      const clock = { now: () => Date.now() - age };
      const links = createFileLinks({ files: store.files, secret: readSecret(dataDir), clock });
      return (await links.store(capture, '', DAY)).url;
    });
  } finally {
    await store.close();
  }
}
