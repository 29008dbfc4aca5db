// Keeps the pages, or the files, of a data folder within their limits. Everything is written here, so the total is known: it is
// maintained in memory, and changed only after a commit.
import type { SqliteConnection } from '../../../runtime/sqlite/sqlite.ts';
import type { Database } from '../../sql/database.ts';
import type { Eviction, RemoveOldest } from '../../sql/pages/eviction.ts';

const EVICTIONS_PER_WRITE = 128;
const BATCH = 32;

interface EvictionDeps {
  connection: SqliteConnection;
  database: Pick<Database, 'transaction' | 'attempt'>;
  /** What is limited. */
  table: 'pages' | 'files';
  maxBytes: number;
  /** How many bytes are missing to the free space that the disk should have. */
  shortage?(): number;
}

export interface SqliteEviction extends Eviction {
  /** Size of all entries together. */
  totalBytes(): number;
}

export function createEviction(deps: EvictionDeps): SqliteEviction {
  const { connection, database, table, maxBytes, shortage = () => 0 } = deps;
  const sum = connection.prepare<{ size: number }>(`SELECT coalesce(sum(size), 0) AS size FROM ${table}`);
  let total = sum.get()!.size;

  const evict = async (removeOldest: RemoveOldest, now: number, limit: number, bytes = 0): Promise<number> => {
    const excess = () => Math.max(total + bytes - maxBytes, shortage());
    let evicted = 0;
    for (let tooMuch = excess(); tooMuch > 0 && evicted < limit; tooMuch = excess()) {
      const oldest = { limit: BATCH, bytes: tooMuch };
      const { entries } = await database.transaction((tx) => removeOldest(tx, oldest, now));
      if (entries === 0) break;
      evicted += entries;
    }
    return evicted;
  };

  return {
    noteGrowth: (bytes) =>
      connection.afterCommit(() => {
        total += bytes;
      }),
    makeRoom: (removeOldest, now, bytes) =>
      database.attempt(() => evict(removeOldest, now, EVICTIONS_PER_WRITE, bytes)),
    evict: (removeOldest, now, limit) => evict(removeOldest, now, limit),
    totalBytes: () => total,
  };
}
