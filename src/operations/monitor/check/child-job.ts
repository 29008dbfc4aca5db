// Reads the pages of a target through an ordinary batch or crawl. Its ID is chosen in a step of its own, so that a run which was
// interrupted finds the job that it has started.

import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { MonitorDefinition } from '../../../contracts/monitor/monitor.ts';
import type { CrawlTarget, ScrapeTarget } from '../../../contracts/monitor/monitor-targets.ts';
import type { JobStore, JobView } from '../../../store/ports/jobs/job-store.ts';
import { raceAbort, raceTimeout } from '../../../util/abort.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { startBatch } from '../../batch.ts';
import { type StartCrawlDeps, startCrawl } from '../../crawl/crawl.ts';
import type { CheckContext } from './check-context.ts';
import { scrapedFormats } from './watched-formats.ts';

export interface EndedJob {
  id: string;
  status: Exclude<JobStatus, 'scraping'>;
  /** Pages that were read. */
  completed: number;
  limit: number;
  /** Why the whole job failed. */
  error?: string;
}

/** A lost notice costs this much. */
const LONGEST_WAIT_MS = 60_000;
/** Failures of this server: the check goes on later. */
const NOT_OF_THE_TARGET = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED', 'SERVICE_UNAVAILABLE', 'UNKNOWN_ERROR']);

export type PageTarget = ScrapeTarget | CrawlTarget;

/** What a run that reads pages through jobs has: a check of a monitor, or a run of a collection. */
export interface ChildJobContext extends Pick<CheckContext, 'run' | 'tools' | 'caller' | 'jobs'> {
  deps: StartCrawlDeps & Pick<CheckContext['deps'], 'worker' | 'changes'> & { jobs: Pick<JobStore, 'cancel'> };
  request: { definition: Pick<MonitorDefinition, 'baseUrl'> };
}

/** `urls` as parsers write them, those of pages or that of the start: versions of a page are compared under one name. */
export async function runChildJob(context: ChildJobContext, target: PageTarget, urls: string[]): Promise<EndedJob> {
  const { deps, tools, jobs } = context;
  const id = await tools.step({ key: `job ${target.id}`, name: 'job' }, async () => ({
    output: uuidv7(deps.clock.now()),
  }));
  jobs.set(id, 'running');
  const ended = await tools.step<EndedJob>(
    { key: `read ${target.id}`, name: target.type, input: { targetId: target.id, jobId: id } },
    async (signal) => {
      const problem = await startOnce(context, target, urls, id, signal);
      if (problem) return { output: { id, status: 'failed', completed: 0, limit: 0, error: problem } };
      const { status, completed, limit, credits, error } = await endOf(context, id, signal);
      const output = { id, status, completed, limit, ...(error !== undefined && { error }) };
      // The pages have set it aside themselves.
      return { output: output as EndedJob, credits, reserved: credits };
    },
  );
  jobs.set(id, 'counted');
  return ended;
}

/** Why the job cannot be started; undefined if it has started, now or before. */
async function startOnce(
  context: ChildJobContext,
  target: PageTarget,
  urls: string[],
  jobId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { deps, run, request } = context;
  if (await deps.jobs.view(jobId, run.teamId, deps.clock.now())) return undefined;
  const caller = { ...context.caller, signal };
  const start = { baseUrl: request.definition.baseUrl, startedBy: { runId: run.id, jobId } };
  try {
    await (target.type === 'scrape'
      ? startBatch(deps, caller, batchOf(target, urls), start)
      : startCrawl(deps, caller, crawlOf(target, urls[0]!), start));
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || NOT_OF_THE_TARGET.has(error.code)) throw error;
    return error.message;
  }
}

const batchOf = ({ scrapeOptions }: ScrapeTarget, urls: string[]) => ({
  ...scrapeOptions,
  formats: scrapedFormats(scrapeOptions.formats),
  urls,
  ignoreInvalidURLs: true,
  zeroDataRetention: false,
});

const crawlOf = ({ crawlOptions, scrapeOptions }: CrawlTarget, url: string) => ({
  ...crawlOptions,
  url,
  scrapeOptions: { ...scrapeOptions, formats: scrapedFormats(scrapeOptions.formats) },
  zeroDataRetention: false,
});

async function endOf({ deps, run }: ChildJobContext, id: string, signal: AbortSignal): Promise<JobView> {
  const { jobs, changes, clock } = deps;
  for (;;) {
    const change = changes.next(id);
    const job = await jobs.view(id, run.teamId, clock.now());
    if (!job) throw new ServiceError('UNKNOWN_ERROR', { message: 'The pages of the run have expired.' });
    if (job.status !== 'scraping') return job;
    await raceAbort(
      raceTimeout(change, LONGEST_WAIT_MS, () => {}, { clock, signal }),
      signal,
    );
  }
}

/** Ends what a cancelled check has left running. Returns what its jobs have cost that no step has counted yet. */
export async function cancelJobs({ deps, run, jobs }: ChildJobContext): Promise<number> {
  let credits = 0;
  for (const [id, state] of jobs) {
    if (state === 'counted') continue;
    const status = await deps.jobs.cancel(id, run.teamId, deps.clock.now());
    if (status === undefined) continue;
    deps.worker.drop(id);
    const job = await deps.jobs.view(id, run.teamId, deps.clock.now());
    if (!job) continue;
    deps.onJob(job);
    credits += job.credits;
  }
  return credits;
}
