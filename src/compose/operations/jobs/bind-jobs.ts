// Binds crawls and batches: how they start, and what can be asked about them and done with them. What is rarely called is
// loaded with the first request, to keep an idle service small.

import type { JOB_ROUTES } from '../../../contracts/job-routes.ts';
import { startBatch } from '../../../operations/batch.ts';
import type { Call, Operations } from '../../../operations/call.ts';
import { activeCrawls, type CrawlDeps, startCrawl } from '../../../operations/crawl/crawl.ts';
import type { ControlJobDeps } from '../../../operations/job/control-job.ts';
import { cancelJob, type JobStatusDeps, jobErrors, jobStatus } from '../../../operations/job/job-status.ts';
import type { GetJobDeps } from '../../../operations/job/views/get-job.ts';
import type { JobHostsDeps } from '../../../operations/job/views/job-hosts.ts';
import type { JobPagesDeps } from '../../../operations/job/views/job-pages.ts';
import type { ListJobsDeps } from '../../../operations/job/views/list-jobs.ts';
import type { MapDeps } from '../../../operations/map/map.ts';
import type { JobKind } from '../../../store/job-store.ts';

type JobViewsDeps = ListJobsDeps & GetJobDeps & JobPagesDeps & JobHostsDeps;
export type JobsDeps = CrawlDeps & MapDeps & JobStatusDeps & ControlJobDeps & JobViewsDeps;

const control = () => import('../../../operations/job/control-job.ts');

export function bindJobs(deps: JobsDeps): Pick<Operations, keyof typeof JOB_ROUTES> {
  const [crawls, batches] = [bindKind(deps, 'crawl'), bindKind(deps, 'batch_scrape')];
  const active = ({ caller }: Call<'activeCrawls' | 'ongoingCrawls'>) => activeCrawls(deps, caller);
  return {
    listJobs: async ({ caller, query }) =>
      (await import('../../../operations/job/views/list-jobs.ts')).listJobs(deps, caller, query),
    getJob: async ({ caller, params }) =>
      (await import('../../../operations/job/views/get-job.ts')).getJob(deps, caller, params.id),
    batchScrape: ({ caller, body, ...call }) => startBatch(deps, caller, body, call),
    batchStatus: batches.status,
    cancelBatch: batches.cancel,
    batchErrors: batches.errors,
    batchPages: batches.pages,
    batchHosts: batches.hosts,
    exportBatch: batches.export,
    pauseBatch: batches.pause,
    resumeBatch: batches.resume,
    retryBatch: batches.retry,
    crawl: ({ caller, body, ...call }) => startCrawl(deps, caller, body, call),
    crawlPreview: async ({ caller, body }) =>
      (await import('../../../operations/crawl/preview-crawl.ts')).previewCrawl(deps, caller, body),
    activeCrawls: active,
    ongoingCrawls: active,
    crawlStatus: crawls.status,
    cancelCrawl: crawls.cancel,
    crawlErrors: crawls.errors,
    crawlPages: crawls.pages,
    crawlHosts: crawls.hosts,
    exportCrawl: crawls.export,
    pauseCrawl: crawls.pause,
    resumeCrawl: crawls.resume,
    retryCrawl: crawls.retry,
    updateCrawl: async ({ caller, params, body }) =>
      (await control()).updateCrawl(deps, caller, { ...params, kind: 'crawl' }, body),
  };
}

type ControlCall = Call<'pauseCrawl' | 'resumeCrawl' | 'retryCrawl' | 'pauseBatch' | 'resumeBatch' | 'retryBatch'>;

/** The calls that crawls and batches have in common. */
const bindKind = (deps: JobsDeps, kind: JobKind) => ({
  status: ({ caller, params, query, baseUrl }: Call<'crawlStatus' | 'batchStatus'>) =>
    jobStatus(deps, caller, { ...params, kind, baseUrl, query }),
  cancel: ({ caller, params }: Call<'cancelCrawl' | 'cancelBatch'>) => cancelJob(deps, caller, { ...params, kind }),
  errors: ({ caller, params }: Call<'crawlErrors' | 'batchErrors'>) => jobErrors(deps, caller, { ...params, kind }),
  pages: async ({ caller, params, query }: Call<'crawlPages' | 'batchPages'>) =>
    (await import('../../../operations/job/views/job-pages.ts')).jobPages(deps, caller, { ...params, kind, query }),
  hosts: async ({ caller, params, query }: Call<'crawlHosts' | 'batchHosts'>) =>
    (await import('../../../operations/job/views/job-hosts.ts')).jobHosts(deps, caller, { ...params, kind, query }),
  export: async ({ caller, params, query }: Call<'exportCrawl' | 'exportBatch'>) =>
    (await import('../../../operations/job/export/export.ts')).exportJob(deps, caller, { ...params, kind, query }),
  pause: async ({ caller, params }: ControlCall) => (await control()).pauseJob(deps, caller, { ...params, kind }),
  resume: async ({ caller, params }: ControlCall) => (await control()).resumeJob(deps, caller, { ...params, kind }),
  retry: async ({ caller, params }: ControlCall) => (await control()).retryJob(deps, caller, { ...params, kind }),
});
