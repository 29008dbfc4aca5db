// Binds crawls and batches: how they start, and what can be asked about them and done with them.
import type { Call, Operations } from '../../../api/operation-call.ts';
import type { JOB_ROUTES } from '../../../contracts/job-routes.ts';
import { startBatch } from '../../../operations/batch.ts';
import { activeCrawls, type CrawlDeps, startCrawl } from '../../../operations/crawl/crawl.ts';
import type { ControlJobDeps } from '../../../operations/job/control-job.ts';
import { cancelJob, type JobStatusDeps, jobErrors, jobStatus } from '../../../operations/job/job-status.ts';
import type { MapDeps } from '../../../operations/map/map.ts';
import type { JobKind } from '../../../store/job-store.ts';
import { bindExports } from './bind-exports.ts';
import { bindJobControl } from './bind-job-control.ts';
import { bindJobViews, type JobViewsDeps } from './bind-job-views.ts';

export type JobsDeps = CrawlDeps & MapDeps & JobStatusDeps & ControlJobDeps & JobViewsDeps;

export function bindJobs(deps: JobsDeps): Pick<Operations, keyof typeof JOB_ROUTES> {
  const [crawls, batches] = [bindStatus(deps, 'crawl'), bindStatus(deps, 'batch_scrape')];
  const active = ({ caller }: Call<'activeCrawls' | 'ongoingCrawls'>) => activeCrawls(deps, caller);
  return {
    batchScrape: ({ caller, body, ...call }) => startBatch(deps, caller, body, call),
    batchStatus: batches.status,
    cancelBatch: batches.cancel,
    batchErrors: batches.errors,
    crawl: ({ caller, body, ...call }) => startCrawl(deps, caller, body, call),
    crawlPreview: async ({ caller, body }) =>
      (await import('../../../operations/crawl/preview-crawl.ts')).previewCrawl(deps, caller, body),
    activeCrawls: active,
    ongoingCrawls: active,
    crawlStatus: crawls.status,
    cancelCrawl: crawls.cancel,
    crawlErrors: crawls.errors,
    ...bindExports(deps),
    ...bindJobControl(deps),
    ...bindJobViews(deps),
  };
}

const bindStatus = (deps: JobsDeps, kind: JobKind) => ({
  status: ({ caller, params, query, baseUrl }: Call<'crawlStatus' | 'batchStatus'>) =>
    jobStatus(deps, caller, { ...params, kind, baseUrl, query }),
  cancel: ({ caller, params }: Call<'cancelCrawl' | 'cancelBatch'>) => cancelJob(deps, caller, { ...params, kind }),
  errors: ({ caller, params }: Call<'crawlErrors' | 'batchErrors'>) => jobErrors(deps, caller, { ...params, kind }),
});
