// SQL for the log of webhook calls: what a team sees of them, sending them again, and forgetting the old ones.

import type { Bytes } from '../../encoding/join-bytes.ts';
import type {
  DeliveryDetails,
  DeliveryLog,
  DeliveryQuery,
  DeliveryStatus,
  LoggedDelivery,
} from '../../ports/deliveries/delivery-log.ts';
import {
  type LogRow,
  MAX_SETTLED,
  RETENTION_MS,
  SETTLED,
  STATUSES,
  toLoggedDelivery,
  urlOfCall,
} from '../../rules/deliveries/delivery-record.ts';
import { type Database, type Remover, sql } from '../database.ts';
import type { StoredCall } from './call-source.ts';
import type { DeliveryRowsDeps } from './delivery-rows.ts';

export interface DeliveryLogRows extends DeliveryLog {
  find(id: number, teamId: string): Promise<(DeliveryDetails & { body?: Bytes }) | undefined>;
  removeOld: Remover;
}

export function createDeliveryLogRows({ database, callsOf, sealed }: DeliveryRowsDeps): DeliveryLogRows {
  const rowsOf = async (
    { teamId, jobId, before = Number.MAX_SAFE_INTEGER, limit }: DeliveryQuery,
    status: DeliveryStatus,
  ): Promise<LogRow[]> => {
    const newest = sql`AND id < ${before} ORDER BY id DESC LIMIT ${limit}`;
    if (jobId === undefined)
      return database.rows<LogRow>`${LOGGED} WHERE team_id = ${teamId} AND status = ${status} ${newest}`;
    if (status !== 'waiting')
      return database.rows<LogRow>`
        ${LOGGED} WHERE team_id = ${teamId} AND status = ${status} AND sender_id = ${jobId} ${newest}`;
    // Those that wait may be many, and may not know the id of their job yet; but its number is known.
    const found = await Promise.all([
      database.rows<LogRow>`
        ${LOGGED} WHERE status = 'waiting' AND job = (SELECT number FROM jobs WHERE id = ${jobId} AND team_id = ${teamId})
        ${newest}`,
      database.rows<LogRow>`
        ${LOGGED} WHERE status = 'waiting' AND run = (SELECT number FROM runs WHERE id = ${jobId} AND team_id = ${teamId})
        ${newest}`,
    ]);
    return found.flat();
  };

  const show = async (row: LogRow, call: StoredCall | undefined): Promise<LoggedDelivery> => {
    const url =
      row.url === null
        ? call && (await urlOfCall(call))
        : ((await sealed.open(row.url, row.teamId)) as string | undefined);
    return toLoggedDelivery(row, call, url);
  };

  const findWithCall = async (id: number, teamId: string) => {
    const row = await database.one<LogRow>`${LOGGED} WHERE id = ${id} AND team_id = ${teamId}`;
    return row && { row, call: (await callsOf([row]))[0] };
  };

  /** A sweep has many rounds, and looking at every team in each of them would be too much. */
  let sweptAt: number | undefined;

  return {
    async list(query) {
      const found = await Promise.all(
        (query.status ? [query.status] : STATUSES).map((status) => rowsOf(query, status)),
      );
      const newest = found
        .flat()
        .sort((a, b) => b.id - a.id)
        .slice(0, query.limit);
      const calls = await callsOf(newest);
      return Promise.all(newest.map((row, index) => show(row, calls[index])));
    },
    async find(id, teamId) {
      const found = await findWithCall(id, teamId);
      if (!found) return undefined;
      const { row, call } = found;
      const target = await call?.target();
      const body = call?.isZeroRetention ? undefined : await call?.body();
      return { ...(await show(row, call)), ...(target && { target }), ...(body && { body }) };
    },
    async resend(id, teamId, now) {
      const found = await findWithCall(id, teamId);
      if (!found) return undefined;
      const { row, call } = found;
      // Without its target, it has no body either.
      if (row.status !== 'waiting' && (!call || call.isZeroRetention || !(await call.body()))) return 'gone';
      await database.transaction(async (tx) => {
        await tx.run`
          UPDATE deliveries SET status = 'waiting', attempts = 0, next_at = ${now} WHERE id = ${id} AND status <> 'waiting'`;
        const sender = row.job === null ? sql`run = ${row.run}` : sql`job = ${row.job}`;
        // A call on its way keeps its lease: it is not made twice at once.
        await tx.run`
          UPDATE deliveries SET next_at = ${now}
          WHERE status = 'waiting' AND ${sender} AND id <= ${id} AND next_at > ${now}`;
      });
      return 'queued';
    },
    async removeOld(now, limit) {
      if (now === sweptAt) return 0;
      const removed = await removeSome(database, now, limit);
      if (removed === 0) sweptAt = now;
      return removed;
    },
  };
}

/** The settled calls of a team that have the same status, and the newest ones that have to go. */
interface List {
  teamId: string;
  status: DeliveryStatus;
  lastSurplus: number | null;
  lastOld: number | null;
}

async function removeSome(database: Database, now: number, limit: number): Promise<number> {
  const old = now - RETENTION_MS;
  let removed = 0;
  for (const { teamId, status, lastSurplus, lastOld } of await findLists(database, old, limit)) {
    const surplus = lastSurplus ?? 0;
    const last = Math.max(surplus, lastOld ?? 0);
    removed += await database.run`
      DELETE FROM deliveries WHERE status = ${status} AND id IN (
        SELECT id FROM deliveries WHERE team_id = ${teamId} AND status = ${status} AND id <= ${last}
          AND (id <= ${surplus} OR tried_at <= ${old}) ORDER BY id LIMIT ${limit})`;
    if (removed >= limit) break;
  }
  return removed;
}

/** Jumps from team to team in the index. Rows are in order of time, apart from those sent again: the first ones are enough. */
const findLists = (database: Database, old: number, limit: number) => database.rows<List>`
  WITH RECURSIVE teams_with_calls (team_id) AS (
    SELECT (SELECT team_id FROM deliveries ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT team_id FROM deliveries WHERE team_id > last.team_id ORDER BY team_id LIMIT 1)
    FROM teams_with_calls AS last WHERE last.team_id IS NOT NULL),
  lists AS MATERIALIZED (
    SELECT team_id, settled.status,
      (SELECT id FROM deliveries WHERE team_id = teams_with_calls.team_id AND status = settled.status
       ORDER BY id DESC LIMIT 1 OFFSET ${MAX_SETTLED}) AS last_surplus,
      (SELECT max(id) FROM (
         SELECT id, tried_at FROM deliveries WHERE team_id = teams_with_calls.team_id AND status = settled.status
         ORDER BY id LIMIT ${limit}) AS first
       WHERE tried_at <= ${old}) AS last_old
    FROM teams_with_calls CROSS JOIN unnest(${SETTLED}::text[]) AS settled (status))
  SELECT team_id AS "teamId", status, last_surplus AS "lastSurplus", last_old AS "lastOld" FROM lists
  WHERE last_surplus IS NOT NULL OR last_old IS NOT NULL`;

const LOGGED = sql`
  SELECT id, team_id AS "teamId", job, run, webhook_id AS "webhookId", event, task, content, status,
    greatest(next_at, coalesce(lease_until, 0)) AS "nextAt", attempts, created_at AS "createdAt", sender_id AS "senderId",
    type, url, size, tried_at AS "triedAt", status_code AS "statusCode", error
  FROM deliveries`;
