// Programs of the format deterministicJson, with what is known about them.
import { MAX_PROGRAMS, type ProgramKey, type ProgramStore } from '../../ports/pages/program-store.ts';
import type { Awaitable, Database } from '../database.ts';

export interface ProgramRows extends ProgramStore {
  removeSite(teamId: string, site: string): Awaitable<unknown>;
}

/** Many scrapes use one program at a time: its use is recorded at most this often. */
const USE_RESOLUTION_MS = 1_000;

/** No site has a blank in its name, so what stands before the first one is the site. */
const rowKey = ({ site, asked }: ProgramKey): string => `${site} ${asked}`;

export const createPrograms = (database: Database): ProgramRows => ({
  async find(teamId, parts, now) {
    const key = rowKey(parts);
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
  async replace(teamId, parts, before, after, now) {
    const key = rowKey(parts);
    if (before !== undefined) {
      const changed = await database.run`
        UPDATE programs SET value = ${after}, used_at = ${now}
        WHERE team_id = ${teamId} AND key = ${key} AND value = ${before}`;
      return changed > 0;
    }
    return database.transaction(async (tx) => {
      const added = await tx.run`
        INSERT INTO programs (team_id, key, value, used_at) VALUES (${teamId}, ${key}, ${after}, ${now})
        ON CONFLICT (team_id, key) DO NOTHING`;
      await tx.run`
        DELETE FROM programs WHERE (team_id, key) IN (
          SELECT team_id, key FROM programs WHERE team_id = ${teamId}
          ORDER BY used_at DESC LIMIT ALL OFFSET ${MAX_PROGRAMS} FOR UPDATE SKIP LOCKED)`;
      return added > 0;
    });
  },
  // "!" is the character behind the blank.
  removeSite: (teamId, site) =>
    database.run`DELETE FROM programs WHERE team_id = ${teamId} AND key >= ${`${site} `} AND key < ${`${site}!`}`,
});
