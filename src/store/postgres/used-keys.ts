// The idempotency keys with which jobs and runs were started in the last day.
import type { Remover } from '../sql/database.ts';
import { indexed } from '../sql/indexed-text.ts';
import type { Database, Sql } from './database/database.ts';

const KEY_MS = 24 * 3_600_000;

/** Without a key, `has` is false and `add` is true. */
export interface UsedKeys {
  has(sql: Sql, teamId: string, key: string | undefined, now: number): Promise<boolean>;
  /**
   * Call it inside the transaction that starts the work, before anything else is written. False if the key is used, also by a
   * transaction of another process that has just ended.
   */
  add(sql: Sql, teamId: string, key: string | undefined, now: number): Promise<boolean>;
  removeOld: Remover;
}

export function createUsedKeys({ sql: pool }: Pick<Database, 'sql'>): UsedKeys {
  return {
    async has(sql, teamId, key, now) {
      if (key === undefined) return false;
      const found = await sql`
        SELECT 1 FROM job_keys WHERE team_id = ${teamId} AND key = ${indexed(key)} AND created_at > ${now - KEY_MS}`;
      return found.length > 0;
    },
    async add(sql, teamId, key, now) {
      if (key === undefined) return true;
      const added = await sql`
        INSERT INTO job_keys (team_id, key, created_at) VALUES (${teamId}, ${indexed(key)}, ${now})
        ON CONFLICT (team_id, key) DO UPDATE SET created_at = excluded.created_at
          WHERE job_keys.created_at <= ${now - KEY_MS}
        RETURNING 1`;
      return added.length > 0;
    },
    async removeOld(now, limit) {
      const removed = await pool`
        DELETE FROM job_keys WHERE (team_id, key) IN (
          SELECT team_id, key FROM job_keys WHERE created_at <= ${now - KEY_MS} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
      return removed.count;
    },
  };
}
