// SQL for webhook calls: queued by the transactions that cause them, handed out one at a time per job or run.
import type { WebhookEvent } from '../../../contracts/webhook.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { shownUrl } from '../../../util/shown-url.ts';
import type { Connection } from '../../../util/sqlite.ts';
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
import type { Job } from '../../records/jobs/job-record.ts';
import type { RunEvent } from '../../run-store.ts';
import type { Served } from '../served.ts';
import type { CallSource } from './call-source.ts';

/** A run as its deliveries need to know it. */
export interface SendingRun {
  number: number;
  teamId: string;
  /** Requested events in full, joined by commas. */
  events: string;
}

export interface DeliveryRows extends Omit<Served<DeliveryStore>, 'due'> {
  due(now: number, limit: number): (Delivery & { body: Bytes })[];
  /**
   * Called at the start of the only process of a data folder: first attempts that the last process had in progress are
   * due now.
   */
  releaseAll(): void;
  /** Call inside a transaction. Events that the webhook did not request are ignored. */
  queue(job: Job, event: WebhookEvent, now: number, taskId?: number): void;
  /** The same for a run. */
  queueOfRun(run: SendingRun, event: RunEvent, now: number): void;
}

interface DeliveryRow extends CallRow {
  id: number;
  teamId: string;
  nextAt: number;
  attempts: number;
  queuedAt: number;
}

interface DeliveryRowsDeps {
  connection: Connection;
  callOf: CallSource;
  sealed: SealedRequests;
}

export function createDeliveryRows({ connection, callOf, sealed }: DeliveryRowsDeps): DeliveryRows {
  const sql = prepareAll(connection);
  /** The sender served last. The next round starts after it, so that no job and no run waits forever. */
  let cursor = 0;

  const oldestOfEach = (): DeliveryRow[] => {
    const rows: DeliveryRow[] = [];
    for (let row = sql.nextOfJobs.get(0); row; row = sql.nextOfJobs.get(row.job)) rows.push(row);
    for (let row = sql.nextOfRuns.get(0); row; row = sql.nextOfRuns.get(row.run)) rows.push(row);
    return rows.sort((a, b) => senderNumber(a) - senderNumber(b));
  };

  /** Nothing if the webhook was sealed with another secret: then nobody knows where to send it. */
  const handOut = (row: DeliveryRow, now: number): (Delivery & { body: Bytes })[] => {
    const call = callOf(row);
    const target = call?.target();
    const body = target && call?.body();
    if (!call || !body) {
      sql.remove.run(row.id);
      return [];
    }
    const { url, headers } = target;
    const shown = sealed.seal(shownUrl(url), row.teamId);
    sql.handOut.run(now + SENDING_MS, call.senderId, call.type, shown, body.byteLength, row.id);
    const { id, webhookId, event, attempts, queuedAt } = row;
    return [{ id, jobId: call.senderId, event, webhookId, url, headers, body, attempts, queuedAt }];
  };

  return {
    queue(job, event, now, taskId) {
      if (job.events.split(',').includes(event))
        sql.addOfJob.run(job.teamId, job.number, uuidv7(now), event, taskId ?? null, now);
    },
    queueOfRun(run, event, now) {
      if (!run.events.split(',').includes(event.type)) return;
      sql.addOfRun.run(run.teamId, run.number, uuidv7(now), event.type, sealed.seal(event, run.teamId), now);
    },
    due(now, limit) {
      const due = oldestOfEach().filter(({ nextAt }) => nextAt <= now);
      const inTurn = [
        ...due.filter((row) => senderNumber(row) > cursor),
        ...due.filter((row) => senderNumber(row) <= cursor),
      ];
      const rows = inTurn.slice(0, limit);
      const last = rows.at(-1);
      if (last) cursor = senderNumber(last);
      return connection.transaction(() => rows.flatMap((row) => handOut(row, now)));
    },
    settle(id, result, { at, statusCode = null, error = null }) {
      const reason = error === null ? null : error.slice(0, MAX_ERROR);
      if (typeof result === 'object') {
        sql.retry.run(result.retryAt, at, statusCode, reason, id);
        return;
      }
      connection.transaction(() => {
        const isForgotten = Number(sql.forget.run(id).changes) > 0;
        const status: DeliveryStatus = result === 'delivered' ? 'delivered' : 'failed';
        if (!isForgotten) sql.finish.run(status, at, statusCode, reason, MAX_CONTENT, id);
      });
    },
    postpone: (id, until) => void sql.postpone.run(until, id),
    releaseAll: () => void sql.releaseFirst.run(),
    nextAt() {
      const rows = oldestOfEach();
      return rows.length === 0 ? undefined : rows.reduce((soonest, { nextAt }) => Math.min(soonest, nextAt), Infinity);
    },
  };
}

const COLUMNS = `id, team_id AS teamId, job, run, webhook_id AS webhookId, event, task, content, next_at AS nextAt, attempts,
     created_at AS queuedAt`;

const prepareAll = (connection: Connection) => ({
  addOfJob: connection.prepare(
    `INSERT INTO deliveries (team_id, job, webhook_id, event, task, next_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
  ),
  addOfRun: connection.prepare(
    `INSERT INTO deliveries (team_id, run, webhook_id, event, content, next_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
  ),
  nextOfJobs: connection.prepare<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL AND job > ? ORDER BY job, id LIMIT 1`,
  ),
  nextOfRuns: connection.prepare<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL AND run > ? ORDER BY run, id LIMIT 1`,
  ),
  // Without an attempt, a delivery was postponed by SENDING_MS at most, so the reset skips no retry delay.
  releaseFirst: connection.prepare(
    `UPDATE deliveries SET next_at = created_at WHERE attempts = 0 AND id IN (
       SELECT id FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL
       UNION ALL SELECT id FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL)`,
  ),
  handOut: connection.prepare(
    'UPDATE deliveries SET next_at = ?, sender_id = ?, type = ?, url = ?, size = ? WHERE id = ?',
  ),
  postpone: connection.prepare("UPDATE deliveries SET next_at = ? WHERE id = ? AND status = 'waiting'"),
  // Only while it waits: a result that is written twice must not queue it again.
  retry: connection.prepare(
    `UPDATE deliveries SET next_at = ?, attempts = attempts + 1, tried_at = ?, status_code = ?, error = ?
     WHERE id = ? AND status = 'waiting'`,
  ),
  finish: connection.prepare(
    `UPDATE deliveries SET status = ?1, attempts = attempts + 1, tried_at = ?2, status_code = ?3, error = ?4,
       content = iif(length(content) > ?5, NULL, content)
     WHERE id = ?6 AND status = 'waiting'`,
  ),
  forget: connection.prepare(
    `DELETE FROM deliveries WHERE id = ? AND (
       EXISTS (SELECT 1 FROM jobs WHERE number = job AND zero_data_retention = 1)
       OR EXISTS (SELECT 1 FROM runs WHERE number = run AND zero_data_retention = 1))`,
  ),
  remove: connection.prepare('DELETE FROM deliveries WHERE id = ?'),
});
