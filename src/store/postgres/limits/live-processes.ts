// The holds of a process count while it is alive: its registration is the lease of them all.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { DEAD_AFTER_MS } from '../../ports/process-registry.ts';
import type { Sql } from '../database/database.ts';
import { isOrphan } from '../database/faults.ts';

/** `column` has the id of a process. */
export const isAlive = (sql: Sql, column: ReturnType<Sql>, now: number) =>
  sql`EXISTS (SELECT 1 FROM processes WHERE processes.id = ${column} AND seen_at > ${now - DEAD_AFTER_MS})`;

/** For queries that write rows of this process, which fail if the others do not know it (any more). */
export async function ofKnownProcess<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!isOrphan(cause)) throw cause;
    throw new ServiceError('STORAGE_UNAVAILABLE', {
      message: 'This server process was cut off from the others for a while. Try again in a moment.',
      cause,
    });
  }
}
