// The space that the database can still use: what is free on the disk, and what is free inside its file, which never
// shrinks.
import { statfsSync } from 'node:fs';
import type { SqliteConnection } from '../../../runtime/sqlite/sqlite.ts';

/** Returns a function that says how many bytes are missing to `minFreeBytes`; 0 if there is enough. */
export function watchFreeSpace(dataDir: string, connection: SqliteConnection, minFreeBytes: number): () => number {
  const freePages = connection.prepare<{ pages: number }>('SELECT freelist_count AS pages FROM pragma_freelist_count');
  const { size: pageSize } = connection
    .prepare<{ size: number }>('SELECT page_size AS size FROM pragma_page_size')
    .get()!;
  return () => {
    const { bavail, bsize } = statfsSync(dataDir);
    const missing = minFreeBytes - bavail * bsize;
    // Asked only if it matters, which is hardly ever.
    return missing > 0 ? Math.max(0, missing - freePages.get()!.pages * pageSize) : 0;
  };
}
