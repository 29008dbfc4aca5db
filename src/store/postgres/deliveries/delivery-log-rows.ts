// SQL for the log of webhook calls: what a team sees of them, sending them again, and forgetting the old ones.
import type { DeliveryLog, DeliveryQuery, DeliveryStatus } from '../../delivery-log.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  type LogRow,
  MAX_SETTLED,
  RETENTION_MS,
  SETTLED,
  STATUSES,
  toLoggedDelivery,
  urlOfCall,
} from '../../records/deliveries/delivery-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Database, Sql } from '../database/database.ts';
import type { Call, CallSource } from './call-source.ts';

export interface DeliveryLogRows extends DeliveryLog {
  removeOld: Remover;
}

interface DeliveryLogDeps {
  database: Database;
  callsOf: CallSource;
  sealed: SealedRequests;
}

export function createDeliveryLogRows({ database, callsOf, sealed }: DeliveryLogDeps): DeliveryLogRows {
  const { sql } = database;

  const rowsOf = async (
    { teamId, jobId, before = Number.MAX_SAFE_INTEGER, limit }: DeliveryQuery,
    status: DeliveryStatus,
  ): Promise<LogRow[]> => {
    const newest = sql`AND id < ${before} ORDER BY id DESC LIMIT ${limit}`;
    if (jobId === undefined)
      return sql<LogRow[]>`${logged(sql)} WHERE team_id = ${teamId} AND status = ${status} ${newest}`;
    if (status !== 'waiting')
      return sql<LogRow[]>`
        ${logged(sql)} WHERE team_id = ${teamId} AND status = ${status} AND sender_id = ${jobId} ${newest}`;
    // Those that wait may be many, and may not know the id of their job yet; but its number is known.
    return sql<LogRow[]>`
      SELECT * FROM (
        (${logged(sql)} WHERE status = 'waiting'
          AND job = (SELECT number FROM jobs WHERE id = ${jobId} AND team_id = ${teamId}) ${newest})
        UNION ALL
        (${logged(sql)} WHERE status = 'waiting'
          AND run = (SELECT number FROM runs WHERE id = ${jobId} AND team_id = ${teamId}) ${newest})) AS found`;
  };

  const shownUrlOf = (row: LogRow, call: Call | undefined): string | undefined =>
    row.url === null ? call && urlOfCall(call) : (sealed.open(row.url, row.teamId) as string | undefined);

  const findWithCall = async (id: number, teamId: string) => {
    const [row] = await sql<LogRow[]>`${logged(sql)} WHERE id = ${id} AND team_id = ${teamId}`;
    return row && { row, call: (await callsOf([row]))[0] };
  };

  const removeSome = async (now: number, limit: number): Promise<number> => {
    const removed = await sql`
      WITH RECURSIVE teams_with_calls AS (
        (SELECT team_id FROM deliveries ORDER BY team_id LIMIT 1)
        UNION ALL
        SELECT next.team_id FROM teams_with_calls AS last CROSS JOIN LATERAL (
          SELECT team_id FROM deliveries WHERE team_id > last.team_id ORDER BY team_id LIMIT 1) AS next),
      lists AS (SELECT team_id, status FROM teams_with_calls CROSS JOIN unnest(${SETTLED as unknown as string[]}::text[]) AS status),
      surplus AS (
        SELECT first.id FROM lists CROSS JOIN LATERAL (
          SELECT id FROM deliveries WHERE team_id = lists.team_id AND status = lists.status AND id < (
            SELECT id FROM deliveries WHERE team_id = lists.team_id AND status = lists.status
            ORDER BY id DESC LIMIT 1 OFFSET ${MAX_SETTLED - 1})
          ORDER BY id LIMIT ${limit}) AS first),
      -- Rows are in order of time, apart from those that were sent again: looking at the first ones is enough.
      old AS (
        SELECT first.id FROM lists CROSS JOIN LATERAL (
          SELECT id, tried_at FROM deliveries WHERE team_id = lists.team_id AND status = lists.status
          ORDER BY id LIMIT ${limit}) AS first
        WHERE tried_at <= ${now - RETENTION_MS})
      DELETE FROM deliveries WHERE status <> 'waiting' AND id IN (
        SELECT id FROM surplus UNION SELECT id FROM old LIMIT ${limit})`;
    return removed.count;
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
      return newest.map((row, index) => toLoggedDelivery(row, calls[index], shownUrlOf(row, calls[index])));
    },
    async find(id, teamId) {
      const found = await findWithCall(id, teamId);
      if (!found) return undefined;
      const { row, call } = found;
      const target = call?.target();
      const body = call?.isZeroRetention ? undefined : await call?.body();
      const shown = toLoggedDelivery(row, call, shownUrlOf(row, call));
      return { ...shown, ...(target && { target }), ...(body && { body }) };
    },
    async resend(id, teamId, now) {
      const found = await findWithCall(id, teamId);
      if (!found) return undefined;
      const { row, call } = found;
      if (row.status !== 'waiting') {
        if (!call || call.isZeroRetention || !call.target() || !(await call.body())) return 'gone';
      }
      await database.transaction(async (inside) => {
        await inside`
          UPDATE deliveries SET status = 'waiting', attempts = 0, next_at = ${now} WHERE id = ${id} AND status <> 'waiting'`;
        const sender = row.job === null ? inside`run = ${row.run}` : inside`job = ${row.job}`;
        // A call on its way keeps its lease: it is not made twice at once.
        await inside`
          UPDATE deliveries SET next_at = ${now}
          WHERE status = 'waiting' AND ${sender} AND id <= ${id} AND next_at > ${now}`;
      });
      return 'queued';
    },
    async removeOld(now, limit) {
      if (now === sweptAt) return 0;
      const removed = await removeSome(now, limit);
      if (removed === 0) sweptAt = now;
      return removed;
    },
  };
}

const logged = (sql: Sql) => sql`
  SELECT id, team_id AS "teamId", job, run, webhook_id AS "webhookId", event, task, content, status,
    greatest(next_at, lease_until) AS "nextAt", attempts, created_at AS "createdAt", sender_id AS "senderId", type, url, size,
    tried_at AS "triedAt", status_code AS "statusCode", error
  FROM deliveries`;
