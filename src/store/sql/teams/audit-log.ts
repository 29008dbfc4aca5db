// The audit log. Texts have a greatest length, and details that are too long are left out.
import type { AuditTarget } from '../../../contracts/team/audit-target.ts';
import type { AuditDetails, AuditEvent, AuditLog, StoredAuditEvent } from '../../ports/teams/audit-log.ts';
import { type Database, type Queries, type Remover, sql, type Tx } from '../database.ts';

export interface SqlAuditLog extends AuditLog {
  /** Call it inside the transaction of what is recorded. It locks the team until that ends. */
  record(tx: Tx, event: AuditEvent): Promise<void>;
  /** As `since`, inside a transaction. */
  readSince(queries: Queries, teamId: string, id: number, limit: number): Promise<StoredAuditEvent[]>;
  removeOld: Remover;
}

/** A year and a bit, as auditors ask for. */
const RETENTION_MS = 400 * 24 * 3_600_000;
const MAX_TEXT = 256;
const MAX_DETAILS = 2_000;

const EVENTS = sql`SELECT id, at, team_id AS "teamId", actor, address, action, target, details FROM audit`;

export function createAuditLog(database: Database): SqlAuditLog {
  const record: SqlAuditLog['record'] = (tx, event) => recordAll(tx, [event]);
  const readSince: SqlAuditLog['readSince'] = async (queries, teamId, id, limit) => {
    const rows = await queries.rows<Row>`
      ${EVENTS} WHERE team_id = ${teamId} AND id > ${id} ORDER BY id LIMIT ${limit}`;
    return rows.map(readEvent);
  };
  return {
    record,
    readSince,
    add: (event) => database.transaction((tx) => record(tx, event)),
    addAll: (events) => database.transaction((tx) => recordAll(tx, events)),
    async list({ teamId, action, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = await database.rows<Row>`
        ${EVENTS} WHERE id < ${before} ${teamId === undefined ? sql`` : sql`AND team_id = ${teamId}`}
          ${action === undefined ? sql`` : sql`AND action = ${action}`} ORDER BY id DESC LIMIT ${limit}`;
      return rows.map(readEvent);
    },
    since: (...call) => readSince(database, ...call),
    // Rows are almost in order of time, so looking at the first ones is enough.
    removeOld: (now, limit) => database.run`
      DELETE FROM audit WHERE at <= ${now - RETENTION_MS}
        AND id IN (SELECT id FROM audit ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  };
}

/** Those who follow the log read on after the last id they saw, so the events of a team must commit in order: one at a time. */
async function recordAll(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  const named = [...new Set(events.map(({ teamId }) => teamId))];
  const teams = await tx.rows<{ id: string }>`
    SELECT id FROM teams WHERE id = ANY(${named}::text[]) ORDER BY id FOR NO KEY UPDATE`;
  const known = new Set(teams.map(({ id }) => id));
  await tx.insert('audit', events.filter(({ teamId }) => known.has(teamId)).map(toRow));
}

interface Row extends Pick<StoredAuditEvent, 'id' | 'at' | 'teamId' | 'actor' | 'action'> {
  address: string | null;
  target: string | null;
  details: string | null;
}

const toRow = ({ at, teamId, actor, address, action, target, details }: AuditEvent) => ({
  ...{ at, team_id: teamId, action },
  actor: actor.slice(0, MAX_TEXT),
  address: address?.slice(0, MAX_TEXT),
  target: target?.slice(0, MAX_TEXT),
  details: details && detailsText(details),
});

const readEvent = ({ address, target, details, ...event }: Row): StoredAuditEvent => ({
  ...event,
  ...(address !== null && { address }),
  ...(target !== null && { target: target as AuditTarget }),
  ...(details !== null && { details: JSON.parse(details) }),
});

function detailsText(details: AuditDetails): string {
  const text = JSON.stringify(details);
  return text.length <= MAX_DETAILS ? text : JSON.stringify({ detailsOmitted: true });
}
