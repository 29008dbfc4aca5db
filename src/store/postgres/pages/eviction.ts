// Keeps all pages, or all files, within a limit. Other processes write, too, so the total is only known to the database. To add
// it up for each page would cost too much: each process looks at it after it has written a share of what was free.
import type { Database, Sql } from '../database/database.ts';
import { tryLockByName } from '../database/lock-by-name.ts';

export interface Eviction {
  /** This process has written so many bytes, or is about to. */
  noteGrowth(bytes: number): void;
  /** Removes the oldest entries if the limit may be exceeded, so that `bytes` more fit. */
  makeRoom(now: number, bytes?: number): Promise<void>;
  /** Removes at most about `limit` entries while all of them exceed the limit, and returns how many it removed. */
  evict(now: number, limit: number): Promise<number>;
}

interface Evicted {
  entries: number;
  bytes: number;
}

interface EvictionDeps {
  database: Pick<Database, 'transaction'>;
  /** What is limited. */
  name: string;
  maxBytes: number;
  totalBytes(sql: Sql): Promise<number>;
  /** Removes at most one batch of the oldest entries, no more than are needed to free so many bytes. */
  removeOldest(sql: Sql, bytes: number, now: number): Promise<Evicted>;
}

const EVICTIONS_PER_WRITE = 128;
/** Others may take the rest of what is still free. */
const SHARE_OF_ROOM = 1 / 4;
/** A process may exceed the limit by so much before it looks. */
const SHARE_OF_LIMIT = 1 / 256;

export function createEviction({ database, name, maxBytes, totalBytes, removeOldest }: EvictionDeps): Eviction {
  let written = 0;
  let allowed = 0;

  /** One process at a time: two would both remove what is too much. Undefined if another one does it. */
  const evictSome = (now: number, bytes: number) =>
    database.transaction(async (sql) => {
      if (!(await tryLockByName(sql, 'eviction', name))) return undefined;
      const total = (await totalBytes(sql)) + bytes;
      const tooMuch = total - maxBytes;
      const evicted = tooMuch > 0 ? await removeOldest(sql, tooMuch, now) : { entries: 0, bytes: 0 };
      return { entries: evicted.entries, total: total - evicted.bytes };
    });

  const evict = async (now: number, limit: number, bytes = 0): Promise<number> => {
    for (let evicted = 0; ; ) {
      const round = await evictSome(now, bytes);
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
      written += bytes;
    },
    async makeRoom(now, bytes) {
      // What is written is complete, whether or not something can be evicted now.
      if (written > allowed) await evict(now, EVICTIONS_PER_WRITE, bytes).catch(() => {});
    },
    evict: (now, limit) => evict(now, limit),
  };
}

/** The first entries that together free so many bytes. */
export function firstWith<Entry extends { size: number }>(entries: readonly Entry[], bytes: number): Entry[] {
  let freed = 0;
  return entries.filter(({ size }) => {
    const isNeeded = freed < bytes;
    freed += size;
    return isNeeded;
  });
}

export const sizeOf = (entries: readonly { size: number }[]): number =>
  entries.reduce((total, { size }) => total + size, 0);
