// Binds the calls that pause, resume, extend and retry jobs. They are loaded with the first request, to keep an idle service small.
import type { Call, Operations } from '../../../api/operation-call.ts';
import type { JOB_CONTROL_ROUTES } from '../../../contracts/job-control-routes.ts';
import type { ControlJobDeps } from '../../../operations/job/control-job.ts';
import type { JobKind } from '../../../store/job-store.ts';

type ControlCall = Call<Exclude<keyof typeof JOB_CONTROL_ROUTES, 'updateCrawl'>>;

export function bindJobControl(deps: ControlJobDeps): Pick<Operations, keyof typeof JOB_CONTROL_ROUTES> {
  const load = () => import('../../../operations/job/control-job.ts');
  const of = (kind: JobKind) => ({
    pause: async ({ caller, params }: ControlCall) => (await load()).pauseJob(deps, caller, { ...params, kind }),
    resume: async ({ caller, params }: ControlCall) => (await load()).resumeJob(deps, caller, { ...params, kind }),
    retry: async ({ caller, params }: ControlCall) => (await load()).retryJob(deps, caller, { ...params, kind }),
  });
  const [crawl, batch] = [of('crawl'), of('batch_scrape')];
  return {
    pauseCrawl: crawl.pause,
    resumeCrawl: crawl.resume,
    updateCrawl: async ({ caller, params, body }) =>
      (await load()).updateCrawl(deps, caller, { ...params, kind: 'crawl' }, body),
    retryCrawl: crawl.retry,
    pauseBatch: batch.pause,
    resumeBatch: batch.resume,
    retryBatch: batch.retry,
  };
}
