// SQL for webhook calls that are due: each is leased to one process, one at a time per job or run.
import { randomUUID } from 'node:crypto';
import { shownUrl } from '../../../urls/shown-url.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { DeliveryStatus } from '../../ports/deliveries/delivery-log.ts';
import type { Delivery, DeliveryStore } from '../../ports/deliveries/delivery-store.ts';
import {
  type CallRow,
  MAX_CONTENT,
  MAX_ERROR,
  SENDING_MS,
  senderNumber,
} from '../../rules/deliveries/delivery-record.ts';
import { type Database, sql } from '../database.ts';
import type { Sealer } from '../sealer.ts';
import type { CallSource, StoredCall } from './call-source.ts';

export interface DeliveryRows extends DeliveryStore {
  due(now: number, limit: number): Promise<(Delivery & { body: Bytes })[]>;
  /** This process ends: what it was given and has not settled can be handed out at once. */
  release(): Promise<void>;
  /** For the start of the only process: all earlier ones are dead. */
  releaseAll(): Promise<void>;
}

export interface DeliveryRowsDeps {
  database: Database;
  callsOf: CallSource;
  sealed: Sealer;
}

interface DeliveryRow extends CallRow {
  id: number;
  teamId: string;
  attempts: number;
  queuedAt: number;
}

export function createDeliveryRows({ database, callsOf, sealed }: DeliveryRowsDeps): DeliveryRows {
  /** Only this process can settle what it was given, so that one that was given up for dead changes nothing. */
  const owner = randomUUID();
  /** The sender served last. The next round starts after it, so that no job and no run waits forever. */
  let cursor = 0;

  const lease = (now: number, limit: number): Promise<DeliveryRow[]> =>
    database.transaction(async (tx) => {
      // One process chooses at a time: then no two calls of a job can be on their way at once.
      const [, rows] = await Promise.all([
        tx.lock('webhook calls that are due'),
        tx.rows<DeliveryRow>`
          WITH RECURSIVE ${OLDEST_OF_EACH}, chosen AS (
            SELECT id FROM oldest
            WHERE next_at <= ${now} AND sender NOT IN (SELECT sender FROM leased WHERE lease_until > ${now})
            ORDER BY sender <= ${cursor}, sender LIMIT ${limit})
          UPDATE deliveries SET owner = ${owner}, lease_until = ${now + SENDING_MS}
          WHERE id IN (SELECT id FROM chosen) AND status = 'waiting'
          RETURNING id, team_id AS "teamId", job, run, webhook_id AS "webhookId", event, task, content, attempts,
            created_at AS "queuedAt"`,
      ]);
      return rows;
    });

  /** What is needed to make the call. The body may be in an object store, so it is read after the transaction. */
  const prepare = async (row: DeliveryRow, call: StoredCall | undefined): Promise<Ready | undefined> => {
    const target = await call?.target();
    const body = target && (await call?.body());
    // Nobody knows where to send it if the webhook was sealed with another secret.
    if (!call || !body) return undefined;
    const { url, headers } = target;
    return { row, call, url, headers, body, shownUrl: await sealed.seal(shownUrl(url), row.teamId) };
  };

  /** Notes what the log shows of calls whose job may be gone when they are read, and removes those that cannot be made. */
  const note = (ready: readonly Ready[], gone: readonly number[]): Promise<void> =>
    database.transaction(async (tx) => {
      await Promise.all([
        gone.length > 0 && tx.run`DELETE FROM deliveries WHERE id = ANY(${gone}::bigint[]) AND owner = ${owner}`,
        ...ready.map(
          ({ row, call, shownUrl, body }) => tx.run`
            UPDATE deliveries SET sender_id = ${call.senderId}, type = ${call.type}, url = ${shownUrl}, size = ${body.byteLength}
            WHERE id = ${row.id}`,
        ),
      ]);
    });

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
      const ready = prepared.filter((one) => one !== undefined);
      const gone = rows.filter((_, index) => prepared[index] === undefined).map(({ id }) => id);
      await note(ready, gone);
      return ready.map(toDelivery);
    },

    async settle(id, result, { at, statusCode = null, error = null }) {
      const reason = error === null ? null : error.slice(0, MAX_ERROR);
      const attempt = sql`attempts = attempts + 1, tried_at = ${at}, status_code = ${statusCode}, error = ${reason},
        owner = NULL, lease_until = NULL`;
      if (typeof result === 'object') {
        await database.run`UPDATE deliveries SET next_at = ${result.retryAt}, ${attempt} WHERE ${isOwned(id)}`;
        return;
      }
      const status: DeliveryStatus = result === 'delivered' ? 'delivered' : 'failed';
      const remembered = await database.run`
        UPDATE deliveries SET status = ${status}, ${attempt},
          content = CASE WHEN length(content) > ${MAX_CONTENT} THEN NULL ELSE content END
        WHERE ${isOwned(id)} AND NOT coalesce(
          (SELECT zero_data_retention FROM jobs WHERE number = job),
          (SELECT zero_data_retention FROM runs WHERE number = run), false)`;
      if (remembered === 0) await database.run`DELETE FROM deliveries WHERE ${isOwned(id)}`;
    },

    async postpone(id, until) {
      await database.run`
        UPDATE deliveries SET next_at = ${until}, owner = NULL, lease_until = NULL WHERE ${isOwned(id)}`;
    },

    async nextAt() {
      const next = await database.one<{ at: number | null }>`
        WITH RECURSIVE ${OLDEST_OF_EACH}
        SELECT min(greatest(next_at, coalesce(lease_until, 0))) AS at FROM oldest
        LEFT JOIN (SELECT sender, max(lease_until) AS lease_until FROM leased GROUP BY sender) AS busy USING (sender)`;
      return next!.at ?? undefined;
    },

    async release() {
      await database.run`
        UPDATE deliveries SET owner = NULL, lease_until = NULL
        WHERE status = 'waiting' AND lease_until IS NOT NULL AND owner = ${owner}`;
    },
    async releaseAll() {
      await database.run`
        UPDATE deliveries SET owner = NULL, lease_until = NULL WHERE status = 'waiting' AND lease_until IS NOT NULL`;
    },
  };
}

