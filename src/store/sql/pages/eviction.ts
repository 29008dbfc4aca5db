// Keeps all pages, or all files, within a limit. How their total is known is up to the dialect.
import type { Tx } from '../database.ts';

export interface Eviction {
  /** Call it inside the transaction that adds these bytes, or removes them if the number is negative. */
  noteGrowth(bytes: number): void;
  /** Removes the oldest entries if the limit is exceeded, so that `bytes` more fit. Not if that is impossible at the moment. */
  makeRoom(removeOldest: RemoveOldest, now: number, bytes?: number): Promise<void>;
  /** Removes at most about `limit` entries while all of them exceed the limit, and returns how many it removed. */
  evict(removeOldest: RemoveOldest, now: number, limit: number): Promise<number>;
}

export interface Oldest {
  /** Maximum number of entries to remove. */
  limit: number;
  /** Bytes to free: entries beyond that stay. */
  bytes: number;
}

/** Removes the oldest entries. */
export type RemoveOldest = (tx: Tx, oldest: Oldest, now: number) => Promise<{ entries: number; bytes: number }>;

/** The first entries that together free `bytes`. */
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
