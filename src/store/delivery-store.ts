// Port: webhook calls that are still to be made. They are written by the transactions that cause them, in order.
import type { WebhookEvent } from '../contracts/webhook.ts';

export interface Delivery {
  id: number;
  jobId: string;
  event: WebhookEvent;
  /** The same for every attempt: receivers know a repetition by it. */
  webhookId: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON to be sent. */
  body: Uint8Array;
  /** Attempts so far. */
  attempts: number;
}

export type DeliveryResult = 'delivered' | 'given-up' | { retryAt: number };

export interface DeliveryStore {
  /** What is due: of each job only the oldest, so that nothing overtakes. */
  due(now: number, limit: number): Promise<Delivery[]>;
  settle(id: number, result: DeliveryResult): Promise<void>;
  /** When the next one is due; undefined when there is none. */
  nextAt(): Promise<number | undefined>;
}
