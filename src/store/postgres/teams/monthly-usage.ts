// The credits of teams by month, which budgets read for every request: the hourly totals of a month may be thousands of rows.
import type { Sql } from '../database/database.ts';

/** When the month of a time began, in UTC. `column` has milliseconds. */
export const startOfMonth = (sql: Sql, column: ReturnType<Sql>) =>
  sql`(extract(epoch FROM date_trunc('month', to_timestamp(${column} / 1000.0), 'UTC')) * 1000)::bigint`;

/** Makes them from the hourly totals, where those came from elsewhere. */
export const recountMonths = async (sql: Sql): Promise<void> =>
  void (await sql`
    INSERT INTO monthly_usage (team_id, month, key, credits)
    SELECT team_id, ${startOfMonth(sql, sql`hour`)}, key, sum(credits) FROM usage WHERE credits > 0 GROUP BY 1, 2, 3
    ON CONFLICT (team_id, month, key) DO UPDATE SET credits = excluded.credits`);
