// SQL for the audit log.
import type { Connection } from '../../util/sqlite.ts';
import type { AuditEvent, AuditLog } from '../audit-log.ts';
import {
  AUDIT_RETENTION_MS,
  readAuditEvent,
  type StoredAuditRecord,
  writeAuditEvent,
} from '../records/teams/audit-record.ts';
import type { Served } from './served.ts';

export interface AuditRows extends Served<AuditLog> {
  /** Call inside the transaction of what is recorded. */
  record(event: AuditEvent): void;
  removeOld(now: number, limit: number): number;
}

export function createAuditRows(connection: Connection): AuditRows {
  const sql = prepareAll(connection);
  const record = (event: AuditEvent) => {
    const { at, actor, address, action, target, details, teamId } = writeAuditEvent(event);
    sql.add.run(at, actor, address, action, target, details, teamId);
  };
  return {
    record,
    add: record,
    addAll: (events) =>
      connection.transaction(() => {
        for (const event of events) record(event);
      }),
    list: ({ teamId = null, action = null, before = Number.MAX_SAFE_INTEGER, limit }) =>
      (teamId === null ? sql.newest.all(before, action, limit) : sql.newestOf.all(before, action, limit, teamId)).map(
        readAuditEvent,
      ),
    since: (teamId, id, limit) => sql.since.all(teamId, id, limit).map(readAuditEvent),
    removeOld: (now, limit) => Number(sql.removeOld.run(limit, now - AUDIT_RETENTION_MS).changes),
  };
}

const EVENTS = 'SELECT id, at, team_id AS teamId, actor, address, action, target, details FROM audit';

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    `INSERT INTO audit (at, actor, address, action, target, details, team_id)
     SELECT ?, ?, ?, ?, ?, ?, id FROM teams WHERE id = ?`,
  ),
  newest: connection.prepare<StoredAuditRecord>(
    `${EVENTS} WHERE id < ?1 AND (?2 IS NULL OR action = ?2) ORDER BY id DESC LIMIT ?3`,
  ),
  newestOf: connection.prepare<StoredAuditRecord>(
    `${EVENTS} WHERE team_id = ?4 AND id < ?1 AND (?2 IS NULL OR action = ?2) ORDER BY id DESC LIMIT ?3`,
  ),
  since: connection.prepare<StoredAuditRecord>(`${EVENTS} WHERE team_id = ? AND id > ? ORDER BY id LIMIT ?`),
  // Rows are in order of time, so looking at the first ones is enough.
  removeOld: connection.prepare(
    'DELETE FROM audit WHERE id IN (SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ?) WHERE at <= ?)',
  ),
});
