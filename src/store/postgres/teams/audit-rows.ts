// SQL for the audit log.
import type { AuditEvent, AuditLog, StoredAuditEvent } from '../../audit-log.ts';
import {
  AUDIT_RETENTION_MS,
  type AuditRecord,
  readAuditEvent,
  type StoredAuditRecord,
  writeAuditEvent,
} from '../../records/teams/audit-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';

export interface AuditRows extends AuditLog {
  /** Call inside the transaction of what is recorded. It locks the team until that ends. */
  record(sql: Sql, event: AuditEvent): Promise<void>;
  /** As `since`, inside a transaction. */
  readSince(sql: Sql, teamId: string, id: number, limit: number): Promise<StoredAuditEvent[]>;
  removeOld: Remover;
}

export function createAuditRows({ database }: Pick<Base, 'database'>): AuditRows {
  const { sql: pool, transaction } = database;
  const record: AuditRows['record'] = (sql, event) => recordAll(sql, [event]);
  const readSince: AuditRows['readSince'] = async (sql, teamId, id, limit) => {
    const rows = await sql<StoredAuditRecord[]>`
      ${events(sql)} WHERE team_id = ${teamId} AND id > ${id} ORDER BY id LIMIT ${limit}`;
    return rows.map(readAuditEvent);
  };
  return {
    record,
    add: (event) => transaction((sql) => record(sql, event)),
    addAll: (events) => transaction((sql) => recordAll(sql, events)),
    async list({ teamId, action, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = await pool<StoredAuditRecord[]>`
        ${events(pool)} WHERE id < ${before} ${teamId === undefined ? pool`` : pool`AND team_id = ${teamId}`}
          ${action === undefined ? pool`` : pool`AND action = ${action}`} ORDER BY id DESC LIMIT ${limit}`;
      return rows.map(readAuditEvent);
    },
    since: (...call) => readSince(pool, ...call),
    readSince,
    // Rows are almost in order of time, so looking at the first ones is enough.
    removeOld: async (now, limit) =>
      (
        await pool`DELETE FROM audit WHERE at <= ${now - AUDIT_RETENTION_MS}
          AND id IN (SELECT id FROM audit ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  };
}

/** Those who follow the log read on after the last id they saw, so the events of a team must commit in order: one at a time. */
async function recordAll(sql: Sql, all: readonly AuditEvent[]): Promise<void> {
  const records = all.map(writeAuditEvent);
  const column = (name: keyof AuditRecord) => records.map((record) => record[name]);
  const teams = [...new Set(all.map(({ teamId }) => teamId))];
  await sql`SELECT id FROM teams WHERE id = ANY(${teams}) ORDER BY id FOR NO KEY UPDATE`;
  await sql`
    INSERT INTO audit (at, team_id, actor, address, action, target, details)
    SELECT at, teams.id, actor, address, action, target, details
    FROM unnest(${column('at')}::bigint[], ${column('teamId')}::text[], ${column('actor')}::text[],
      ${column('address')}::text[], ${column('action')}::text[], ${column('target')}::text[], ${column('details')}::text[])
      WITH ORDINALITY AS event (at, team_id, actor, address, action, target, details, position)
    JOIN teams ON teams.id = event.team_id ORDER BY position`;
}

const events = (sql: Sql) =>
  sql`SELECT id, at, team_id AS "teamId", actor, address, action, target, details FROM audit`;
