// Binds the exports of jobs. They are loaded with the first request, to keep an idle service small.
import type { Call, Operations } from '../../../api/operation-call.ts';
import type { EXPORT_ROUTES } from '../../../contracts/export-routes.ts';
import type { ReadJobDeps } from '../../../operations/job/job-status.ts';
import type { JobKind } from '../../../store/job-store.ts';

export function bindExports(deps: ReadJobDeps): Pick<Operations, keyof typeof EXPORT_ROUTES> {
  const exportOf =
    (kind: JobKind) =>
    async ({ caller, params, query }: Call<'exportCrawl' | 'exportBatch'>) =>
      (await import('../../../operations/job/export/export.ts')).exportJob(deps, caller, {
        id: params.id,
        kind,
        query,
      });
  return { exportCrawl: exportOf('crawl'), exportBatch: exportOf('batch_scrape') };
}
