// SQL for webhook calls: queued by the transactions that cause them, handed out one at a time per job or run.
import type { WebhookEvent, WebhookTarget } from '../../../contracts/webhook.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { Delivery, DeliveryStore } from '../../delivery-store.ts';
import type { RunEvent, RunWebhook } from '../../run-store.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import type { Job } from '../jobs/job-rows.ts';
import { type Bytes, joinBytes } from '../join-bytes.ts';
import type { SealedRequests, SealedText } from '../sealed-requests.ts';
import type { Served } from '../served.ts';
import { createJobEvents } from './job-events.ts';

/** A delivery in progress is not handed out again before this time. After a crash, it is sent again then. */
const SENDING_MS = 60_000;

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

interface DeliveryRow {
  id: number;
  job: number | null;
  run: number | null;
  webhookId: string;
  event: string;
  task: number | null;
  content: SealedText | null;
  nextAt: number;
  attempts: number;
}

/** What is ready to be sent, before the address is known. */
interface Prepared {
  jobId: string;
  teamId: string;
  webhook: SealedText;
  body(metadata: unknown): Bytes | undefined;
}

interface DeliveryRowsDeps {
  connection: Connection;
  documentJson: DocumentJson;
  sealed: SealedRequests;
}

export function createDeliveryRows({ connection, documentJson, sealed }: DeliveryRowsDeps): DeliveryRows {
  const sql = prepareAll(connection);
  const jobEvents = createJobEvents(connection, documentJson);
  /** The sender served last. The next round starts after it, so that no job and no run waits forever. */
  let cursor = 0;

  const oldestOfEach = (): DeliveryRow[] => {
    const rows: DeliveryRow[] = [];
    for (let row = sql.nextOfJobs.get(0); row; row = sql.nextOfJobs.get(row.job)) rows.push(row);
    for (let row = sql.nextOfRuns.get(0); row; row = sql.nextOfRuns.get(row.run)) rows.push(row);
    return rows.sort((a, b) => senderOf(a) - senderOf(b));
  };

  const ofJob = (row: DeliveryRow & { job: number }): Prepared => {
    const sender = jobEvents.sender(row.job);
    return {
      jobId: sender.id,
      ...{ teamId: sender.teamId, webhook: sender.webhook },
      body: (metadata) => jobEvents.body(row, sender, metadata),
    };
  };

  const ofRun = (row: DeliveryRow & { run: number }): Prepared => {
    const { id, teamId, webhook } = sql.run.get(row.run)!;
    return {
      jobId: id,
      ...{ teamId, webhook },
      body(metadata) {
        const event = sealed.open(row.content!, teamId) as RunEvent | undefined;
        if (!event) return undefined;
        const { type, success, data, error } = event;
        const body = { success, type, id, webhookId: row.webhookId, data, metadata, error };
        return joinBytes([Buffer.from(JSON.stringify(body))]);
      },
    };
  };

  /** Nothing if the webhook was sealed with another secret: then nobody knows where to send it. */
  const prepare = (row: DeliveryRow): (Delivery & { body: Bytes })[] => {
    const { jobId, teamId, webhook, body } =
      row.job === null ? ofRun({ ...row, run: row.run! }) : ofJob({ ...row, job: row.job });
    const target = sealed.open(webhook, teamId) as WebhookTarget | RunWebhook | undefined;
    const bytes = target && body(target.metadata);
    if (!bytes) {
      sql.remove.run(row.id);
      return [];
    }
    const { url, headers } = target;
    const { id, webhookId, event, attempts } = row;
    return [{ id, jobId, event, webhookId, url, headers, body: bytes, attempts }];
  };

  return {
    queue(job, event, now, taskId) {
      if (job.events.split(',').includes(event)) sql.addOfJob.run(job.number, uuidv7(now), event, taskId ?? null, now);
    },
    queueOfRun(run, event, now) {
      if (!run.events.split(',').includes(event.type)) return;
      sql.addOfRun.run(run.number, uuidv7(now), event.type, sealed.seal(event, run.teamId), now);
    },
    due(now, limit) {
      const due = oldestOfEach().filter(({ nextAt }) => nextAt <= now);
      const inTurn = [...due.filter((row) => senderOf(row) > cursor), ...due.filter((row) => senderOf(row) <= cursor)];
      const rows = inTurn.slice(0, limit);
      connection.transaction(() => {
        for (const { id } of rows) sql.postpone.run(now + SENDING_MS, id);
      });
      const last = rows.at(-1);
      if (last) cursor = senderOf(last);
      return rows.flatMap(prepare);
    },
    settle(id, result) {
      if (typeof result === 'object') sql.retry.run(result.retryAt, id);
      else sql.remove.run(id);
    },
    releaseAll: () => void sql.releaseFirst.run(),
    nextAt() {
      const rows = oldestOfEach();
      return rows.length === 0 ? undefined : rows.reduce((soonest, { nextAt }) => Math.min(soonest, nextAt), Infinity);
    },
  };
}

/** One number for each job and each run: jobs get the even ones. */
const senderOf = ({ job, run }: DeliveryRow): number => (job === null ? 2 * run! + 1 : 2 * job);

const COLUMNS = 'id, job, run, webhook_id AS webhookId, event, task, content, next_at AS nextAt, attempts';

const prepareAll = (connection: Connection) => ({
  addOfJob: connection.prepare('INSERT INTO deliveries (job, webhook_id, event, task, next_at) VALUES (?, ?, ?, ?, ?)'),
  addOfRun: connection.prepare(
    'INSERT INTO deliveries (run, webhook_id, event, content, next_at) VALUES (?, ?, ?, ?, ?)',
  ),
  nextOfJobs: connection.prepare<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE job IS NOT NULL AND job > ? ORDER BY job, id LIMIT 1`,
  ),
  nextOfRuns: connection.prepare<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE run IS NOT NULL AND run > ? ORDER BY run, id LIMIT 1`,
  ),
  run: connection.prepare<{ id: string; teamId: string; webhook: SealedText }>(
    'SELECT id, team_id AS teamId, webhook FROM runs WHERE number = ?',
  ),
  // Without an attempt, a delivery was postponed by SENDING_MS at most, so the reset skips no retry delay.
  releaseFirst: connection.prepare('UPDATE deliveries SET next_at = 0 WHERE attempts = 0'),
  postpone: connection.prepare('UPDATE deliveries SET next_at = ? WHERE id = ?'),
  retry: connection.prepare('UPDATE deliveries SET next_at = ?, attempts = attempts + 1 WHERE id = ?'),
  remove: connection.prepare('DELETE FROM deliveries WHERE id = ?'),
});