interface Ready {
  row: DeliveryRow;
  call: StoredCall;
  url: string;
  /** Without what may be a secret, and sealed. */
  shownUrl: string;
  headers: Record<string, string>;
  body: Bytes;
}

function toDelivery({ row, call, url, headers, body }: Ready): Delivery & { body: Bytes } {
  const { id, webhookId, event, attempts, queuedAt } = row;
  return { id, jobId: call.senderId, event, webhookId, url, headers, body, attempts, queuedAt };
}

/**
 * Tables `oldest`, the waiting call of each job and run that comes first, and `leased`, those on their way. Jumps from job to
 * job in the index, because a job may have thousands of waiting calls.
 */
const OLDEST_OF_EACH = sql`
  of_jobs (id) AS (
    SELECT (SELECT id FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL ORDER BY job, id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT next.id FROM deliveries AS next WHERE next.status = 'waiting' AND next.job > last.job
      ORDER BY next.job, next.id LIMIT 1)
    FROM of_jobs JOIN deliveries AS last ON last.id = of_jobs.id),
  of_runs (id) AS (
    SELECT (SELECT id FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL ORDER BY run, id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT next.id FROM deliveries AS next WHERE next.status = 'waiting' AND next.run > last.run
      ORDER BY next.run, next.id LIMIT 1)
    FROM of_runs JOIN deliveries AS last ON last.id = of_runs.id),
  oldest AS (
    SELECT coalesce(2 * job, 2 * run + 1) AS sender, id, next_at FROM deliveries
    WHERE id IN (SELECT id FROM of_jobs UNION ALL SELECT id FROM of_runs)),
  leased AS MATERIALIZED (
    SELECT coalesce(2 * job, 2 * run + 1) AS sender, lease_until FROM deliveries
    WHERE status = 'waiting' AND lease_until IS NOT NULL)`;
