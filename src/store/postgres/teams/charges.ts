// Charges in PostgreSQL. Many processes bill the same team at once: a charge only adds a row, so that no transaction waits for
// another one, and is added to the totals of its hour and month later.
import { HOUR_MS, TOTAL_RETENTION_MS } from '../../rules/teams/ledger-times.ts';
import type { Charges } from '../../sql/teams/ledger.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { startOfMonth } from './monthly-usage.ts';

/** After this many charges, a process adds them to the totals, so that reading a team's use reads few entries. */
const COUNT_AFTER = 500;
const COUNT_AT_ONCE = 2_000;

export function createCharges({ database }: Pick<Base, 'database'>): Charges {
  const { sql } = database;
  let sinceCounted = 0;

  const noteCharge = () => {
    sinceCounted += 1;
    if (sinceCounted < COUNT_AFTER) return;
    sinceCounted = 0;
    // What this does not count is counted after the next charges, or by the sweeper.
    void countEntries(sql, COUNT_AT_ONCE).catch(() => {});
  };

  return {
    async add(tx, { teamId, key, operation, job, credits, tokens = 0, succeeded = false, once, now }) {
      if (credits > 0 || tokens > 0 || succeeded)
        await tx.run`
          INSERT INTO ledger (at, team_id, key, operation, job, credits, tokens, succeeded, once)
          VALUES (${now}, ${teamId}, ${key}, ${operation}, ${job}, ${credits}, ${tokens}, ${succeeded}, ${once})
          ON CONFLICT (once) WHERE once IS NOT NULL DO NOTHING`;
      noteCharge();
    },
    removers: [
      (_now, limit) => countEntries(sql, Math.max(limit, COUNT_AT_ONCE)),
      async (now, limit) =>
        (
          await sql`DELETE FROM monthly_usage WHERE (team_id, month, key) IN (
            SELECT team_id, month, key FROM monthly_usage WHERE month <= ${now - TOTAL_RETENTION_MS}
            LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
        ).count,
    ],
  };
}

/** Adds entries to the totals, in the order of their keys, so that several processes can do it at once. Returns how many. */
async function countEntries(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    WITH waiting AS (
      SELECT id FROM ledger WHERE NOT is_counted ORDER BY team_id, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), counted AS (
      UPDATE ledger SET is_counted = true WHERE id IN (SELECT id FROM waiting)
      RETURNING team_id, at, key, operation, credits, tokens, succeeded
    ), totals AS (
      INSERT INTO usage AS total (team_id, hour, key, operation, credits, tokens)
      SELECT team_id, at - at % ${HOUR_MS}, coalesce(key, ''), operation, sum(credits), sum(tokens) FROM counted
      WHERE credits > 0 OR tokens > 0 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (team_id, hour, key, operation)
      DO UPDATE SET credits = total.credits + excluded.credits, tokens = total.tokens + excluded.tokens
    ), months AS (
      INSERT INTO monthly_usage AS total (team_id, month, key, credits)
      SELECT team_id, ${startOfMonth(sql, sql`at`)}, coalesce(key, ''), sum(credits) FROM counted
      WHERE credits > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (team_id, month, key) DO UPDATE SET credits = total.credits + excluded.credits
    ), successes AS (
      SELECT team_id, max(at) AS at FROM counted WHERE succeeded GROUP BY 1
    ), locked AS (
      SELECT id, successes.at FROM teams JOIN successes ON team_id = id ORDER BY id FOR NO KEY UPDATE OF teams
    ), noted AS (
      UPDATE teams SET last_success_at = greatest(last_success_at, locked.at) FROM locked WHERE teams.id = locked.id
    )
    SELECT count(*) AS counted FROM counted`;
  return row?.counted ?? 0;
}
