// SQL for programs of deterministicJson.
import { MAX_PROGRAMS, type ProgramStore } from '../../program-store.ts';
import type { Base } from '../base.ts';

/** Many scrapes use one program at a time: its use is recorded at most this often. */
const USE_RESOLUTION_MS = 1_000;

export function createProgramRows({ database }: Pick<Base, 'database'>): ProgramStore {
  const { sql: pool, transaction } = database;
  return {
    async find(teamId, key, now) {
      const [row] = await pool<{ value: string; usedAt: number }[]>`
        SELECT value, used_at AS "usedAt" FROM programs WHERE team_id = ${teamId} AND key = ${key}`;
      if (row && now - row.usedAt >= USE_RESOLUTION_MS)
        await pool`UPDATE programs SET used_at = ${now} WHERE (team_id, key) = (
          SELECT team_id, key FROM programs WHERE team_id = ${teamId} AND key = ${key} FOR NO KEY UPDATE SKIP LOCKED)`;
      return row?.value;
    },
    save: (teamId, key, value, now) =>
      transaction(async (sql) => {
        await sql`
          INSERT INTO programs (team_id, key, value, used_at) VALUES (${teamId}, ${key}, ${value}, ${now})
          ON CONFLICT (team_id, key) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`;
        await sql`
          DELETE FROM programs WHERE (team_id, key) IN (
            SELECT team_id, key FROM programs WHERE team_id = ${teamId} ORDER BY used_at DESC OFFSET ${MAX_PROGRAMS}
            FOR UPDATE SKIP LOCKED)`;
      }),
  };
}
