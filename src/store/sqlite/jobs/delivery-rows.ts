// SQL for webhook calls: queued by the transactions that cause them, handed out one at a time per job.
import type { WebhookEvent, WebhookTarget } from '../../../contracts/webhook.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { Delivery, DeliveryStore } from '../../delivery-store.ts';
import type { JobKind } from '../../job-store.ts';
import { type Bytes, joinBytes } from '../join-bytes.ts';
import type { SealedRequests, SealedText } from '../sealed-requests.ts';
import type { Served } from '../served.ts';
import type { DocumentJson } from './document-json.ts';
import type { Job } from './job-rows.ts';

/** A delivery in progress is not handed out again before this time. After a crash, it is sent again then. */
const SENDING_MS = 60_000;

export interface DeliveryRows extends Omit<Served<DeliveryStore>, 'due'> {
  due(now: number, limit: number): (Delivery & { body: Bytes })[];
  /**
   * Called at the start of the only process of a data folder: first attempts that the last process had in progress are
   * due now.
   */
  releaseAll(): void;
  /** Call inside a transaction. Events that the webhook did not request are ignored. */
  queue(job: Job, event: WebhookEvent, now: number, taskId?: number): void;
}

interface DeliveryRow {
  id: number;
  job: number;
  webhookId: string;
  event: WebhookEvent;
  task: number | null;
  nextAt: number;
  attempts: number;
}
interface JobRow {
  id: string;
  kind: JobKind;
  error: string | null;
  teamId: string;
  webhook: SealedText;
}
interface PageRow {
  state: string;
  url: string;
  scrapeId: string;
  message: string;
}

interface DeliveryRowsDeps {
  connection: Connection;
  documentJson: DocumentJson;
  sealed: Pick<SealedRequests, 'open'>;
}

/** What an event reports: the document of its page, and what went wrong. */
interface EventContent {
  document?: Uint8Array;
  error?: string;
}

export function createDeliveryRows({ connection, documentJson, sealed }: DeliveryRowsDeps): DeliveryRows {
  const sql = prepareAll(connection);
  /** The job served last. The next round starts after it, so that no job waits forever. */
  let cursor = 0;

  const oldestOfEachJob = (): DeliveryRow[] => {
    const rows: DeliveryRow[] = [];
    for (let row = sql.nextOldest.get(0); row; row = sql.nextOldest.get(row.job)) rows.push(row);
    return rows;
  };

  const pageContent = (taskId: number): EventContent => {
    const page = sql.page.get(taskId)!;
    if (page.state !== 'failed') return { document: documentJson.ofScrape(page.scrapeId) };
    const { url, scrapeId, message: error } = page;
    const metadata = { sourceURL: url, url, statusCode: 500, error, scrapeId };
    return { document: Buffer.from(JSON.stringify({ metadata })), error };
  };

  const eventContent = ({ event, task }: DeliveryRow, job: JobRow): EventContent => {
    if (task !== null) return pageContent(task);
    if (event === 'cancelled') return { error: 'The job was cancelled.' };
    return event === 'failed' ? { error: job.error ?? 'The job failed.' } : {};
  };

  /** Nothing if the webhook was sealed with another secret: then nobody knows where to send it. */
  const prepare = (row: DeliveryRow): (Delivery & { body: Bytes })[] => {
    const job = sql.job.get(row.job)!;
    const target = sealed.open(job.webhook, job.teamId) as WebhookTarget | undefined;
    if (!target) {
      sql.remove.run(row.id);
      return [];
    }
    const { url, headers, metadata } = target;
    const { document, error } = eventContent(row, job);
    const { webhookId, event, attempts } = row;
    const type = `${job.kind}.${event}`;
    const head = JSON.stringify({ success: error === undefined, type, id: job.id, webhookId }).slice(0, -1);
    const tail = JSON.stringify({ metadata, error }).slice(1);
    const body = joinBytes([Buffer.from(`${head},"data":[`), document ?? EMPTY, Buffer.from(`],${tail}`)]);
    return [{ id: row.id, jobId: job.id, event, webhookId, url, headers, body, attempts }];
  };

  return {
    queue(job, event, now, taskId) {
      if (job.events.split(',').includes(event)) sql.add.run(job.number, uuidv7(now), event, taskId ?? null, now);
    },
    due(now, limit) {
      const due = oldestOfEachJob().filter(({ nextAt }) => nextAt <= now);
      const inTurn = [...due.filter(({ job }) => job > cursor), ...due.filter(({ job }) => job <= cursor)];
      const rows = inTurn.slice(0, limit);
      connection.transaction(() => {
        for (const { id } of rows) sql.postpone.run(now + SENDING_MS, id);
      });
      cursor = rows.at(-1)?.job ?? cursor;
      return rows.flatMap(prepare);
    },
    settle(id, result) {
      if (typeof result === 'object') sql.retry.run(result.retryAt, id);
      else sql.remove.run(id);
    },
    releaseAll: () => void sql.releaseFirst.run(),
    nextAt() {
      const rows = oldestOfEachJob();
      return rows.length === 0 ? undefined : rows.reduce((soonest, { nextAt }) => Math.min(soonest, nextAt), Infinity);
    },
  };
}

const EMPTY = new Uint8Array();

const prepareAll = (connection: Connection) => ({
  add: connection.prepare('INSERT INTO deliveries (job, webhook_id, event, task, next_at) VALUES (?, ?, ?, ?, ?)'),
  nextOldest: connection.prepare<DeliveryRow>(
    `SELECT id, job, webhook_id AS webhookId, event, task, next_at AS nextAt, attempts
     FROM deliveries WHERE job > ? ORDER BY job, id LIMIT 1`,
  ),
  job: connection.prepare<JobRow>(
    'SELECT id, kind, error, team_id AS teamId, webhook FROM jobs JOIN job_requests ON job = number WHERE number = ?',
  ),
  page: connection.prepare<PageRow>('SELECT state, url, scrape_id AS scrapeId, message FROM tasks WHERE id = ?'),
  // Without an attempt, a delivery was postponed by SENDING_MS at most, so the reset skips no retry delay.
  releaseFirst: connection.prepare('UPDATE deliveries SET next_at = 0 WHERE attempts = 0'),
  postpone: connection.prepare('UPDATE deliveries SET next_at = ? WHERE id = ?'),
  retry: connection.prepare('UPDATE deliveries SET next_at = ?, attempts = attempts + 1 WHERE id = ?'),
  remove: connection.prepare('DELETE FROM deliveries WHERE id = ?'),
});
