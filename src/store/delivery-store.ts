// Port: webhook calls still to be made, in order. The transactions that cause them write them.

export interface Delivery {
  id: number;
  /** The job or the run that it reports on. */
  jobId: string;
  /** `completed`, or in full for a run: `agent.completed`. */
  event: string;
  /** The same for every attempt, so that receivers can recognise repetitions. */
  webhookId: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON to send. */
  body: Uint8Array;
  /** Attempts so far. */
  attempts: number;
}

export type DeliveryResult = 'delivered' | 'given-up' | { retryAt: number };

export interface DeliveryStore {
  /** Due deliveries, only the oldest of each job, so that events arrive in order. */
  due(now: number, limit: number): Promise<Delivery[]>;
  settle(id: number, result: DeliveryResult): Promise<void>;
  /** When the next call is due; undefined if no call is waiting. */
  nextAt(): Promise<number | undefined>;
}
