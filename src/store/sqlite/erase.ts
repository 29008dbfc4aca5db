// What is deleted is gone from the files of the database, too. SQLite overwrites deleted bytes (secure_delete), but its
// write-ahead log keeps older versions of a page until it is emptied.
import { createEmptyLog } from '../../util/empty-log.ts';
import type { Connection } from '../../util/sqlite.ts';

const NOTE = 'rewrite-file';

export interface Eraser {
  /** Empties the log. Does nothing while another process reads; the next call does it then. */
  emptyLog(): void;
  /** Rewrites the whole file once after an upgrade: earlier versions left deleted bytes where they were. */
  rewriteIfDue(): void;
}

export function createEraser(connection: Connection): Eraser {
  const emptyLog = createEmptyLog(connection);
  const isDue = connection.prepare('SELECT 1 FROM notes WHERE name = ?');
  const done = connection.prepare('DELETE FROM notes WHERE name = ?');

  return {
    emptyLog,
    rewriteIfDue() {
      if (!isDue.get(NOTE)) return;
      try {
        connection.prepare('VACUUM').run();
        done.run(NOTE);
      } catch {
        // It takes as much room as the file has now. Without that, the next start tries again.
      }
      emptyLog();
    },
  };
}
