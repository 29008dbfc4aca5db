// A job or a run as lists show it: one vocabulary for all kinds.
import {
  type ListedJobView,
  type ListedKind,
  type ListedStatus,
  MAX_TARGET_LENGTH,
} from '../../../contracts/crawl/job-list.ts';
import type { KeyGroup, KeyLimits } from '../../../contracts/team/policy.ts';
import type { JobKind } from '../../../store/ports/jobs/job-store.ts';
import type { ListedJob } from '../../../store/ports/jobs/job-views.ts';
import type { ListedRun, RunKind, RunStatus } from '../../../store/ports/runs/run-store.ts';
import { iso } from '../../../util/clock.ts';
import { pauseOf } from '../job-status.ts';

export const JOB_KINDS: Readonly<Partial<Record<ListedKind, JobKind>>> = { crawl: 'crawl', batch: 'batch_scrape' };
export const RUN_KINDS: readonly RunKind[] = ['agent', 'extract', 'check', 'collection'];

const GROUPS: Readonly<Record<ListedKind, KeyGroup>> = {
  crawl: 'crawl',
  batch: 'batch-scrape',
  agent: 'agent',
  extract: 'extract',
  check: 'monitor',
  collection: 'collection',
};

/** Whether a key with these limits may see jobs of the kind. */
export const maySee = ({ operations = [] }: KeyLimits = {}, kind: ListedKind): boolean =>
  operations.length === 0 || operations.includes(GROUPS[kind]);

const RUN_STATUSES: Readonly<Record<RunStatus, ListedStatus>> = {
  queued: 'queued',
  running: 'running',
  completed: 'completed',
  partial: 'partial',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped_overlap: 'skipped',
  skipped_no_credits: 'skipped',
};

export const kindOfJob = (kind: JobKind): ListedKind => (kind === 'crawl' ? 'crawl' : 'batch');

export function showJob(job: ListedJob): ListedJobView {
  const { id, kind, status, target, limit, total, completed, failed, credits, storedBytes, error } = job;
  return {
    id,
    kind: kindOfJob(kind),
    target: target?.slice(0, MAX_TARGET_LENGTH) ?? null,
    status: status === 'scraping' ? 'running' : status,
    ...pauseOf(job),
    ...(kind === 'crawl' && { limit }),
    ...{ total, completed, failed },
    creditsUsed: credits,
    storedBytes,
    ...(error !== undefined && { error }),
    ...timesOf(job),
  };
}

export function showRun(run: ListedRun): ListedJobView {
  const { id, kind, status, target, group, credits, error } = run;
  return {
    id,
    kind,
    target: target?.slice(0, MAX_TARGET_LENGTH) ?? null,
    ...(kind === 'check' && group !== undefined && { monitorId: group }),
    status: RUN_STATUSES[status],
    creditsUsed: credits,
    ...(error !== undefined && { error }),
    ...timesOf(run),
  };
}

const timesOf = ({ createdAt, finishedAt, expiresAt }: ListedJob | ListedRun) => ({
  createdAt: iso(createdAt),
  finishedAt: finishedAt === undefined ? null : iso(finishedAt),
  expiresAt: finishedAt === undefined ? null : iso(expiresAt),
});
