// One job or run of any kind by its ID, with what it was started with.

import type { JobDetailsResponse } from '../../../contracts/crawl/job-list.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { checkReach } from '../../../policy/keys/key-reach.ts';
import type { JobStore, JobView } from '../../../store/ports/jobs/job-store.ts';
import type { RunStore } from '../../../store/ports/runs/run-store.ts';
import type { Clock } from '../../../util/clock.ts';
import { isUuid } from '../../../util/ids.ts';
import type { Call } from '../../call.ts';
import { startedRun } from '../../run/read-run.ts';
import { startedWith } from '../../threats/stored-limits.ts';
import { kindOfJob, maySee, showJob, showRun } from './listed-job.ts';
import { type ShownRequest, shownRequest, targetOf } from './shown-request.ts';

interface GetJobDeps {
  jobs: Pick<JobStore, 'view' | 'batchUrls'>;
  runs: Pick<RunStore, 'view'>;
  clock: Pick<Clock, 'now'>;
}

/** Longer lists are cut here: only callers that have the whole list can start such a job again. */
const MAX_SHOWN_URLS = 100;

export async function getJob(
  deps: GetJobDeps,
  { caller, params: { id } }: Call<'getJob'>,
): Promise<JobDetailsResponse> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const { jobs, runs, clock } = deps;
  const { team, limits } = caller;
  const job = await jobs.view(id, team.id, clock.now());
  if (job && maySee(limits, kindOfJob(job.kind))) {
    checkReach(caller, startedWith(job.options));
    return jobDetails(deps, job);
  }
  const run = job ? undefined : await runs.view(id, team.id, clock.now());
  if (!run || !maySee(limits, run.kind)) throw new ServiceError('JOB_NOT_FOUND');
  checkReach(caller, startedRun(run));
  const shown = run.zeroDataRetention ? NOT_SHOWN : shownRequest(run.kind, run.request);
  const target = targetOf(shown.request) ?? (shown.request ? monitorName(run.request) : undefined);
  return { success: true, data: { ...showRun({ ...run, target }), ...shown } };
}

/** The request of a check has the definition of its monitor, which is not shown. */
const monitorName = (request: unknown): string | undefined =>
  (request as { definition?: { name?: string } } | undefined)?.definition?.name;

async function jobDetails({ jobs }: Pick<GetJobDeps, 'jobs'>, job: JobView): Promise<JobDetailsResponse> {
  const { kind, url, limit, options } = job;
  const isPrivate = (options as { zeroDataRetention?: boolean }).zeroDataRetention === true;
  const urls = kind === 'batch_scrape' ? await jobs.batchUrls(job.id, MAX_SHOWN_URLS + 1) : [];
  const given = kind === 'crawl' ? { ...(options as object), url, limit } : { ...(options as object), urls };
  const shown = isPrivate ? NOT_SHOWN : shownRequest(kindOfJob(kind), given, MAX_SHOWN_URLS);
  return { success: true, data: { ...showJob({ ...job, target: targetOf(shown.request) }), ...shown } };
}

const NOT_SHOWN: ShownRequest = { request: null, isWhole: false };
