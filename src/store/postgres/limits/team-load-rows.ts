// SQL for how busy teams are in each process.
import type { TeamLoads, WorkLoad } from '../../ports/limits/team-loads.ts';
import { DEAD_AFTER_MS } from '../../ports/process-registry.ts';
import type { Base } from '../base.ts';
import { ofKnownProcess } from './live-processes.ts';

export function createTeamLoadRows({ database: { sql } }: Pick<Base, 'database'>): TeamLoads {
  return {
    async write(processId, loads) {
      const teams = loads.map(({ teamId }) => teamId);
      const active = loads.map((load) => load.active);
      const waiting = loads.map((load) => load.waiting);
      await ofKnownProcess(sql`
        WITH removed AS (
          DELETE FROM team_loads WHERE process_id = ${processId} AND team_id <> ALL (${teams}::text[]))
        INSERT INTO team_loads AS known (team_id, process_id, active, waiting)
        SELECT team_id, ${processId}, active, waiting
        FROM unnest(${teams}::text[], ${active}::integer[], ${waiting}::integer[]) AS given (team_id, active, waiting)
        ON CONFLICT (team_id, process_id) DO UPDATE SET active = excluded.active, waiting = excluded.waiting
          WHERE (known.active, known.waiting) <> (excluded.active, excluded.waiting)`);
    },
    async ofOthers(teamId, processId, now) {
      const [sums] = await sql<(WorkLoad & { maxConcurrency: number })[]>`
        SELECT coalesce(sum(active), 0)::bigint AS active, coalesce(sum(waiting), 0)::bigint AS waiting,
          coalesce(sum(max_concurrency), 0)::bigint AS "maxConcurrency"
        FROM processes LEFT JOIN team_loads ON process_id = id AND team_id = ${teamId}
        WHERE id <> ${processId} AND seen_at > ${now - DEAD_AFTER_MS}`;
      return { ...sums! };
    },
  };
}
