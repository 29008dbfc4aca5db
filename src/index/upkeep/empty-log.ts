// Empties the write-ahead log from time to time: it keeps older versions of rows, and so the text of removed pages.
import { createEmptyLog } from '../../runtime/sqlite/empty-log.ts';
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';

/** Emptying writes everything to the file, so it must not follow every change. The log also goes when the thread ends. */
const EVERY_MS = 60_000;

/** A step of the upkeep. */
export function createLogEmptier(connection: SqliteConnection, now = () => performance.now()): () => boolean {
  const emptyLog = createEmptyLog(connection);
  let last = now();
  return () => {
    if (now() - last < EVERY_MS) return false;
    last = now();
    emptyLog();
    return false;
  };
}
