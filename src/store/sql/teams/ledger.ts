// The ledger, its hourly totals, and the list of recent requests.
import type {
  Charge,
  Ledger,
  NewRequest,
  OperationBin,
  RecentRequest,
  UsageBin,
  UsageQuery,
} from '../../ports/teams/ledger.ts';
import {
  ENTRY_RETENTION_MS,
  HOUR_MS,
  REQUEST_RETENTION_MS,
  startOfHour,
  TOTAL_RETENTION_MS,
} from '../../rules/teams/ledger-times.ts';
import { type Awaitable, type Database, type Queries, type Remover, sql, type Tx } from '../database.ts';

export interface SqlLedger extends Ledger {
  /** Call it inside the transaction of what is billed. */
  record(tx: Tx, charge: Charge): Promise<void>;
  /** Call it inside the transaction that stores the job. */
  list(tx: Tx, request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): Promise<void>;
  /** When a charge of the team last returned content. */
  lastSuccessAt(queries: Queries, teamId: string): Promise<number | null>;
  removers: Remover[];
}

/** Where the entries of the ledger come from, and how they get into the totals. */
export interface Charges {
  add(tx: Tx, charge: Charge): Awaitable<unknown>;
  removers: readonly Remover[];
}

export function createLedger(database: Database, charges: Charges): SqlLedger {
  const list: SqlLedger['list'] = async (tx, { id, target, isRatable }, { teamId, operation, now }) =>
    void (await tx.run`
      INSERT INTO requests (id, team_id, endpoint, target, is_ratable, created_at, expires_at)
      VALUES (${id}, ${teamId}, ${operation}, ${target}, ${isRatable}, ${now}, ${now + REQUEST_RETENTION_MS})
      ON CONFLICT (id) DO NOTHING`);

  const record: SqlLedger['record'] = async (tx, charge) =>
    void (await Promise.all([charges.add(tx, charge), charge.request && list(tx, charge.request, charge)]));

  return {
    record,
    list,
    add: (charge) => database.transaction((tx) => record(tx, charge)),
    usage: async (teamId, query) => database.rows<UsageBin>`
      SELECT hour - hour % ${query.binMs} AS start, nullif(key, '') AS key,
        sum(credits)::bigint AS credits, sum(tokens)::bigint AS tokens
      FROM (${usageOf(teamId, query)}) AS usage GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST`,
    usageByOperation: async (teamId, query) => database.rows<OperationBin>`
      SELECT hour - hour % ${query.binMs} AS start, operation,
        sum(credits)::bigint AS credits, sum(tokens)::bigint AS tokens
      FROM (${usageOf(teamId, query)}) AS usage GROUP BY 1, 2 ORDER BY 1, 2`,
    async activity(teamId, { operation, since, after, limit }) {
      const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: '' };
      return database.rows<RecentRequest>`
        SELECT id, endpoint AS operation, target, created_at AS at FROM requests
        WHERE team_id = ${teamId} AND created_at >= ${since} AND (created_at, id) < (${at}, ${id})
          ${operation === undefined ? sql`` : sql`AND endpoint = ${operation}`}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
    },
    async lastSuccessAt(queries, teamId) {
      const row = await queries.one<{ at: number | null }>`
        SELECT max(at) AS at FROM (
          SELECT last_success_at AS at FROM teams WHERE id = ${teamId}
          UNION ALL SELECT at FROM ledger WHERE team_id = ${teamId} AND NOT is_counted AND succeeded) AS success`;
      return row?.at ?? null;
    },
    removers: [...charges.removers, ...createRemovers(database)],
  };
}

/** Totals, and entries that are not in the totals yet: one snapshot sees each charge in one of the two. */
const usageOf = (teamId: string, { from, until }: UsageQuery) => sql`
  SELECT hour, key, operation, credits, tokens FROM usage
  WHERE team_id = ${teamId} AND hour >= ${startOfHour(from)} AND hour < ${until}
  UNION ALL
  SELECT at - at % ${HOUR_MS}, coalesce(key, ''), operation, credits, tokens FROM ledger
  WHERE team_id = ${teamId} AND NOT is_counted AND (credits > 0 OR tokens > 0)
    AND at >= ${startOfHour(from)} AND at - at % ${HOUR_MS} < ${until}`;

const createRemovers = (database: Database): Remover[] => [
  (now, limit) => database.run`
    DELETE FROM requests WHERE id IN (
      SELECT id FROM requests WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  // Entries are almost in order of time, so looking at the first ones is enough.
  (now, limit) => database.run`
    DELETE FROM ledger WHERE is_counted AND at <= ${now - ENTRY_RETENTION_MS}
      AND id IN (SELECT id FROM ledger ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  (now, limit) => database.run`
    DELETE FROM usage WHERE (team_id, hour, key, operation) IN (
      SELECT team_id, hour, key, operation FROM usage WHERE hour <= ${now - TOTAL_RETENTION_MS}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
];
