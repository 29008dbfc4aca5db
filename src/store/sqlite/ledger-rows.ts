// The ledger for transactions of the store thread that wait for nothing.
import type { Connection } from '../../util/sqlite.ts';
import type { Charge, NewRequest } from '../ledger.ts';
import { REQUEST_RETENTION_MS, startOfHour } from '../records/teams/ledger-times.ts';

export interface LedgerRows {
  /** Call inside the transaction of what is billed. */
  record(charge: Charge): void;
  /** Call inside the transaction that stores the job. */
  list(request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): void;
}

export function createLedgerRows(connection: Connection): LedgerRows {
  const sql = prepareAll(connection);

  const list: LedgerRows['list'] = ({ id, target, isRatable }, { teamId, operation, now }) =>
    void sql.addRequest.run(id, teamId, operation, target ?? null, isRatable ? 1 : 0, now, now + REQUEST_RETENTION_MS);

  return {
    record({ teamId, key, operation, job, credits, tokens = 0, succeeded, request, now }) {
      if (credits > 0 || tokens > 0) {
        sql.addEntry.run(now, teamId, key ?? null, operation, job ?? null, credits, tokens);
        // The totals have no other writer, so they are always the sum of the entries.
        sql.addToTotal.run(teamId, startOfHour(now), key ?? '', operation, credits, tokens);
      }
      if (succeeded) sql.noteSuccess.run(now, teamId);
      if (request) list(request, { teamId, operation, now });
    },
    list,
  };
}

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
});
