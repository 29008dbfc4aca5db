// Status, results, errors and cancellation of a job; the same for crawls and batches.

import {
  type CancelResponse,
  type JobErrorsResponse,
  type JobStatusHead,
  STATUS_PAGE_DOCUMENTS,
  STATUS_PAGE_MAX_BYTES,
} from '../../contracts/crawl/job.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { SearchableJobs } from '../../jobs/indexing/searchable-jobs.ts';
import type { Worker } from '../../jobs/worker.ts';
import { checkContinues, checkReach } from '../../policy/keys/key-reach.ts';
import type { JobKind, JobStore, JobView } from '../../store/ports/jobs/job-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import { JsonText } from '../../util/json/json-text.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { startedWith } from '../threats/stored-limits.ts';

export interface FindJobDeps {
  jobs: Pick<JobStore, 'view'>;
  clock: Pick<Clock, 'now'>;
}

export interface ReadJobDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'results'>;
  searchable: SearchableJobs;
}

interface JobErrorsDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'problems'>;
}

interface CancelJobDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'cancel'>;
  worker: Pick<Worker, 'drop'>;
  /** Called when a job is created or ended outside the worker: webhooks may be due. */
  onJob(job: JobView): void;
}

/** Keys can be restricted to one kind of jobs, so a job is only found by calls about its own kind. */
export interface JobName {
  id: string;
  kind: JobKind;
}

export interface JobCall extends JobName {
  baseUrl: string;
}

const PATHS: Readonly<Record<JobKind, string>> = { crawl: '/v2/crawl', batch_scrape: '/v2/batch/scrape' };

/** Throws KEY_RESTRICTED for jobs that the key of the caller could not have started. */
export async function findJob(deps: FindJobDeps, caller: Caller, { id, kind }: JobName): Promise<JobView> {
  const { jobs, clock } = deps;
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const job = await jobs.view(id, caller.team.id, clock.now());
  if (job?.kind !== kind) throw new ServiceError('JOB_NOT_FOUND');
  checkReach(caller, startedWith(job.options));
  return job;
}

/** A job that is to do more than it would. Throws KEY_RESTRICTED if the caller may not cause that. */
export async function findContinued(deps: FindJobDeps, caller: Caller, name: JobName): Promise<JobView> {
  const job = await findJob(deps, caller, name);
  checkContinues(caller, { ...startedWith(job.options), key: job.key });
  return job;
}

/** A job is reported as completed only once its pages can be found by a search. */
export async function canReportEnd(
  { searchable }: Pick<ReadJobDeps, 'searchable'>,
  { id, status, finishedAt }: JobView,
  signal: AbortSignal,
): Promise<boolean> {
  return status !== 'completed' || searchable.canFind({ id, endedAt: finishedAt! }, signal);
}

/** What is told of a job whose end cannot be reported yet. */
export const asRunning = (job: JobView): JobView => ({ ...job, status: 'scraping', finishedAt: undefined });

const jobStatus =
  (kind: JobKind) =>
  async (
    deps: ReadJobDeps,
    { caller, params, query, baseUrl }: Call<'crawlStatus' | 'batchStatus'>,
  ): Promise<JsonText> => {
    const { skip = 0, limit } = query;
    const page = { skip, limit: limit ?? STATUS_PAGE_DOCUMENTS, isOwnLimit: limit !== undefined };
    const asked = { ...params, kind, baseUrl };
    const found = await findJob(deps, caller, asked);
    const job = (await canReportEnd(deps, found, caller.signal)) ? found : asRunning(found);
    const results = await deps.jobs.results(job.id, { ...page, maxBytes: STATUS_PAGE_MAX_BYTES });
    return JsonText.aroundList(statusHead(job, asked, page, results.count), 'data', results);
  };
export const crawlStatus = jobStatus('crawl');
export const batchStatus = jobStatus('batch_scrape');

interface Pagination {
  skip: number;
  limit: number;
  /** Whether the caller set the limit: `next` then repeats it. */
  isOwnLimit: boolean;
}

export const FIRST_PAGE: Pagination = { skip: 0, limit: STATUS_PAGE_DOCUMENTS, isOwnLimit: false };

