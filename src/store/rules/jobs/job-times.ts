// How a job ends, and how long it is kept: after its end, while it is paused, while it is being stored.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { isOpen, type Job } from './job-record.ts';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 24 * HOUR_MS;
const ZERO_DATA_RETENTION_MS = HOUR_MS;
/** Longer than storing all tasks of a job can take. */
export const PREPARING_MS = HOUR_MS;
/** A paused job keeps its rows, so it does not wait forever. With zero data retention, nothing is kept for days. */
export const LONGEST_PAUSE_MS = 7 * 24 * HOUR_MS;
export const LONGEST_PRIVATE_PAUSE_MS = HOUR_MS;
export const PAUSED_TOO_LONG = 'The job was cancelled because it was paused for too long.';

/** How long it is kept after its end. */
export const keptMs = ({ zeroDataRetention, retentionMs }: Pick<Job, 'zeroDataRetention' | 'retentionMs'>): number =>
  zeroDataRetention ? ZERO_DATA_RETENTION_MS : (retentionMs ?? RETENTION_MS);

/** Open tasks of a job that cannot run again are left to the sweeper: of one that is cancelled, or belongs to a run. */
export function markEnded(job: Job, status: Exclude<JobStatus, 'scraping'>, now: number): void {
  job.status = status;
  job.pausedAt = null;
  job.finishedAt = now;
  job.expiresAt = now + keptMs(job);
  const isFinal = status === 'cancelled' || job.runId !== null;
  job.hasLeftovers = isFinal && (isOpen(job) || job.spares > 0 || job.known > 0) ? 1 : 0;
}

/** Lets an ended job run again if it has something to do. */
export function reopen(job: Job): void {
  if (job.status === 'scraping' || !isOpen(job)) return;
  Object.assign(job, { status: 'scraping', finishedAt: null, error: null });
}
