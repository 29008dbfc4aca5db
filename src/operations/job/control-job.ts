// Pauses, resumes, extends and retries a job. The store decides; the worker and watchers are told afterwards.

import type { JobStatus } from '../../contracts/crawl/job.ts';
import type { JobControlResponse, RetryJobResponse, UpdateCrawlResponse } from '../../contracts/crawl/job-control.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Worker } from '../../jobs/worker.ts';
import type { JobKind, JobStore, JobView } from '../../store/ports/jobs/job-store.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type FindJobDeps, findContinued, findJob, JOB_NAMES, type JobName, pauseOf } from './job-status.ts';
import { queueFull } from './start-job.ts';

interface ControlJobDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'pause' | 'resume' | 'setLimit' | 'retry'>;
  worker: Pick<Worker, 'run' | 'drop'>;
  /** Tells watchers, and webhooks that may be due. */
  onJob(job: JobView): void;
  maxJobs: number;
}

const pauseJob =
  (kind: JobKind) =>
  async (deps: ControlJobDeps, { caller, params }: Call<'pauseCrawl' | 'pauseBatch'>): Promise<JobControlResponse> => {
    const asked = { ...params, kind };
    const job = await findControlled(deps, caller, asked, findJob);
    const status = await deps.jobs.pause(job.id, caller.team.id, deps.clock.now());
    if (status !== 'scraping') throw alreadyEnded(job, status);
    return controlHead(await tell(deps, caller, asked));
  };
export const pauseCrawl = pauseJob('crawl');
export const pauseBatch = pauseJob('batch_scrape');

const resumeJob =
  (kind: JobKind) =>
  async (
    deps: ControlJobDeps,
    { caller, params }: Call<'resumeCrawl' | 'resumeBatch'>,
  ): Promise<JobControlResponse> => {
    const asked = { ...params, kind };
    const job = await findControlled(deps, caller, asked);
    const status = await deps.jobs.resume(job.id, caller.team.id, deps.clock.now());
    if (status !== 'scraping') throw alreadyEnded(job, status);
    return controlHead(await tell(deps, caller, asked));
  };
export const resumeCrawl = resumeJob('crawl');
export const resumeBatch = resumeJob('batch_scrape');

export async function updateCrawl(
  deps: ControlJobDeps,
  { caller, params, body: { limit } }: Call<'updateCrawl'>,
): Promise<UpdateCrawlResponse> {
  const asked = { ...params, kind: 'crawl' } as const;
  const job = await findControlled(deps, caller, asked);
  const change = await deps.jobs.setLimit(job.id, caller.team.id, { limit, ...rerun(deps) });
  if (change === 'queue-full') throw queueFull(deps.maxJobs);
  if (change === undefined || typeof change === 'string') throw alreadyEnded(job, change);
  if ('least' in change) throw limitTooLow(change.least);
  const now = await tell(deps, caller, asked);
  const warning = change.hasDropped && limit > job.limit ? { warning: LINKS_DROPPED } : {};
  return { ...controlHead(now), limit: now.limit, ...warning };
}

const retryJob =
  (kind: JobKind) =>
  async (deps: ControlJobDeps, { caller, params }: Call<'retryCrawl' | 'retryBatch'>): Promise<RetryJobResponse> => {
    const asked = { ...params, kind };
    const job = await findControlled(deps, caller, asked);
    const retry = await deps.jobs.retry(job.id, caller.team.id, rerun(deps));
    if (retry === 'queue-full') throw queueFull(deps.maxJobs);
    if (retry === undefined || typeof retry === 'string') throw alreadyEnded(job, retry);
    const now = await tell(deps, caller, asked);
    const warning = retry.left > 0 ? { warning: noRoom(retry.left, now) } : {};
    return { ...controlHead(now), retried: retry.retried, ...warning };
  };
export const retryCrawl = retryJob('crawl');
export const retryBatch = retryJob('batch_scrape');

async function findControlled(
  deps: ControlJobDeps,
  caller: Caller,
  name: JobName,
  find = findContinued,
): Promise<JobView> {
  const job = await find(deps, caller, name);
  // Its run counts its pages and waits for its end.
  if (job.runId !== undefined) throw new ServiceError('JOB_OF_MONITOR');
  return job;
}

/** Tells everybody that the job has changed, and returns it as it is now. */
async function tell(deps: ControlJobDeps, caller: Caller, name: JobName): Promise<JobView> {
  const job = await findJob(deps, caller, name);
  if (job.status === 'scraping') deps.worker.run(job);
  else deps.worker.drop(name.id);
  deps.onJob(job);
  return job;
}

const rerun = ({ clock, maxJobs }: ControlJobDeps) => ({ now: clock.now(), maxUnfinished: maxJobs });

const controlHead = (job: JobView): JobControlResponse => ({
  success: true,
  id: job.id,
  status: job.status,
  ...pauseOf(job),
  total: job.total,
  completed: job.completed,
});

const LINKS_DROPPED =
  'This crawl had found more links beyond its limit than are remembered. Pages that only those links lead to may be missing. Start a new crawl if you need all of them.';

const noRoom = (left: number, { limit, id }: JobView): string =>
  `${left} failed ${left === 1 ? 'page is' : 'pages are'} not tried again because the crawl has reached its limit of ${limit} pages. Raise it with PATCH /v2/crawl/${id}.`;

function limitTooLow(least: number): ServiceError {
  const message = `The crawl has already read ${least} ${least === 1 ? 'page' : 'pages'}, including those in progress. Set \`limit\` to at least ${least}, or cancel the crawl.`;
  return new ServiceError('BAD_REQUEST', { message, details: [{ code: 'too_small', path: ['limit'], message }] });
}

function alreadyEnded(job: JobView, status: JobStatus | undefined): ServiceError {
  if (status === undefined) return new ServiceError('JOB_NOT_FOUND');
  const hint = status === 'failed' ? ' Retry it to go on.' : '';
  return new ServiceError('JOB_FINISHED', { message: `${JOB_NAMES[job.kind]} is already ${status}.${hint}` });
}
