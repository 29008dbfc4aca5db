// Programs of the format deterministicJson.
import { MAX_PROGRAMS, type ProgramStore } from '../../ports/pages/program-store.ts';
import type { Database } from '../database.ts';

/** Many scrapes use one program at a time: its use is recorded at most this often. */
const USE_RESOLUTION_MS = 1_000;

export const createPrograms = (database: Database): ProgramStore => ({
  async find(teamId, key, now) {
    const row = await database.one<{ value: string; usedAt: number }>`
      SELECT value, used_at AS "usedAt" FROM programs WHERE team_id = ${teamId} AND key = ${key}`;
    if (row && now - row.usedAt >= USE_RESOLUTION_MS)
      await database.attempt(
        () => database.run`
          UPDATE programs SET used_at = ${now} WHERE (team_id, key) = (
            SELECT team_id, key FROM programs WHERE team_id = ${teamId} AND key = ${key} FOR NO KEY UPDATE SKIP LOCKED)`,
      );
    return row?.value;
  },
  save: (teamId, key, value, now) =>
    database.transaction(async (tx) => {
      await tx.run`
        INSERT INTO programs (team_id, key, value, used_at) VALUES (${teamId}, ${key}, ${value}, ${now})
        ON CONFLICT (team_id, key) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`;
      await tx.run`
        DELETE FROM programs WHERE (team_id, key) IN (
          SELECT team_id, key FROM programs WHERE team_id = ${teamId}
          ORDER BY used_at DESC LIMIT ALL OFFSET ${MAX_PROGRAMS} FOR UPDATE SKIP LOCKED)`;
    }),
});
