// Binds the lists of jobs, of their pages and of their hosts. They are loaded with the first request, to keep an idle service
// small.
import type { Call, Operations } from '../../../api/operation-call.ts';
import type { JOB_LIST_ROUTES } from '../../../contracts/job-list-routes.ts';
import type { GetJobDeps } from '../../../operations/job/views/get-job.ts';
import type { JobHostsDeps } from '../../../operations/job/views/job-hosts.ts';
import type { JobPagesDeps } from '../../../operations/job/views/job-pages.ts';
import type { ListJobsDeps } from '../../../operations/job/views/list-jobs.ts';
import type { JobKind } from '../../../store/job-store.ts';

export type JobViewsDeps = ListJobsDeps & GetJobDeps & JobPagesDeps & JobHostsDeps;

export function bindJobViews(deps: JobViewsDeps): Pick<Operations, keyof typeof JOB_LIST_ROUTES> {
  const of = (kind: JobKind) => ({
    pages: async ({ caller, params, query }: Call<'crawlPages' | 'batchPages'>) =>
      (await import('../../../operations/job/views/job-pages.ts')).jobPages(deps, caller, { ...params, kind, query }),
    hosts: async ({ caller, params, query }: Call<'crawlHosts' | 'batchHosts'>) =>
      (await import('../../../operations/job/views/job-hosts.ts')).jobHosts(deps, caller, { ...params, kind, query }),
  });
  const [crawl, batch] = [of('crawl'), of('batch_scrape')];
  return {
    listJobs: async ({ caller, query }) =>
      (await import('../../../operations/job/views/list-jobs.ts')).listJobs(deps, caller, query),
    getJob: async ({ caller, params }) =>
      (await import('../../../operations/job/views/get-job.ts')).getJob(deps, caller, params.id),
    crawlPages: crawl.pages,
    batchPages: batch.pages,
    crawlHosts: crawl.hosts,
    batchHosts: batch.hosts,
  };
}
