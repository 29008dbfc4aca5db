// Queues webhook calls, inside the transactions that cause them.
import type { WebhookEvent } from '../../../contracts/webhook.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { Job } from '../../records/jobs/job-record.ts';

export interface DeliveryRows {
  /** Call inside a transaction. Events that the webhook did not request are ignored. */
  queue(job: Job, event: WebhookEvent, now: number, taskId?: number): void;
}

export function createDeliveryRows(connection: Connection): DeliveryRows {
  const addOfJob = connection.prepare(
    `INSERT INTO deliveries (team_id, job, webhook_id, event, task, next_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
  );
  return {
    queue(job, event, now, taskId) {
      if (job.events.split(',').includes(event))
        addOfJob.run(job.teamId, job.number, uuidv7(now), event, taskId ?? null, now);
    },
  };
}
