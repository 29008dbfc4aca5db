// SQL for programs of deterministicJson.

import type { Connection } from '../../util/sqlite.ts';
import { MAX_PROGRAMS, type ProgramStore } from '../program-store.ts';
import type { Served } from './served.ts';

export function createProgramRows(connection: Connection): Served<ProgramStore> {
  const find = connection.prepare<{ value: string }>(
    'UPDATE programs SET used_at = ? WHERE team_id = ? AND key = ? RETURNING value',
  );
  const save = connection.prepare(
    `INSERT INTO programs (team_id, key, value, used_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (team_id, key) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`,
  );
  const makeRoom = connection.prepare(
    `DELETE FROM programs WHERE team_id = ?1 AND key IN (
       SELECT key FROM programs WHERE team_id = ?1 ORDER BY used_at DESC LIMIT -1 OFFSET ?2)`,
  );
  return {
    find: (teamId, key, now) => find.get(now, teamId, key)?.value,
    save: (teamId, key, value, now) =>
      connection.transaction(() => {
        save.run(teamId, key, value, now);
        makeRoom.run(teamId, MAX_PROGRAMS);
      }),
  };
}
