// Binds the exports of jobs. They are loaded with the first request, to keep an idle service small.
import type { Call, Operations } from '../../api/operation-call.ts';
import type { EXPORT_ROUTES } from '../../contracts/export-routes.ts';
import type { ReadJobDeps } from '../../operations/job/job-status.ts';

export function bindExports(deps: ReadJobDeps): Pick<Operations, keyof typeof EXPORT_ROUTES> {
  const exportJob = async ({ caller, params, query }: Call<'exportCrawl' | 'exportBatch'>) =>
    (await import('../../operations/job/export/export.ts')).exportJob(deps, caller, { id: params.id, query });
  return { exportCrawl: exportJob, exportBatch: exportJob };
}
