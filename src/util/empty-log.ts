// Empties the write-ahead log of a database, which keeps older versions of rows: what was deleted is still in it.
import type { Connection } from './sqlite.ts';

/** Never waits: while another process reads, the log stays as it is, and the next call empties it. */
export function createEmptyLog(connection: Connection): () => void {
  const found = connection.prepare<{ timeout: number }>('PRAGMA busy_timeout').get()!.timeout;
  const wait = connection.prepare(`PRAGMA busy_timeout = ${found}`);
  const doNotWait = connection.prepare('PRAGMA busy_timeout = 0');
  const checkpoint = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  return () => {
    doNotWait.get();
    try {
      checkpoint.get();
    } finally {
      wait.get();
    }
  };
}
