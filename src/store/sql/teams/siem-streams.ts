// The streams of audit events. A stream is a cursor in the audit log, so that neither a crash nor a collector that is down for
// days loses events. One process at a time has the events of a stream.
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import {
  MAX_BACKLOG,
  type SiemBatch,
  type SiemSettings,
  type SiemStore,
  type SiemStream,
} from '../../ports/teams/siem-store.ts';
import { type BooleanColumn, type Database, type Queries, sql, type Tx } from '../database.ts';
import type { SqlAuditLog } from './audit-log.ts';

export interface SiemStreams extends SiemStore {
  /** Called at the start of the only process of a data folder: what the last process had in progress is due now. */
  releaseAll(): Promise<void>;
}

export interface SiemStreamsDeps {
  database: Database;
  audit: Pick<SqlAuditLog, 'record' | 'readSince'>;
  /** Settings are short: they are opened at once. */
  sealed: Pick<SealedRequests, 'seal' | 'open'>;
}

const BATCH = 500;
/** Number of batches searched for events that the stream wants; the search continues next time. */
const MAX_LOOKS = 20;
/** New events are collected this long, unless they fill a batch. */
const COLLECT_MS = 1_000;
/** A batch is not handed out again for this long. */
const SENDING_MS = 60_000;
const UNREADABLE_MS = 3_600_000;
const UNREADABLE = 'The settings cannot be read, because the secret of the data folder was replaced. Save them again.';

interface Row {
  number: number;
  teamId: string;
  team: string;
  isEnabled: BooleanColumn;
  settings: SealedText;
  updatedAt: number;
  lastEvent: number;
  attempts: number;
  lastDeliveredAt: number | null;
  failingSince: number | null;
  lastError: string | null;
}

const STREAMS = sql`
  SELECT number, team_id AS "teamId", teams.name AS team, is_enabled AS "isEnabled", siem.settings,
    updated_at AS "updatedAt", last_event AS "lastEvent", attempts, last_delivered_at AS "lastDeliveredAt",
    failing_since AS "failingSince", last_error AS "lastError"
  FROM siem JOIN teams ON teams.id = team_id`;

