// Locks for things without a row: a count that must not be exceeded, or a choice that only one process may make at a time.
import type { Sql } from './database.ts';

/** Waits until no other transaction has the lock of this name, and keeps it until the end of this one. */
export const lockByName = async (sql: Sql, ...name: string[]): Promise<void> =>
  void (await sql`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0))`);

/** Does not wait: false if another transaction has the lock. */
export async function tryLockByName(sql: Sql, ...name: string[]): Promise<boolean> {
  const [lock] = await sql<{ isFree: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0)) AS "isFree"`;
  return lock?.isFree === true;
}
