// Port: webhook calls still to be made, in order. The transactions that cause them write them. See delivery-log.ts for what
// was sent.

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
  queuedAt: number;
}

export type DeliveryResult = 'delivered' | 'given-up' | { retryAt: number };

/** How an attempt ended, for the log of deliveries. */
export interface DeliveryReport {
  at: number;
  /** What the receiver answered with, if it did. */
  statusCode?: number;
  /** Why it failed, in words. Contains neither the address nor anything that was sent. */
  error?: string;
}

export interface DeliveryStore {
  /** Due deliveries, only the oldest of each job, so that events arrive in order. */
  due(now: number, limit: number): Promise<Delivery[]>;
  /** A call that was delivered or given up stays in the log, unless its job or run retains no data. */
  settle(id: number, result: DeliveryResult, report: DeliveryReport): Promise<void>;
  /** Nothing was sent: it is due again at that time, and no attempt counts. */
  postpone(id: number, until: number): Promise<void>;
  /** When the next call is due; undefined if no call is waiting. */
  nextAt(): Promise<number | undefined>;
}