export function createSiemStreams({ database, audit, sealed }: SiemStreamsDeps): SiemStreams {
  const settingsOf = ({ settings, teamId }: Row) => sealed.open(settings, teamId) as SiemSettings | undefined;

  const batchOf = async (tx: Tx, row: Row, now: number): Promise<SiemBatch[]> => {
    const { number: id, teamId, team, attempts } = row;
    const settings = settingsOf(row);
    if (!settings) {
      await retry(tx, id, { retryAt: now + UNREADABLE_MS, reason: UNREADABLE }, now);
      return [];
    }
    const events = await nextEvents(tx, row, settings);
    if (events.length === 0) return [];
    await tx.run`UPDATE siem SET next_at = ${now + SENDING_MS} WHERE number = ${id}`;
    return [{ id, teamId, team, settings, events, attempts }];
  };

  /** Skips what the stream does not want. */
  const nextEvents = async (tx: Tx, { number, teamId, lastEvent }: Row, { events: wanted }: SiemSettings) => {
    let after = lastEvent;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const found = await audit.readSince(tx, teamId, after, BATCH);
      const events = wanted.length === 0 ? found : found.filter(({ action }) => wanted.includes(action));
      if (events.length > 0 || found.length === 0) return events;
      after = found.at(-1)!.id;
      await tx.run`UPDATE siem SET last_event = ${after} WHERE number = ${number}`;
    }
    return [];
  };

  return {
    async read(teamId) {
      const row = await database.one<Row>`${STREAMS} WHERE team_id = ${teamId}`;
      if (!row) return undefined;
      const settings = settingsOf(row);
      return show(row, settings, await backlogOf(database, row, settings?.events ?? []));
    },
    write({ isEnabled, settings }, change) {
      const { teamId, at } = change;
      const text = sealed.seal(settings, teamId);
      return database.transaction(async (tx) => {
        // While the team is locked, none of its events is on its way that would be older than where the stream begins.
        await tx.one`SELECT id FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
        await tx.run`
          INSERT INTO siem (team_id, is_enabled, settings, updated_at, last_event)
          SELECT ${teamId}, ${isEnabled}, ${text}, ${at}, coalesce(max(id), 0) FROM audit WHERE team_id = ${teamId}
          ON CONFLICT (team_id) DO UPDATE SET is_enabled = excluded.is_enabled, settings = excluded.settings,
            updated_at = excluded.updated_at, next_at = 0, attempts = 0, failing_since = NULL, last_error = NULL`;
        await audit.record(tx, change);
      });
    },
    due: (now, limit) =>
      database.transaction(async (tx) => {
        const rows = await tx.rows<Row>`
          ${STREAMS} WHERE is_enabled AND next_at <= ${now}
            AND EXISTS (SELECT 1 FROM audit WHERE audit.team_id = siem.team_id AND id > last_event)
          ORDER BY next_at, number LIMIT ${limit} FOR UPDATE OF siem SKIP LOCKED`;
        const batches: SiemBatch[] = [];
        for (const row of rows) batches.push(...(await batchOf(tx, row, now)));
        return batches;
      }),
    async settle({ id, upTo }, result, now, reason) {
      if (typeof result === 'object') return retry(database, id, { retryAt: result.retryAt, reason }, now);
      // A full batch waits already: then the next one is due at once.
      await database.run`
        UPDATE siem SET last_event = greatest(last_event, ${upTo}), attempts = 0, last_delivered_at = ${now},
          failing_since = NULL, last_error = NULL, next_at = ${now}::bigint + CASE WHEN (
            SELECT count(*) FROM (SELECT 1 FROM audit WHERE audit.team_id = siem.team_id AND id > ${upTo}
              LIMIT ${BATCH}) AS waiting) < ${BATCH} THEN ${COLLECT_MS}::bigint ELSE 0 END
        WHERE number = ${id}`;
    },
    async nextAt() {
      const row = await database.one<{ nextAt: number | null }>`
        SELECT min(next_at) AS "nextAt" FROM siem WHERE is_enabled`;
      return row?.nextAt ?? undefined;
    },
    // Without an attempt, a batch was postponed by SENDING_MS at most, so the reset skips no pause after a failure.
    releaseAll: async () => void (await database.run`UPDATE siem SET next_at = 0 WHERE attempts = 0`),
  };
}

interface Failure {
  retryAt: number;
  reason?: string;
}

const retry = async (queries: Queries, number: number, { retryAt, reason }: Failure, now: number): Promise<void> =>
  void (await queries.run`
    UPDATE siem SET next_at = ${retryAt}, attempts = attempts + 1, last_error = ${reason},
      failing_since = coalesce(failing_since, ${now})
    WHERE number = ${number}`);

async function backlogOf(queries: Queries, { teamId, lastEvent }: Row, wanted: readonly string[]): Promise<number> {
  const row = await queries.one<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 1 FROM audit WHERE team_id = ${teamId} AND id > ${lastEvent}
      ${wanted.length === 0 ? sql`` : sql`AND action = ANY(${wanted}::text[])`} LIMIT ${MAX_BACKLOG}) AS waiting`;
  return row!.count;
}

function show(row: Row, settings: SiemSettings | undefined, backlog: number): SiemStream {
  const { isEnabled, updatedAt, lastDeliveredAt, failingSince, lastError } = row;
  return {
    ...{ isEnabled: Boolean(isEnabled), settings, updatedAt, backlog },
    ...(lastDeliveredAt !== null && { lastDeliveredAt }),
    ...(failingSince !== null && { failingSince }),
    ...(lastError !== null && { lastError }),
  };
}
