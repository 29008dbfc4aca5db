// Empties the write-ahead log of a database, which keeps older versions of rows: what was deleted is still in it.
import type { SqliteConnection } from './sqlite.ts';

/** Never waits: while another process reads, the log stays as it is, and the next call empties it. */
export function createEmptyLog(connection: SqliteConnection): () => void {
  const found = connection.prepare<{ timeout: number }>('PRAGMA busy_timeout').get()!.timeout;
  const checkpoint = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  // Not prepared ahead: SQLite sets this limit while it compiles the statement, not when it runs it.
  const waitFor = (ms: number) => connection.prepare(`PRAGMA busy_timeout = ${ms}`).get();
  return () => {
    waitFor(0);
    try {
      checkpoint.get();
    } finally {
      waitFor(found);
    }
  };
}
