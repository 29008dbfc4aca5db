// Queues webhook calls, inside the transactions that cause them.
import type { WebhookEvent } from '../../../contracts/webhooks/webhook.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { RunEvent } from '../../ports/runs/run-store.ts';
import type { Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

/** A job or a run as its deliveries need to know it. */
interface Sender {
  number: number;
  teamId: string;
  /** Requested events, joined by commas; those of a run in full. */
  events: string;
}

export interface PackedEvent {
  type: string;
  content: SealedText;
}

/**
 * Both lock the row of the job or the run until the end of the transaction: so events get their numbers in the order in which
 * they become visible, and receivers get them in that order. Events that the webhook did not request are ignored.
 */
export interface DeliveryQueue {
  queue(tx: Tx, job: Sender, event: WebhookEvent, now: number, taskId?: number): Promise<void>;
  /** Call it before the transaction. */
  packRunEvents(run: Pick<Sender, 'teamId' | 'events'>, events: readonly RunEvent[]): Promise<PackedEvent[]>;
  queueOfRun(tx: Tx, run: Sender, events: readonly PackedEvent[], now: number): Promise<void>;
}

const wants = ({ events }: Pick<Sender, 'events'>, event: string): boolean => events.split(',').includes(event);

export function createDeliveryQueue(sealed: Sealer): DeliveryQueue {
  return {
    async queue(tx, job, event, now, taskId) {
      if (!wants(job, event)) return;
      await tx.run`
        WITH sender AS MATERIALIZED (SELECT number FROM jobs WHERE number = ${job.number} FOR NO KEY UPDATE)
        INSERT INTO deliveries (team_id, job, webhook_id, event, task, next_at, created_at)
        SELECT ${job.teamId}, number, ${uuidv7(now)}, ${event}, ${taskId ?? null}::bigint, ${now}::bigint, ${now}::bigint
        FROM sender`;
    },
    packRunEvents: (run, events) =>
      Promise.all(
        events
          .filter(({ type }) => wants(run, type))
          .map(async (event) => ({ type: event.type, content: await sealed.seal(event, run.teamId) })),
      ),
    async queueOfRun(tx, run, events, now) {
      for (const { type, content } of events) {
        await tx.run`
          WITH sender AS MATERIALIZED (SELECT number FROM runs WHERE number = ${run.number} FOR NO KEY UPDATE)
          INSERT INTO deliveries (team_id, run, webhook_id, event, content, next_at, created_at)
          SELECT ${run.teamId}, number, ${uuidv7(now)}, ${type}, ${content}, ${now}::bigint, ${now}::bigint
          FROM sender`;
      }
    },
  };
}
