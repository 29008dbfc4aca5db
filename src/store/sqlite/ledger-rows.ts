// SQL for the ledger, its hourly totals, and the list of recent requests.
import type { Connection } from '../../util/sqlite.ts';
import type { Charge, Ledger, NewRequest, OperationBin, RecentRequest, UsageBin } from '../ledger.ts';
import {
  ENTRY_RETENTION_MS,
  REQUEST_RETENTION_MS,
  startOfHour,
  TOTAL_RETENTION_MS,
} from '../records/teams/ledger-times.ts';
import type { Served } from './served.ts';

export interface LedgerRows extends Served<Ledger> {
  /** Call inside the transaction of what is billed. */
  record(charge: Charge): void;
  /** Call inside the transaction that stores the job. */
  list(request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): void;
  removeExpired(now: number, limit: number): number;
}

export function createLedgerRows(connection: Connection): LedgerRows {
  const sql = prepareAll(connection);

  const list: LedgerRows['list'] = ({ id, target, isRatable }, { teamId, operation, now }) =>
    void sql.addRequest.run(id, teamId, operation, target ?? null, isRatable ? 1 : 0, now, now + REQUEST_RETENTION_MS);

  const record = ({ teamId, key, operation, job, credits, tokens = 0, succeeded, request, now }: Charge) => {
    if (credits > 0 || tokens > 0) {
      sql.addEntry.run(now, teamId, key ?? null, operation, job ?? null, credits, tokens);
      // The totals have no other writer, so they are always the sum of the entries.
      sql.addToTotal.run(teamId, startOfHour(now), key ?? '', operation, credits, tokens);
    }
    if (succeeded) sql.noteSuccess.run(now, teamId);
    if (request) list(request, { teamId, operation, now });
  };

  return {
    record,
    list,
    add: (charge) => connection.transaction(() => record(charge)),
    usage: (teamId, { from, until, binMs }) => sql.usage.all(binMs, teamId, startOfHour(from), until),
    usageByOperation: (teamId, { from, until, binMs }) =>
      sql.usageByOperation.all(binMs, teamId, startOfHour(from), until),
    activity(teamId, { operation, since, after, limit }) {
      const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: '' };
      return operation === undefined
        ? sql.activity.all(teamId, since, at, id, limit)
        : sql.activityOf.all(teamId, since, at, id, operation, limit);
    },
    removeExpired: (now, limit) =>
      Number(sql.removeRequests.run(now, limit).changes) +
      Number(sql.removeEntries.run(limit, now - ENTRY_RETENTION_MS).changes) +
      Number(sql.removeTotals.run(now - TOTAL_RETENTION_MS, limit).changes),
  };
}

const ACTIVITY = `SELECT id, endpoint AS operation, target, created_at AS at FROM requests
  WHERE team_id = ? AND created_at >= ? AND (created_at, id) < (?, ?)`;
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC LIMIT ?';

const prepareAll = (connection: Connection) => ({
  addEntry: connection.prepare(
    'INSERT INTO ledger (at, team_id, key, operation, job, credits, tokens) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  addToTotal: connection.prepare(
    `INSERT INTO usage (team_id, hour, key, operation, credits, tokens) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, hour, key, operation)
     DO UPDATE SET credits = credits + excluded.credits, tokens = tokens + excluded.tokens`,
  ),
  noteSuccess: connection.prepare('UPDATE teams SET last_success_at = ? WHERE id = ?'),
  addRequest: connection.prepare(
    `INSERT INTO requests (id, team_id, endpoint, target, is_ratable, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  usage: connection.prepare<UsageBin>(
    `SELECT hour - hour % ?1 AS start, nullif(key, '') AS key, sum(credits) AS credits, sum(tokens) AS tokens
     FROM usage WHERE team_id = ?2 AND hour >= ?3 AND hour < ?4 GROUP BY 1, 2 ORDER BY 1, 2`,
  ),
  usageByOperation: connection.prepare<OperationBin>(
    `SELECT hour - hour % ?1 AS start, operation, sum(credits) AS credits, sum(tokens) AS tokens
     FROM usage WHERE team_id = ?2 AND hour >= ?3 AND hour < ?4 GROUP BY 1, 2 ORDER BY 1, 2`,
  ),
  activity: connection.prepare<RecentRequest>(`${ACTIVITY} ${NEWEST_FIRST}`),
  activityOf: connection.prepare<RecentRequest>(`${ACTIVITY} AND endpoint = ? ${NEWEST_FIRST}`),
  removeRequests: connection.prepare(
    'DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE expires_at <= ? LIMIT ?)',
  ),
  // Entries are in order of time, so looking at the first ones is enough.
  removeEntries: connection.prepare(
    'DELETE FROM ledger WHERE id IN (SELECT id FROM (SELECT id, at FROM ledger ORDER BY id LIMIT ?) WHERE at <= ?)',
  ),
  removeTotals: connection.prepare(
    `DELETE FROM usage WHERE (team_id, hour, key, operation) IN
       (SELECT team_id, hour, key, operation FROM teams JOIN usage ON team_id = teams.id AND hour <= ? LIMIT ?)`,
  ),
});