/** The answer without its documents, of which `count` follow. */
export function statusHead(job: JobView, call: JobCall, page: Pagination, count: number): JobStatusHead {
  const next = page.skip + count;
  // A page without documents has no `next`: clients would follow it endlessly.
  const hasNext = count > 0 && (job.status === 'scraping' || job.completed > next);
  const query = `skip=${next}${page.isOwnLimit ? `&limit=${page.limit}` : ''}`;
  const path = `${PATHS[job.kind]}/${job.id}`;
  const here = `${call.baseUrl}${path}`;
  const warning = jobWarning(job, `${path}/errors`);
  return {
    success: job.status !== 'failed',
    status: job.status,
    ...pauseOf(job),
    ...(job.error !== undefined && { error: job.error }),
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    creditsUsed: job.credits,
    createdAt: iso(job.createdAt),
    expiresAt: iso(job.expiresAt),
    ...(job.finishedAt !== undefined && {
      completedAt: iso(job.finishedAt),
      duration: (job.finishedAt - job.createdAt) / 1000,
    }),
    ...(warning !== undefined && { warning }),
    ...(hasNext && { next: `${here}?${query}` }),
  };
}

export const JOB_NAMES: Record<JobKind, string> = { crawl: 'Crawl', batch_scrape: 'Batch scrape' };

export const pauseOf = ({ pausedAt }: Pick<JobView, 'pausedAt'>): { paused?: true; pausedAt?: string } =>
  pausedAt === undefined ? {} : { paused: true, pausedAt: iso(pausedAt) };

const cancelJob =
  (kind: JobKind) =>
  async (
    deps: CancelJobDeps,
    { caller, params: { id } }: Call<'cancelCrawl' | 'cancelBatch'>,
  ): Promise<CancelResponse> => {
    const job = await findJob(deps, caller, { id, kind });
    const status = await deps.jobs.cancel(id, caller.team.id, deps.clock.now());
    if (status === undefined) throw new ServiceError('JOB_NOT_FOUND');
    if (status !== 'cancelled') {
      const message = `${JOB_NAMES[job.kind]} is already ${status}`;
      throw new ServiceError('JOB_FINISHED', { message });
    }
    deps.worker.drop(id);
    deps.onJob(job);
    return { success: true, status: 'cancelled' };
  };
export const cancelCrawl = cancelJob('crawl');
export const cancelBatch = cancelJob('batch_scrape');

const jobErrors =
  (kind: JobKind) =>
  async (
    deps: JobErrorsDeps,
    { caller, params: { id } }: Call<'crawlErrors' | 'batchErrors'>,
  ): Promise<JobErrorsResponse> => {
    await findJob(deps, caller, { id, kind });
    const { errors, robotsBlocked } = await deps.jobs.problems(id);
    return {
      success: true,
      errors: errors.map(({ id: errorId, at, url, code, message }) => ({
        id: errorId,
        timestamp: iso(at),
        url,
        code,
        error: message,
      })),
      robotsBlocked,
    };
  };
export const crawlErrors = jobErrors('crawl');
export const batchErrors = jobErrors('batch_scrape');

const FEW_PAGES = 1;

/** Explains why a job may have fewer pages than expected. */
function jobWarning(job: JobView, errorsPath: string): string | undefined {
  const notes: string[] = [];
  if (job.blocked > 0) {
    notes.push(
      `robots.txt forbids ${pages(job.blocked)}. GET ${errorsPath} lists them; set \`ignoreRobotsTxt\` to crawl them.`,
    );
  }
  if (job.failed > 0) notes.push(`${pages(job.failed)} could not be read. GET ${errorsPath} says why.`);
  if (isNarrow(job)) {
    notes.push(
      'Only pages below the path of the start URL are crawled, and hardly any were found. Set `crawlEntireDomain` to crawl the whole site.',
    );
  }
  return notes.length > 0 ? notes.join(' ') : undefined;
}

const pages = (count: number): string => (count === 1 ? '1 page' : `${count} pages`);

function isNarrow({ kind, status, completed, limit, url, options }: JobView): boolean {
  if (kind !== 'crawl' || status !== 'completed' || completed > FEW_PAGES || limit <= FEW_PAGES) return false;
  return !(options as { crawlEntireDomain: boolean }).crawlEntireDomain && new URL(url).pathname !== '/';
}
