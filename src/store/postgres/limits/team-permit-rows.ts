// SQL for the permits of teams. Those of a team are handed out one process at a time, so that there are never too many.
import { fairShare, type Sharer } from '../../ports/limits/fair-share.ts';
import type { PermitRequest, TeamPermits } from '../../ports/limits/team-permits.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import { isAlive, ofKnownProcess } from './live-processes.ts';

/** So long it is somebody's turn to have what cannot be divided. */
const TURN_MS = 1_000;

export function createTeamPermitRows({ database }: Pick<Base, 'database'>): TeamPermits {
  const { transaction } = database;
  return {
    ask: (request, now) =>
      transaction(async (sql) => {
        const { teamId, processId, limit, wanted, running } = request;
        await lockByName(sql, 'team permits', teamId);
        const others = await sql<(Sharer & { permits: number })[]>`
          SELECT process_id AS id, wanted, permits FROM team_permits
          WHERE team_id = ${teamId} AND process_id <> ${processId} AND ${isAlive(sql, sql`process_id`, now)}`;
        const free = Math.max(0, limit - others.reduce((sum, { permits }) => sum + permits, 0));
        const share = fairShare(limit, [...others, { id: processId, wanted }], processId, Math.floor(now / TURN_MS));
        const allowed = Math.min(share, free);
        const granted = Math.max(allowed, running);
        await write(sql, request, granted);
        return { granted, allowed };
      }),
  };
}

async function write(sql: Sql, { teamId, processId, wanted }: PermitRequest, granted: number): Promise<void> {
  if (granted === 0 && wanted === 0) {
    await sql`DELETE FROM team_permits WHERE team_id = ${teamId} AND process_id = ${processId}`;
    return;
  }
  await ofKnownProcess(sql`
    INSERT INTO team_permits (team_id, process_id, permits, wanted)
    VALUES (${teamId}, ${processId}, ${granted}, ${wanted})
    ON CONFLICT (team_id, process_id) DO UPDATE SET permits = excluded.permits, wanted = excluded.wanted`);
}
