// Port: the webhook calls of a team, those that wait and those that were made, for its members to read and to send again.

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed';

export interface LoggedDelivery {
  id: number;
  /** The job or the run that it reports on. */
  jobId: string;
  /** In full: `crawl.page`. */
  event: string;
  webhookId: string;
  /** Without secrets. Undefined if it was stored with a secret that this server does not have. */
  url?: string;
  status: DeliveryStatus;
  /** Since it was queued last. */
  attempts: number;
  createdAt: number;
  /** When it is sent next, or may be if an earlier call of its job is still waiting. */
  nextAt?: number;
  /** When it was tried last, and how that ended. */
  triedAt?: number;
  statusCode?: number;
  error?: string;
  /** Bytes of its body; unknown before the first attempt. */
  size?: number;
  /** Whether its body and its receiver are still known. */
  canResend: boolean;
}

export interface DeliveryDetails extends LoggedDelivery {
  /** Where it goes, in full. Undefined if that is no longer known. */
  target?: { url: string; headers: Record<string, string> };
  /** Undefined if it is no longer known, or must not be kept. */
  body?: Uint8Array;
}

export interface DeliveryQuery {
  teamId: string;
  status?: DeliveryStatus;
  jobId?: string;
  /** Only older ones. */
  before?: number;
  limit: number;
}

/** Settled calls are removed after a while, and when the team has many. Waiting ones stay as long as their job. */
export interface DeliveryLog {
  /** The newest first. */
  list(query: DeliveryQuery): Promise<LoggedDelivery[]>;
  find(id: number, teamId: string): Promise<DeliveryDetails | undefined>;
  /**
   * Makes a call due now, together with earlier ones of its job that wait: events arrive in order. A settled call is queued
   * again under the same `webhookId`. Undefined if there is no such call, `gone` if its body is no longer known.
   */
  resend(id: number, teamId: string, now: number): Promise<'queued' | 'gone' | undefined>;
}
