// A job as transactions of every store see it: read at the start, changed in memory, written once at the end.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import type { JobProgress } from '../../ports/jobs/job-queue.ts';
import type { JobKind, JobView } from '../../ports/jobs/job-store.ts';
import type { BooleanColumn } from '../../sql/database.ts';

/** Everything about a job that transactions read or change. */
export interface Job {
  readonly number: number;
  readonly id: string;
  readonly teamId: string;
  /** Prefix of the API key that pays for the pages. */
  readonly key: string | null;
  readonly kind: JobKind;
  /** Requested webhook events, joined by commas. */
  readonly events: string;
  readonly zeroDataRetention: BooleanColumn;
  /** The run that pays for the pages. */
  readonly runId: string | null;
  /** How long it is kept after its end, if not as long as others. */
  readonly retentionMs: number | null;
  readonly createdAt: number;
  home: string;
  limit: number;
  status: JobStatus;
  total: number;
  completed: number;
  failed: number;
  blocked: number;
  credits: number;
  /** What the contents of its documents take. */
  storedBytes: number;
  kickOffs: number;
  spares: number;
  /** Pages that only an earlier crawl has found so far. */
  known: number;
  refused: number;
  hasLeftovers: BooleanColumn;
  /** It has found more pages beyond its limit than are kept. */
  droppedLinks: BooleanColumn;
  pausedAt: number | null;
  error: string | null;
  finishedAt: number | null;
  expiresAt: number;
}

/** Whether it has pages or kick-offs that wait, run or pause. */
export const isOpen = (job: Job): boolean => job.total > job.completed || job.kickOffs > 0;

/** Whether it has found more pages than its limit. */
export const hasMore = (job: Job): boolean => job.spares > 0 || Boolean(job.droppedLinks);

/** A running job never expires. One that has ended disappears on time, whether or not it was swept. */
export const isReadable = (
  job: Pick<JobView, 'status' | 'expiresAt'> & { finishedAt?: number | null },
  now: number,
): boolean => job.status === 'scraping' || (job.expiresAt > now && !isHidden(job));

/** Its tasks are still being stored, in several transactions. Until all are there, nobody sees it. */
export const isHidden = ({ status, finishedAt }: { status: JobStatus; finishedAt?: number | null }): boolean =>
  status === 'cancelled' && (finishedAt === null || finishedAt === undefined);

/**
 * What is billed for a page of the job. Nothing but the price may be stored of one with zero data retention. A run pays for the
 * pages of its jobs when it ends.
 */
export const chargeOf = ({ teamId, key, kind, id, runId, zeroDataRetention }: Job, credits: number) => ({
  teamId,
  ...(key !== null && { key }),
  operation: kind,
  ...(!zeroDataRetention && { job: id }),
  credits: runId === null ? credits : 0,
});

export const progressOf = ({ status, home, total, completed }: Job): JobProgress => ({
  status,
  home,
  total,
  completed,
});

/** Reported for a job that no longer exists. */
export const GONE: JobProgress = { status: 'cancelled', home: '', total: 0, completed: 0 };

/** `options` as the caller sent them. */
export const viewOf = (job: Job & { url: string }, options: unknown): JobView => ({
  id: job.id,
  teamId: job.teamId,
  ...(job.key !== null && { key: job.key }),
  ...(job.runId !== null && { runId: job.runId }),
  kind: job.kind,
  url: job.url,
  options: options ?? {},
  limit: job.limit,
  zeroDataRetention: Boolean(job.zeroDataRetention),
  createdAt: job.createdAt,
  home: job.home,
  status: job.status,
  total: job.total,
  completed: job.completed,
  failed: job.failed,
  blocked: job.blocked,
  credits: job.credits,
  storedBytes: job.storedBytes,
  hasWebhook: job.events !== '',
  ...(job.pausedAt !== null && { pausedAt: job.pausedAt }),
  ...(job.finishedAt !== null && { finishedAt: job.finishedAt }),
  ...(job.error !== null && { error: job.error }),
  expiresAt: job.expiresAt,
});
