// Batch scrape: the given pages and no others, each read like a single scrape.
import type { BatchRequest, BatchResponse } from '../contracts/crawl/batch.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { TaskHandler } from '../jobs/task-handler.ts';
import { CallerHeaders } from '../net/http/caller-headers.ts';
import type { NewTask } from '../store/ports/jobs/job-queue.ts';
import { isUuid, uuidv7 } from '../util/ids.ts';
import { createSlices } from '../util/slices.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import { readJobPage } from './job/job-page.ts';
import { findContinued } from './job/job-status.ts';
import { checkWebhook, type JobDeps, type JobStart, runJob, startJob } from './job/start-job.ts';
import { type CapabilityDeps, checkCapabilities } from './page/checks/check-capabilities.ts';
import { checkSchemas, type SchemaDeps } from './page/checks/check-schemas.ts';
import { mayStore, type PageOptions } from './page/page-request.ts';
import type { ReadPageDeps } from './page/read-page.ts';
import { givenUrl, targetUrl } from './page/target-url.ts';
import { retentionOf } from './team/retention.ts';
import type { CheckStartDeps } from './threats/check-start.ts';
import { openThreatCheck, type ThreatCheckDeps } from './threats/open-threat-check.ts';
import { callerOfJob, type StoredLimits, storedLimits } from './threats/stored-limits.ts';

type BatchDeps = JobDeps & CapabilityDeps & SchemaDeps & CheckStartDeps;

/** The options as stored with the job. */
export type BatchOptions = PageOptions & StoredLimits & { baseUrl: string };

export const batchScrape = (deps: BatchDeps, { caller, body, ...start }: Call<'batchScrape'>): Promise<BatchResponse> =>
  startBatch(deps, caller, body, start);

export async function startBatch(
  deps: BatchDeps,
  caller: Caller,
  request: BatchRequest,
  { baseUrl, ...start }: JobStart,
): Promise<BatchResponse> {
  const retentionMs = retentionOf(deps, caller, request);
  checkCapabilities(request, deps);
  await checkSchemas(deps, caller, request);
  const webhook = await checkWebhook(deps, caller, request, { webhook: request.webhook, operation: 'batch_scrape' });
  const { tasks, invalidURLs } = await readTasks(deps, request);
  const { urls: _, webhook: __, appendToId, ...options } = request;
  const id =
    appendToId === undefined
      ? await startJob(
          deps,
          caller,
          {
            kind: 'batch_scrape',
            url: '',
            ...(mayStore(request) && { target: tasks[0]!.url }),
            options: { ...options, ...storedLimits(caller), baseUrl } satisfies BatchOptions,
            webhook,
            limit: tasks.length,
            zeroDataRetention: request.zeroDataRetention,
            retentionMs,
            tasks,
          },
          start,
        )
      : await append(deps, caller, appendToId, tasks, start.idempotencyKey);
  return {
    success: true,
    id,
    url: `${baseUrl}/v2/batch/scrape/${id}`,
    ...(request.ignoreInvalidURLs && { invalidURLs }),
  };
}

async function append(
  deps: BatchDeps,
  caller: Caller,
  id: string,
  tasks: NewTask[],
  idempotencyKey: string | undefined,
): Promise<string> {
  const { team } = caller;
  await findContinued(deps, caller, { id, kind: 'batch_scrape' });
  const now = deps.clock.now();
  const result = await deps.jobs.append(id, team.id, { tasks, now, idempotencyKey });
  if (result === 'key-used') throw new ServiceError('IDEMPOTENCY_KEY_USED');
  if (result === undefined) throw new ServiceError('JOB_NOT_FOUND');
  if (result !== 'appended') {
    throw new ServiceError('JOB_FINISHED', { message: `The batch is already ${result}. Start a new one.` });
  }
  runJob(deps, await deps.jobs.view(id, team.id, now));
  return id;
}

/** Skips and lists invalid URLs, or throws for the first one if the caller asked for that. */
async function readTasks({ egress, clock }: BatchDeps, { urls: given, ignoreInvalidURLs }: BatchRequest) {
  const slices = createSlices();
  const tasks: NewTask[] = [];
  const invalidURLs: string[] = [];
  for (const [index, text] of given.entries()) {
    if (slices.isOver()) await slices.next();
    try {
      // A URL given twice is scraped twice: callers expect one result per entry.
      tasks.push(batchTask(text, targetUrl(text, egress, ['urls', index]), uuidv7(clock.now())));
    } catch (error) {
      if (!ignoreInvalidURLs || !(error instanceof ServiceError)) throw error;
      invalidURLs.push(text);
    }
  }
  if (tasks.length === 0) throw new ServiceError('NO_VALID_URLS');
  return { tasks, invalidURLs };
}

/** The key of the task is the ID that its scrape will have, so that callers can know it before. `given`: as they wrote it. */
export const batchTask = (given: string, url: URL, scrapeId: string): NewTask => ({
  kind: 'page',
  url: given,
  key: scrapeId,
  host: url.host,
  depth: 0,
  steps: 0,
  pattern: '',
  chained: false,
});

export function createBatchHandler(deps: ReadPageDeps & ThreatCheckDeps): TaskHandler {
  return async (task, job, tools) => {
    const { baseUrl, keyDomains: _, ...options } = job.options as BatchOptions;
    const capable = checkCapabilities(options, deps);
    // The keys of tasks from earlier versions are not IDs.
    const scrapeId = isUuid(task.key) ? task.key : undefined;
    // The caller listed every URL of a batch, so each gets the headers at its own origin.
    const headers = CallerHeaders.for(givenUrl(task.url), options.headers);
    const threatCheck = await openThreatCheck(deps, callerOfJob(job), options);
    const asked = { job, teamId: job.teamId, options, capable, threatCheck, headers, baseUrl, scrapeId };
    const result = await readJobPage(deps, task, asked, tools);
    if ('outcome' in result) return result;
    const { page, scraped, credits, hostAnswer } = result;
    return {
      hostAnswer,
      outcome: {
        state: 'done',
        page: {
          scrapeId: scraped.id,
          finalKey: task.key,
          group: task.key,
          fingerprint: page.outcome.discovered.fingerprint,
          ownContent: scraped.ownContent,
          metadata: scraped.metadata,
          warning: scraped.warning,
          toStore: page.toStore,
          look: page.look,
          credits,
        },
        links: [],
      },
    };
  };
}
