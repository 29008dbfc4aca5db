// SQL for the streams of audit events. A stream is a cursor in the audit log, so that neither a crash nor a collector that
// is down for days loses events.
import type { Connection } from '../../util/sqlite.ts';
import type { StoredAuditEvent } from '../audit-log.ts';
import type { SealedRequests } from '../encoding/sealed-requests.ts';
import {
  COLLECT_MS,
  MAX_LOOKS,
  SENDING_MS,
  SIEM_BATCH,
  type SiemRow,
  showStream,
  UNREADABLE,
  UNREADABLE_MS,
} from '../records/teams/siem-record.ts';
import { MAX_BACKLOG, type SiemBatch, type SiemSettings, type SiemStore } from '../siem-store.ts';
import type { AuditRows } from './audit-rows.ts';
import type { Served } from './served.ts';

export interface SiemRows extends Served<SiemStore> {
  /** Called at the start of the only process of a data folder: what the last process had in progress is due now. */
  releaseAll(): void;
}

interface SiemRowsDeps {
  connection: Connection;
  audit: Pick<AuditRows, 'record' | 'since'>;
  sealed: SealedRequests;
}

type StreamRow = Omit<SiemRow, 'isEnabled'> & { isEnabled: number };

export function createSiemRows({ connection, audit, sealed }: SiemRowsDeps): SiemRows {
  const sql = prepareAll(connection);
  const settingsOf = ({ settings, teamId }: StreamRow) => sealed.open(settings, teamId) as SiemSettings | undefined;

  const batchOf = (row: StreamRow, now: number): SiemBatch[] => {
    const { number: id, teamId, team, attempts } = row;
    const settings = settingsOf(row);
    if (!settings) {
      sql.retry.run(now + UNREADABLE_MS, UNREADABLE, now, id);
      return [];
    }
    const events = nextEvents(row, settings);
    if (events.length === 0) return [];
    sql.postpone.run(now + SENDING_MS, id);
    return [{ id, teamId, team, settings, events, attempts }];
  };

  /** Skips what the stream does not want. */
  const nextEvents = ({ number, teamId, lastEvent }: StreamRow, { events: wanted }: SiemSettings) => {
    let after = lastEvent;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const found: StoredAuditEvent[] = audit.since(teamId, after, SIEM_BATCH);
      const events = wanted.length === 0 ? found : found.filter(({ action }) => wanted.includes(action));
      if (events.length > 0 || found.length === 0) return events;
      after = found.at(-1)!.id;
      sql.skipTo.run(after, number);
    }
    return [];
  };

  const show = (row: StreamRow) => {
    const settings = settingsOf(row);
    const wanted = JSON.stringify(settings?.events ?? []);
    const { backlog } = sql.backlog.get(row.teamId, row.lastEvent, wanted, MAX_BACKLOG)!;
    return showStream({ ...row, isEnabled: row.isEnabled === 1 }, settings, backlog);
  };

  return {
    read(teamId) {
      const row = sql.ofTeam.get(teamId);
      return row && show(row);
    },
    write: ({ isEnabled, settings }, change) =>
      connection.transaction(() => {
        const { teamId, at } = change;
        sql.write.run(teamId, Number(isEnabled), sealed.seal(settings, teamId), at);
        audit.record(change);
      }),
    due: (now, limit) => connection.transaction(() => sql.due.all(now, limit).flatMap((row) => batchOf(row, now))),
    settle({ id, upTo }, result, now, reason) {
      if (typeof result === 'object') sql.retry.run(result.retryAt, reason ?? null, now, id);
      else sql.advance.run(upTo, now, COLLECT_MS, SIEM_BATCH, id);
    },
    nextAt: () => sql.nextAt.get()?.nextAt ?? undefined,
    releaseAll: () => void sql.releaseFirst.run(),
  };
}

const STREAMS = `SELECT number, team_id AS teamId, teams.name AS team, is_enabled AS isEnabled, siem.settings,
    updated_at AS updatedAt, last_event AS lastEvent, attempts, last_delivered_at AS lastDeliveredAt,
    failing_since AS failingSince, last_error AS lastError
  FROM siem JOIN teams ON teams.id = team_id`;

const prepareAll = (connection: Connection) => ({
  ofTeam: connection.prepare<StreamRow>(`${STREAMS} WHERE team_id = ?`),
  write: connection.prepare(
    `INSERT INTO siem (team_id, is_enabled, settings, updated_at, last_event)
     VALUES (?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM audit))
     ON CONFLICT (team_id) DO UPDATE SET is_enabled = excluded.is_enabled, settings = excluded.settings,
       updated_at = excluded.updated_at, next_at = 0, attempts = 0, failing_since = NULL, last_error = NULL`,
  ),
  due: connection.prepare<StreamRow>(
    `${STREAMS} WHERE is_enabled = 1 AND next_at <= ?
       AND EXISTS (SELECT 1 FROM audit WHERE audit.team_id = siem.team_id AND id > last_event)
     ORDER BY next_at, number LIMIT ?`,
  ),
  backlog: connection.prepare<{ backlog: number }>(
    `SELECT count(*) AS backlog FROM (SELECT 1 FROM audit WHERE team_id = ?1 AND id > ?2
       AND (?3 = '[]' OR action IN (SELECT value FROM json_each(?3))) LIMIT ?4)`,
  ),
  postpone: connection.prepare('UPDATE siem SET next_at = ? WHERE number = ?'),
  skipTo: connection.prepare('UPDATE siem SET last_event = ? WHERE number = ?'),
  // A full batch waits already: then the next one is due at once.
  advance: connection.prepare(
    `UPDATE siem SET last_event = max(last_event, ?1), attempts = 0, last_delivered_at = ?2, failing_since = NULL,
       last_error = NULL, next_at = ?2 + iif((SELECT count(*) FROM (SELECT 1 FROM audit
         WHERE audit.team_id = siem.team_id AND id > ?1 LIMIT ?4)) < ?4, ?3, 0) WHERE number = ?5`,
  ),
  retry: connection.prepare(
    `UPDATE siem SET next_at = ?1, attempts = attempts + 1, last_error = ?2, failing_since = coalesce(failing_since, ?3)
     WHERE number = ?4`,
  ),
  nextAt: connection.prepare<{ nextAt: number | null }>('SELECT min(next_at) AS nextAt FROM siem WHERE is_enabled = 1'),
  // Without an attempt, a batch was postponed by SENDING_MS at most, so the reset skips no pause after a failure.
  releaseFirst: connection.prepare('UPDATE siem SET next_at = 0 WHERE attempts = 0'),
});
