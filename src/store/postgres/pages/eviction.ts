// Keeps all pages, or all files, within a limit. Other processes write, too, so the total is only known to the database. To add
// it up for each page would cost too much: each process looks at it after it has written a share of what was free.
import type { Database } from '../../sql/database.ts';
import type { Eviction, RemoveOldest } from '../../sql/pages/eviction.ts';
import type { Sql } from '../database/database.ts';
import { tryLockByName } from '../database/lock-by-name.ts';
import type { PostgresTx } from '../database/queries.ts';

interface EvictionDeps {
  database: Pick<Database, 'transaction' | 'attempt'>;
  /** What is limited. */
  name: string;
  maxBytes: number;
  totalBytes(sql: Sql): Promise<number>;
}

const EVICTIONS_PER_WRITE = 128;
const BATCH = 32;
/** Others may take the rest of what is still free. */
const SHARE_OF_ROOM = 1 / 4;
/** Share of the limit by which a process may exceed it before it checks. */
const SHARE_OF_LIMIT = 1 / 256;

export function createEviction({ database, name, maxBytes, totalBytes }: EvictionDeps): Eviction {
  let written = 0;
  let allowed = 0;

  /** One process at a time: two would both remove what is too much. Undefined if another one does it. */
  const evictSome = (removeOldest: RemoveOldest, now: number, bytes: number) =>
    database.transaction(async (tx) => {
      const { sql } = tx as PostgresTx;
      if (!(await tryLockByName(sql, 'eviction', name))) return undefined;
      const total = (await totalBytes(sql)) + bytes;
      const tooMuch = total - maxBytes;
      const evicted =
        tooMuch > 0 ? await removeOldest(tx, { limit: BATCH, bytes: tooMuch }, now) : { entries: 0, bytes: 0 };
      return { entries: evicted.entries, total: total - evicted.bytes };
    });

  const evict = async (removeOldest: RemoveOldest, now: number, limit: number, bytes = 0): Promise<number> => {
    for (let evicted = 0; ; ) {
      const round = await evictSome(removeOldest, now, bytes);
      if (!round) return evicted;
      evicted += round.entries;
      if (round.entries > 0 && round.total > maxBytes && evicted < limit) continue;
      written = 0;
      allowed = Math.max((maxBytes - round.total) * SHARE_OF_ROOM, maxBytes * SHARE_OF_LIMIT);
      return evicted;
    }
  };

  return {
    noteGrowth(bytes) {
      written += Math.max(0, bytes);
    },
    async makeRoom(removeOldest, now, bytes = 0) {
      if (written + bytes <= allowed) return;
      await database.attempt(() => evict(removeOldest, now, EVICTIONS_PER_WRITE, bytes));
    },
    evict: (removeOldest, now, limit) => evict(removeOldest, now, limit),
  };
}
