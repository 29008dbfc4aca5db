// SQL for the audit log.
import type { Connection } from '../../util/sqlite.ts';
import type { AuditDetails, AuditEvent, AuditLog, StoredAuditEvent } from '../audit-log.ts';
import type { Served } from './served.ts';

export interface AuditRows extends Served<AuditLog> {
  /** Call inside the transaction of what is recorded. */
  record(event: AuditEvent): void;
  removeOld(now: number, limit: number): number;
}

/** A year and a bit, as auditors ask for. */
const RETENTION_MS = 400 * 24 * 3_600_000;
const MAX_TEXT = 256;
const MAX_DETAILS = 2_000;

export function createAuditRows(connection: Connection): AuditRows {
  const sql = prepareAll(connection);
  const record = ({ at, teamId, actor, address, action, target, details }: AuditEvent) =>
    void sql.add.run(
      ...[at, cut(actor), cut(address), action, cut(target)],
      details ? detailsText(details) : null,
      teamId,
    );
  return {
    record,
    add: record,
    addAll: (events) =>
      connection.transaction(() => {
        for (const event of events) record(event);
      }),
    list: ({ teamId = null, action = null, before = Number.MAX_SAFE_INTEGER, limit }) =>
      (teamId === null ? sql.newest.all(before, action, limit) : sql.newestOf.all(before, action, limit, teamId)).map(
        readEvent,
      ),
    since: (teamId, id, limit) => sql.since.all(teamId, id, limit).map(readEvent),
    removeOld: (now, limit) => Number(sql.removeOld.run(limit, now - RETENTION_MS).changes),
  };
}

const cut = <Text extends string | undefined>(text: Text) => text?.slice(0, MAX_TEXT) ?? null;

function detailsText(details: AuditDetails): string {
  const text = JSON.stringify(details);
  return text.length <= MAX_DETAILS ? text : JSON.stringify({ detailsOmitted: true });
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
    `INSERT INTO audit (at, actor, address, action, target, details, team_id)
     SELECT ?, ?, ?, ?, ?, ?, id FROM teams WHERE id = ?`,
  ),
  newest: connection.prepare<Row>(`${EVENTS} WHERE id < ?1 AND (?2 IS NULL OR action = ?2) ORDER BY id DESC LIMIT ?3`),
  newestOf: connection.prepare<Row>(
    `${EVENTS} WHERE team_id = ?4 AND id < ?1 AND (?2 IS NULL OR action = ?2) ORDER BY id DESC LIMIT ?3`,
  ),
  since: connection.prepare<Row>(`${EVENTS} WHERE team_id = ? AND id > ? ORDER BY id LIMIT ?`),
  // Rows are in order of time, so looking at the first ones is enough.
  removeOld: connection.prepare(
    'DELETE FROM audit WHERE id IN (SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ?) WHERE at <= ?)',
  ),
});
