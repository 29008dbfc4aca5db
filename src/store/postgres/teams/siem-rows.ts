// SQL for the streams of audit events. A stream is a cursor in the audit log, so that neither a crash nor a collector that
// is down for days loses events. One process at a time has the events of a stream.
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  COLLECT_MS,
  MAX_LOOKS,
  SENDING_MS,
  SIEM_BATCH,
  type SiemRow,
  showStream,
  UNREADABLE,
  UNREADABLE_MS,
} from '../../records/teams/siem-record.ts';
import { MAX_BACKLOG, type SiemBatch, type SiemSettings, type SiemStore } from '../../siem-store.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import type { AuditRows } from './audit-rows.ts';

interface Deps extends Pick<Base, 'database'> {
  audit: Pick<AuditRows, 'record' | 'readSince'>;
  sealed: SealedRequests;
}

export function createSiemRows({ database, audit, sealed }: Deps): SiemStore {
  const { sql: pool, transaction } = database;
  const settingsOf = ({ settings, teamId }: SiemRow) => sealed.open(settings, teamId) as SiemSettings | undefined;

  const batchOf = async (sql: Sql, row: SiemRow, now: number): Promise<SiemBatch[]> => {
    const { number: id, teamId, team, attempts } = row;
    const settings = settingsOf(row);
    if (!settings) {
      await retry(sql, id, { retryAt: now + UNREADABLE_MS, reason: UNREADABLE }, now);
      return [];
    }
    const events = await nextEvents(sql, row, settings);
    if (events.length === 0) return [];
    await sql`UPDATE siem SET next_at = ${now + SENDING_MS} WHERE number = ${id}`;
    return [{ id, teamId, team, settings, events, attempts }];
  };

  /** Skips what the stream does not want. */
  const nextEvents = async (sql: Sql, { number, teamId, lastEvent }: SiemRow, { events: wanted }: SiemSettings) => {
    let after = lastEvent;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const found = await audit.readSince(sql, teamId, after, SIEM_BATCH);
      const events = wanted.length === 0 ? found : found.filter(({ action }) => wanted.includes(action));
      if (events.length > 0 || found.length === 0) return events;
      after = found.at(-1)!.id;
      await sql`UPDATE siem SET last_event = ${after} WHERE number = ${number}`;
    }
    return [];
  };

  return {
    async read(teamId) {
      const [row] = await pool<SiemRow[]>`${streams(pool)} WHERE team_id = ${teamId}`;
      if (!row) return undefined;
      const settings = settingsOf(row);
      return showStream(row, settings, await backlogOf(pool, row, settings?.events ?? []));
    },
    write: ({ isEnabled, settings }, change) =>
      transaction(async (sql) => {
        const { teamId, at } = change;
        // While the team is locked, none of its events is on its way that would be older than where the stream begins.
        await sql`SELECT id FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
        await sql`
          INSERT INTO siem (team_id, is_enabled, settings, updated_at, last_event)
          SELECT ${teamId}, ${isEnabled}, ${sealed.seal(settings, teamId)}, ${at}, coalesce(max(id), 0)
          FROM audit WHERE team_id = ${teamId}
          ON CONFLICT (team_id) DO UPDATE SET is_enabled = excluded.is_enabled, settings = excluded.settings,
            updated_at = excluded.updated_at, next_at = 0, attempts = 0, failing_since = NULL, last_error = NULL`;
        await audit.record(sql, change);
      }),
    due: (now, limit) =>
      transaction(async (sql) => {
        const rows = await sql<SiemRow[]>`
          ${streams(sql)} WHERE is_enabled AND next_at <= ${now}
            AND EXISTS (SELECT 1 FROM audit WHERE audit.team_id = siem.team_id AND id > last_event)
          ORDER BY next_at, number LIMIT ${limit} FOR UPDATE OF siem SKIP LOCKED`;
        const batches: SiemBatch[] = [];
        for (const row of rows) batches.push(...(await batchOf(sql, row, now)));
        return batches;
      }),
    async settle({ id, upTo }, result, now, reason) {
      if (typeof result === 'object') return retry(pool, id, { retryAt: result.retryAt, reason }, now);
      // A full batch waits already: then the next one is due at once.
      await pool`
        UPDATE siem SET last_event = greatest(last_event, ${upTo}), attempts = 0, last_delivered_at = ${now},
          failing_since = NULL, last_error = NULL, next_at = ${now}::bigint + CASE WHEN (
            SELECT count(*) FROM (SELECT 1 FROM audit WHERE audit.team_id = siem.team_id AND id > ${upTo}
              LIMIT ${SIEM_BATCH}) AS waiting) < ${SIEM_BATCH} THEN ${COLLECT_MS}::bigint ELSE 0 END
        WHERE number = ${id}`;
    },
    async nextAt() {
      const [row] = await pool<{ nextAt: number | null }[]>`
        SELECT min(next_at) AS "nextAt" FROM siem WHERE is_enabled`;
      return row?.nextAt ?? undefined;
    },
  };
}

interface Failure {
  retryAt: number;
  reason?: string;
}

const retry = async (sql: Sql, number: number, { retryAt, reason }: Failure, now: number): Promise<void> =>
  void (await sql`
    UPDATE siem SET next_at = ${retryAt}, attempts = attempts + 1, last_error = ${reason ?? null},
      failing_since = coalesce(failing_since, ${now})
    WHERE number = ${number}`);

async function backlogOf(sql: Sql, { teamId, lastEvent }: SiemRow, wanted: string[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) FROM (SELECT 1 FROM audit WHERE team_id = ${teamId} AND id > ${lastEvent}
      ${wanted.length === 0 ? sql`` : sql`AND action = ANY(${wanted})`} LIMIT ${MAX_BACKLOG}) AS waiting`;
  return row!.count;
}

const streams = (sql: Sql) => sql`
  SELECT number, team_id AS "teamId", teams.name AS team, is_enabled AS "isEnabled", siem.settings,
    updated_at AS "updatedAt", last_event AS "lastEvent", attempts, last_delivered_at AS "lastDeliveredAt",
    failing_since AS "failingSince", last_error AS "lastError"
  FROM siem JOIN teams ON teams.id = team_id`;
