// SQL for the audit log.
import type { Connection } from '../../util/sqlite.ts';
import type { AuditEvent, AuditLog, StoredAuditEvent } from '../audit-log.ts';
import type { Served } from './served.ts';

export interface AuditRows extends Served<AuditLog> {
  /** Call inside the transaction of what is recorded. */
  record(event: AuditEvent): void;
  removeOld(now: number, limit: number): number;
}

/** A year and a bit, as auditors ask for. */
const RETENTION_MS = 400 * 24 * 3_600_000;

export function createAuditRows(connection: Connection): AuditRows {
  const sql = prepareAll(connection);
  const record = ({ at, teamId, actor, address, action, target, details }: AuditEvent) =>
    void sql.add.run(
      ...[at, teamId, actor, address ?? null, action, target ?? null],
      details ? JSON.stringify(details) : null,
    );
  return {
    record,
    add: record,
    list: ({ teamId, before = Number.MAX_SAFE_INTEGER, limit }) =>
      (teamId === undefined ? sql.newest.all(before, limit) : sql.newestOf.all(teamId, before, limit)).map(readEvent),
    since: (teamId, id, limit) => sql.since.all(teamId, id, limit).map(readEvent),
    removeOld: (now, limit) => Number(sql.removeOld.run(limit, now - RETENTION_MS).changes),
  };
}

type Row = Pick<StoredAuditEvent, 'id' | 'at' | 'teamId' | 'actor' | 'action'> &
  Record<'address' | 'target' | 'details', string | null>;

const readEvent = ({ address, target, details, ...event }: Row): StoredAuditEvent => ({
  ...event,
  ...(address !== null && { address }),
  ...(target !== null && { target }),
  ...(details !== null && { details: JSON.parse(details) }),
});

const EVENTS = 'SELECT id, at, team_id AS teamId, actor, address, action, target, details FROM audit';

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    'INSERT INTO audit (at, team_id, actor, address, action, target, details) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  newest: connection.prepare<Row>(`${EVENTS} WHERE id < ? ORDER BY id DESC LIMIT ?`),
  newestOf: connection.prepare<Row>(`${EVENTS} WHERE team_id = ? AND id < ? ORDER BY id DESC LIMIT ?`),
  since: connection.prepare<Row>(`${EVENTS} WHERE team_id = ? AND id > ? ORDER BY id LIMIT ?`),
  // Rows are in order of time, so looking at the first ones is enough.
  removeOld: connection.prepare(
    'DELETE FROM audit WHERE id IN (SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ?) WHERE at <= ?)',
  ),
});
