// SQL for the ledger, its hourly totals, and the list of recent requests. A charge only adds a row: no transaction waits for
// another one that bills the same team.
import type { Charge, Ledger, NewRequest, OperationBin, RecentRequest, UsageBin, UsageQuery } from '../../ledger.ts';
import {
  ENTRY_RETENTION_MS,
  REQUEST_RETENTION_MS,
  startOfHour,
  TOTAL_RETENTION_MS,
} from '../../records/teams/ledger-times.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { startOfMonth } from './monthly-usage.ts';

export interface LedgerRows extends Ledger {
  /** Call inside the transaction of what is billed. */
  record(sql: Sql, charge: Charge): Promise<void>;
  /** Call inside the transaction that stores the job. */
  list(sql: Sql, request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): Promise<void>;
  /** When a charge of the team last returned content. */
  lastSuccessAt(sql: Sql, teamId: string): Promise<number | null>;
  removers: Remover[];
}

const HOUR_MS = 3_600_000;
/** After so many charges a process adds what waits to the totals: reading the use of a team then reads few entries. */
const COUNT_AFTER = 500;
const COUNT_AT_ONCE = 2_000;

export function createLedgerRows({ database }: Pick<Base, 'database'>): LedgerRows {
  const { sql: pool, transaction } = database;
  let sinceCounted = 0;

  const noteCharge = () => {
    sinceCounted += 1;
    if (sinceCounted < COUNT_AFTER) return;
    sinceCounted = 0;
    // What this does not count is counted after the next charges, or by the sweeper.
    void countEntries(pool, COUNT_AT_ONCE).catch(() => {});
  };

  const list: LedgerRows['list'] = async (sql, { id, target, isRatable }, { teamId, operation, now }) =>
    void (await sql`
      INSERT INTO requests (id, team_id, endpoint, target, is_ratable, created_at, expires_at)
      VALUES (${id}, ${teamId}, ${operation}, ${target ?? null}, ${isRatable}, ${now}, ${now + REQUEST_RETENTION_MS})
      ON CONFLICT (id) DO NOTHING`);

  const record: LedgerRows['record'] = async (sql, charge) => {
    const { teamId, key, operation, job, credits, tokens = 0, succeeded = false, request, once, now } = charge;
    await Promise.all([
      (credits > 0 || tokens > 0 || succeeded) &&
        sql`INSERT INTO ledger (at, team_id, key, operation, job, credits, tokens, succeeded, once)
            VALUES (${now}, ${teamId}, ${key ?? null}, ${operation}, ${job ?? null}, ${credits}, ${tokens}, ${succeeded},
              ${once ?? null})
            ON CONFLICT (once) WHERE once IS NOT NULL DO NOTHING`,
      request && list(sql, request, { teamId, operation, now }),
    ]);
    noteCharge();
  };

  return {
    record,
    list,
    add: (charge) => (charge.request ? transaction((sql) => record(sql, charge)) : record(pool, charge)),
    usage: async (teamId, query) => [
      ...(await pool<UsageBin[]>`
        SELECT hour - hour % ${query.binMs} AS start, nullif(key, '') AS key,
          sum(credits)::bigint AS credits, sum(tokens)::bigint AS tokens
        FROM (${usageOf(pool, teamId, query)}) AS usage GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST`),
    ],
    usageByOperation: async (teamId, query) => [
      ...(await pool<OperationBin[]>`
        SELECT hour - hour % ${query.binMs} AS start, operation,
          sum(credits)::bigint AS credits, sum(tokens)::bigint AS tokens
        FROM (${usageOf(pool, teamId, query)}) AS usage GROUP BY 1, 2 ORDER BY 1, 2`),
    ],
    async activity(teamId, { operation, since, after, limit }) {
      const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: '' };
      return [
        ...(await pool<RecentRequest[]>`
          SELECT id, endpoint AS operation, target, created_at AS at FROM requests
          WHERE team_id = ${teamId} AND created_at >= ${since} AND (created_at, id) < (${at}, ${id})
            ${operation === undefined ? pool`` : pool`AND endpoint = ${operation}`}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
      ];
    },
    async lastSuccessAt(sql, teamId) {
      const [row] = await sql<{ at: number | null }[]>`
        SELECT greatest(last_success_at, (
          SELECT max(at) FROM ledger WHERE team_id = ${teamId} AND NOT is_counted AND succeeded)) AS at
        FROM teams WHERE id = ${teamId}`;
      return row?.at ?? null;
    },
    removers: createRemovers(pool),
  };
}

/** Totals, and entries that are not in the totals yet: one snapshot sees each charge in one of the two. */
const usageOf = (sql: Sql, teamId: string, { from, until }: UsageQuery) => sql`
  SELECT hour, key, operation, credits, tokens FROM usage
  WHERE team_id = ${teamId} AND hour >= ${startOfHour(from)} AND hour < ${until}
  UNION ALL
  SELECT at - at % ${HOUR_MS}, coalesce(key, ''), operation, credits, tokens FROM ledger
  WHERE team_id = ${teamId} AND NOT is_counted AND (credits > 0 OR tokens > 0)
    AND at >= ${startOfHour(from)} AND at - at % ${HOUR_MS} < ${until}`;

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

function createRemovers(sql: Sql): Remover[] {
  return [
    (_now, limit) => countEntries(sql, Math.max(limit, COUNT_AT_ONCE)),
    async (now, limit) =>
      (
        await sql`DELETE FROM requests WHERE id IN (
          SELECT id FROM requests WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    // Entries are almost in order of time, so looking at the first ones is enough.
    async (now, limit) =>
      (
        await sql`DELETE FROM ledger WHERE is_counted AND at <= ${now - ENTRY_RETENTION_MS}
          AND id IN (SELECT id FROM ledger ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    async (now, limit) =>
      (
        await sql`DELETE FROM usage WHERE (team_id, hour, key, operation) IN (
          SELECT team_id, hour, key, operation FROM usage WHERE hour <= ${now - TOTAL_RETENTION_MS}
          LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    async (now, limit) =>
      (
        await sql`DELETE FROM monthly_usage WHERE (team_id, month, key) IN (
          SELECT team_id, month, key FROM monthly_usage WHERE month <= ${now - TOTAL_RETENTION_MS}
          LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  ];
}
