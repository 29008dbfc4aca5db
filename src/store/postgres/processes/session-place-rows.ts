// SQL for the directory of browser sessions. Places of dead processes are removed when they are in the way.
import { DEAD_AFTER_MS } from '../../ports/process-registry.ts';
import type { SessionDirectory, SessionPlace } from '../../ports/session-directory.ts';
import type { PostgresDatabase, Sql } from '../database/database.ts';
import { isDuplicate } from '../database/faults.ts';
import { lockByName } from '../database/lock-by-name.ts';

/** Ended sessions are found for this long, so that their process can say that they have ended. */
const REMEMBERED_MS = 60 * 60_000;

interface PlaceRow {
  id: string;
  processId: string;
  teamId: string;
  scrape: string | null;
}

export function createSessionPlaceRows({ sql, transaction }: PostgresDatabase): SessionDirectory {
  const place = sql`id, process_id AS "processId", team_id AS "teamId", scrape`;
  const isAlive = (now: number) =>
    sql`EXISTS (SELECT FROM processes WHERE processes.id = process_id AND seen_at > ${now - DEAD_AFTER_MS})`;

  const insert = async (inside: Sql, { id, processId, teamId, scrape }: SessionPlace, tokens: string[]) => {
    await inside`
      INSERT INTO session_places (id, process_id, team_id, scrape, tokens)
      VALUES (${id}, ${processId}, ${teamId}, ${scrape ?? null}, ${inside.array(tokens)})
      ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, ended_at = NULL`;
  };
  const removeOld = async (inside: Sql, teamId: string, now: number) => {
    await inside`DELETE FROM session_places WHERE team_id = ${teamId} AND NOT ${isAlive(now)}`;
    await inside`DELETE FROM session_places WHERE ended_at < ${now - REMEMBERED_MS}`;
  };

  return {
    reserve: (wanted, max, now) =>
      transaction(async (inside) => {
        const { teamId, scrape } = wanted;
        await lockByName(inside, 'sessions', teamId);
        await removeOld(inside, teamId, now);
        const open = await inside<PlaceRow[]>`
          SELECT ${place} FROM session_places WHERE team_id = ${teamId} AND ended_at IS NULL`;
        const takenBy = open.find((row) => scrape !== undefined && row.scrape === scrape);
        if (takenBy) return { takenBy: toPlace(takenBy) };
        if (open.length >= max) return 'too many';
        await insert(inside, wanted, []);
        return 'reserved';
      }),
    async opened(opened, tokens) {
      try {
        await insert(sql, opened, tokens);
      } catch (error) {
        // Held up for so long that another process has opened one for the same scrape: this one is reached by its id.
        if (!isDuplicate(error)) throw error;
        await insert(sql, { ...opened, scrape: undefined }, tokens);
      }
    },
    async ended(id, now) {
      await sql`UPDATE session_places SET ended_at = ${now}, tokens = '{}' WHERE id = ${id} AND ended_at IS NULL`;
    },
    async find(id, teamId, now) {
      return first(
        await sql<PlaceRow[]>`
          SELECT ${place} FROM session_places WHERE id = ${id} AND team_id = ${teamId} AND ${isAlive(now)}`,
      );
    },
    async findByToken(token, now) {
      return first(
        await sql<PlaceRow[]>`
          SELECT ${place} FROM session_places WHERE tokens @> ${sql.array([token])} AND ${isAlive(now)}`,
      );
    },
    async findByScrape(scrape, now) {
      return first(
        await sql<PlaceRow[]>`
          SELECT ${place} FROM session_places WHERE scrape = ${scrape} AND ${isAlive(now)}
          ORDER BY ended_at DESC NULLS FIRST LIMIT 1`,
      );
    },
    async processesOf(teamId, now) {
      const rows = await sql<{ processId: string }[]>`
        SELECT DISTINCT process_id AS "processId" FROM session_places WHERE team_id = ${teamId} AND ${isAlive(now)}`;
      return rows.map(({ processId }) => processId);
    },
  };
}

const toPlace = ({ scrape, ...place }: PlaceRow): SessionPlace => ({ ...place, ...(scrape !== null && { scrape }) });
const first = ([row]: PlaceRow[]): SessionPlace | undefined => row && toPlace(row);
