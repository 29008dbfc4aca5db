// The idempotency keys with which jobs and runs were started in the last day.
import type { Connection } from '../../util/sqlite.ts';
import type { Remover } from '../sql/database.ts';

const KEY_MS = 24 * 3_600_000;

/** Both do nothing without a key; call them inside the transaction that starts the work. */
export interface UsedKeys {
  has(teamId: string, key: string | undefined, now: number): boolean;
  add(teamId: string, key: string | undefined, now: number): void;
  removeOld: Remover;
}

export function createUsedKeys(connection: Connection): UsedKeys {
  const find = connection.prepare('SELECT 1 FROM job_keys WHERE team_id = ? AND key = ? AND created_at > ?');
  const add = connection.prepare('INSERT OR REPLACE INTO job_keys (team_id, key, created_at) VALUES (?, ?, ?)');
  const removeOld = connection.prepare(
    `DELETE FROM job_keys WHERE (team_id, key) IN (SELECT team_id, key FROM job_keys WHERE created_at <= ? LIMIT ?)`,
  );
  return {
    has: (teamId, key, now) => key !== undefined && find.get(teamId, key, now - KEY_MS) !== undefined,
    add: (teamId, key, now) => {
      if (key !== undefined) add.run(teamId, key, now);
    },
    removeOld: (now, limit) => Number(removeOld.run(now - KEY_MS, limit).changes),
  };
}
