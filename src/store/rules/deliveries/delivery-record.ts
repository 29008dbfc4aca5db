// What is stored of a webhook call, for how long, and what a team sees of it.
import { shownUrl } from '../../../urls/shown-url.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { DeliveryStatus, LoggedDelivery } from '../../ports/deliveries/delivery-log.ts';

/** A delivery in progress is not handed out again before this time. After a crash, it is sent again then. */
export const SENDING_MS = 60_000;
/** Maximum length of the reason why an attempt failed. */
export const MAX_ERROR = 500;
/** Larger events of runs are not kept once they were delivered or given up, so they cannot be sent again. */
export const MAX_CONTENT = 256 * 1024;

export const RETENTION_MS = 7 * 24 * 3_600_000;
/** Settled calls of each team, delivered and failed ones counted apart: a large crawl must not push out the failures. */
export const MAX_SETTLED = 1_000;

export const STATUSES = ['waiting', 'delivered', 'failed'] as const satisfies readonly DeliveryStatus[];
export const SETTLED = ['delivered', 'failed'] as const satisfies readonly DeliveryStatus[];

export interface CallRow {
  job: number | null;
  run: number | null;
  webhookId: string;
  event: string;
  task: number | null;
  content: SealedText | null;
}

export interface LogRow extends CallRow {
  id: number;
  teamId: string;
  status: DeliveryStatus;
  nextAt: number;
  attempts: number;
  createdAt: number;
  senderId: string | null;
  type: string | null;
  url: SealedText | null;
  size: number | null;
  triedAt: number | null;
  statusCode: number | null;
  error: string | null;
}

/** What is known of a call as long as its job or run exists. */
export interface CallFacts {
  /** The id of the job or the run. */
  senderId: string;
  /** The event in full. */
  type: string;
  /** Its job or run must not be remembered. */
  isZeroRetention: boolean;
  /** Whether what it reports is still known. */
  hasBody: boolean;
  /** Undefined if it was sealed with another secret. */
  target(): Promise<{ url: string; headers: Record<string, string> } | undefined>;
}

/** `url`: where it went, without what may be a secret. */
export function toLoggedDelivery(row: LogRow, call: CallFacts | undefined, url: string | undefined): LoggedDelivery {
  const { id, webhookId, status, attempts, createdAt } = row;
  const isKept = call?.hasBody === true && !call.isZeroRetention;
  return {
    ...{ id, webhookId, status, attempts, createdAt },
    jobId: row.senderId ?? call?.senderId ?? '',
    event: row.type ?? call?.type ?? row.event,
    ...(url !== undefined && { url }),
    ...(status === 'waiting' && { nextAt: row.nextAt }),
    ...(row.triedAt !== null && { triedAt: row.triedAt }),
    ...(row.statusCode !== null && { statusCode: row.statusCode }),
    ...(row.error !== null && { error: row.error }),
    ...(row.size !== null && { size: row.size }),
    canResend: status === 'waiting' || isKept,
  };
}

export async function urlOfCall(call: CallFacts): Promise<string | undefined> {
  const target = await call.target();
  return target && shownUrl(target.url);
}

/** One number for each job and each run: jobs get the even ones. */
export const senderNumber = ({ job, run }: Pick<CallRow, 'job' | 'run'>): number =>
  job === null ? 2 * run! + 1 : 2 * job;
