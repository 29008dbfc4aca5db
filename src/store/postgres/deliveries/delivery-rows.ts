// SQL for webhook calls that are due: each is leased to one process, one at a time per job or run.
import { randomUUID } from 'node:crypto';
import { shownUrl } from '../../../util/shown-url.ts';
import type { DeliveryStatus } from '../../delivery-log.ts';
import type { Delivery, DeliveryStore } from '../../delivery-store.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  type CallRow,
  MAX_CONTENT,
  MAX_ERROR,
  SENDING_MS,
  senderNumber,
} from '../../records/deliveries/delivery-record.ts';
import type { Database, Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { Call, CallSource } from './call-source.ts';

interface DeliveryRow extends CallRow {
  id: number;
  teamId: string;
  attempts: number;
  queuedAt: number;
}

interface DeliveryRowsDeps {
  database: Database;
  callsOf: CallSource;
  sealed: SealedRequests;
}

export interface DeliveryRows extends DeliveryStore {
  /** This process ends: what it was given and has not settled can be handed out at once. */
  release(): Promise<void>;
}

export function createDeliveryRows({ database, callsOf, sealed }: DeliveryRowsDeps): DeliveryRows {
  const { sql } = database;
  /** Only this process can settle what it was given, so that one that was given up for dead changes nothing. */
  const owner = randomUUID();
  /** The sender served last. The next round starts after it, so that no job and no run waits forever. */
  let cursor = 0;

  const lease = (now: number, limit: number): Promise<DeliveryRow[]> =>
    database.transaction(async (inside) => {
      // One process chooses at a time: then no two calls of a job can be on their way at once.
      const [, rows] = await Promise.all([
        lockByName(inside, 'webhook calls that are due'),
        inside<DeliveryRow[]>`
          WITH RECURSIVE ${oldestOfEach(inside)}, chosen AS (
            SELECT id FROM oldest
            WHERE next_at <= ${now} AND sender NOT IN (SELECT sender FROM leased WHERE lease_until > ${now})
            ORDER BY sender <= ${cursor}, sender LIMIT ${limit})
          UPDATE deliveries SET owner = ${owner}, lease_until = ${now + SENDING_MS}
          FROM chosen WHERE deliveries.id = chosen.id AND status = 'waiting'
          RETURNING deliveries.id, team_id AS "teamId", job, run, webhook_id AS "webhookId", event, task, content, attempts,
            created_at AS "queuedAt"`,
      ]);
      return rows;
    });

  /** The bodies may be in an object store, so they are read after the transaction. */
  const prepare = async (row: DeliveryRow, call: Call | undefined) => {
    const target = call?.target();
    const body = target && (await call?.body());
    return { row, call, target, body };
  };

  const isOwned = (id: number) => sql`id = ${id} AND status = 'waiting' AND owner = ${owner}`;

  return {
    async due(now, limit) {
      const leased = await lease(now, limit);
      if (leased.length === 0) return [];
      const turnOf = (row: DeliveryRow) => (senderNumber(row) > cursor ? 0 : 1);
      const rows = leased.sort((a, b) => turnOf(a) - turnOf(b) || senderNumber(a) - senderNumber(b));
      cursor = senderNumber(rows.at(-1)!);
      const calls = await callsOf(rows);
      const prepared = await Promise.all(rows.map((row, index) => prepare(row, calls[index])));
      const ready: Ready[] = [];
      const gone: number[] = [];
      for (const { row, call, target, body } of prepared) {
        // Nobody knows where to send it if the webhook was sealed with another secret.
        if (!call || !target || !body) gone.push(row.id);
        else ready.push({ row, call, url: target.url, headers: target.headers, body });
      }
      if (gone.length > 0) await sql`DELETE FROM deliveries WHERE id = ANY(${gone}) AND owner = ${owner}`;
      await note(sql, ready, sealed);
      return ready.map(toDelivery);
    },

    async settle(id, result, { at, statusCode = null, error = null }) {
      const reason = error === null ? null : error.slice(0, MAX_ERROR);
      const isOwn = isOwned(id);
      const attempt = sql`attempts = attempts + 1, tried_at = ${at}, status_code = ${statusCode}, error = ${reason},
        owner = NULL, lease_until = NULL`;
      if (typeof result === 'object') {
        await sql`UPDATE deliveries SET next_at = ${result.retryAt}, ${attempt} WHERE ${isOwn}`;
        return;
      }
      const status: DeliveryStatus = result === 'delivered' ? 'delivered' : 'failed';
      await sql`
        WITH own AS MATERIALIZED (
          SELECT id, coalesce(
            (SELECT zero_data_retention FROM jobs WHERE number = job),
            (SELECT zero_data_retention FROM runs WHERE number = run), false) AS is_forgotten
          FROM deliveries WHERE ${isOwn} FOR UPDATE),
        forgotten AS (DELETE FROM deliveries USING own WHERE deliveries.id = own.id AND is_forgotten)
        UPDATE deliveries SET status = ${status}, ${attempt},
          content = CASE WHEN octet_length(content) > ${MAX_CONTENT} THEN NULL ELSE content END
        FROM own WHERE deliveries.id = own.id AND NOT is_forgotten`;
    },

    postpone: async (id, until) =>
      void (await sql`
        UPDATE deliveries SET next_at = ${until}, owner = NULL, lease_until = NULL WHERE ${isOwned(id)}`),

    release: async () =>
      void (await sql`
        UPDATE deliveries SET owner = NULL, lease_until = NULL
        WHERE status = 'waiting' AND lease_until IS NOT NULL AND owner = ${owner}`),

    async nextAt() {
      const [row] = await sql<{ at: number | null }[]>`
        WITH RECURSIVE ${oldestOfEach(sql)}
        SELECT min(greatest(next_at, lease_until)) AS at FROM oldest
        LEFT JOIN (SELECT sender, max(lease_until) AS lease_until FROM leased GROUP BY sender) AS busy USING (sender)`;
      return row!.at ?? undefined;
    },
  };
}

interface Ready {
  row: DeliveryRow;
  call: Call;
  url: string;
  headers: Record<string, string>;
  body: Bytes;
}

const toDelivery = ({ row, call, url, headers, body }: Ready): Delivery => {
  const { id, webhookId, event, attempts, queuedAt } = row;
  return { id, jobId: call.senderId, event, webhookId, url, headers, body, attempts, queuedAt };
};

/** Notes what the log shows of calls whose job may be gone when they are read. */
async function note(sql: Sql, ready: readonly Ready[], sealed: SealedRequests): Promise<void> {
  if (ready.length === 0) return;
  const urls = ready.map(({ row, url }) => sealed.seal(shownUrl(url), row.teamId));
  await sql`
    UPDATE deliveries SET sender_id = sent.sender_id, type = sent.type, url = sent.url, size = sent.size
    FROM unnest(
      ${ready.map(({ row }) => row.id)}::bigint[], ${ready.map(({ call }) => call.senderId)}::text[],
      ${ready.map(({ call }) => call.type)}::text[], ${urls}::text[], ${ready.map(({ body }) => body.byteLength)}::bigint[]
    ) AS sent (id, sender_id, type, url, size)
    WHERE deliveries.id = sent.id`;
}

/**
 * Tables `oldest`, the waiting call of each job and run that comes first, and `leased`, those on their way. Jumps from job to
 * job in the index, because a job may have thousands of waiting calls.
 */
const oldestOfEach = (sql: Sql) => sql`
  of_jobs AS (
    (SELECT job, id, next_at FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL ORDER BY job, id LIMIT 1)
    UNION ALL
    SELECT next.* FROM of_jobs CROSS JOIN LATERAL (
      SELECT job, id, next_at FROM deliveries
      WHERE status = 'waiting' AND job IS NOT NULL AND job > of_jobs.job ORDER BY job, id LIMIT 1) AS next),
  of_runs AS (
    (SELECT run, id, next_at FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL ORDER BY run, id LIMIT 1)
    UNION ALL
    SELECT next.* FROM of_runs CROSS JOIN LATERAL (
      SELECT run, id, next_at FROM deliveries
      WHERE status = 'waiting' AND run IS NOT NULL AND run > of_runs.run ORDER BY run, id LIMIT 1) AS next),
  oldest AS (
    SELECT 2 * job AS sender, id, next_at FROM of_jobs
    UNION ALL SELECT 2 * run + 1, id, next_at FROM of_runs),
  leased AS MATERIALIZED (
    SELECT coalesce(2 * job, 2 * run + 1) AS sender, lease_until FROM deliveries
    WHERE status = 'waiting' AND lease_until IS NOT NULL)`;
