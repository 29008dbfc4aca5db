// Starts a job: check its webhook, store it with its first tasks, and only then hand it to the worker.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { BilledOperation } from '../../contracts/team/team.ts';
import type { Worker } from '../../jobs/worker.ts';
import type { Egress } from '../../net/egress.ts';
import type { JobRefusal, JobStore, JobView, NewJob } from '../../store/ports/jobs/job-store.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import { accountOf, type Caller } from '../caller.ts';
import { targetUrl } from '../page/target-url.ts';
import type { RetentionDeps } from '../team/retention.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';
import type { CheckedRequest } from '../threats/open-threat-check.ts';

export interface JobDeps {
  egress: Pick<Egress, 'check'>;
  jobs: Pick<JobStore, 'refusal' | 'add' | 'append' | 'view'>;
  worker: Pick<Worker, 'run'>;
  /** Called when a job is created or ended outside the worker: webhooks may be due. */
  onJob(job: JobView): void;
  maxJobs: number;
  maxRetentionMs: RetentionDeps['maxRetentionMs'];
  clock: Pick<Clock, 'now'>;
}

/** What a start needs to know about its request. */
export interface JobStart {
  idempotencyKey?: string;
  /** The names that the caller's body has; other fields are defaults. */
  given?: readonly string[];
  /** The base URL under which the caller reaches the service. */
  baseUrl: string;
  /** The run that starts the job, which chose its ID before. */
  startedBy?: { runId: string; jobId: string };
}

const RETRY_AFTER_SECONDS = 30;

type JobPlan = Pick<
  NewJob,
  'kind' | 'url' | 'target' | 'options' | 'webhook' | 'limit' | 'zeroDataRetention' | 'retentionMs' | 'tasks'
>;

export async function startJob(
  { jobs, worker, onJob, maxJobs, clock }: JobDeps,
  caller: Caller,
  plan: JobPlan,
  { idempotencyKey, startedBy }: Pick<JobStart, 'idempotencyKey' | 'startedBy'> = {},
): Promise<string> {
  const now = clock.now();
  const id = startedBy?.jobId ?? uuidv7(now);
  const added = await jobs.add({
    ...plan,
    id,
    ...accountOf(caller),
    createdAt: now,
    // Runs have limits of their own.
    maxUnfinished: startedBy ? Number.MAX_SAFE_INTEGER : maxJobs,
    ...(startedBy && { runId: startedBy.runId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  if (added !== 'added') throw refusedStart(added, maxJobs);
  runJob({ worker, onJob }, await jobs.view(id, caller.team.id, now));
  return id;
}

/** For a start that needs work before its job can be added. Throws what `startJob` would. */
export async function checkStart(
  { jobs, maxJobs, clock }: Pick<JobDeps, 'jobs' | 'maxJobs' | 'clock'>,
  { team }: Caller,
  idempotencyKey: string | undefined,
): Promise<void> {
  const job = { teamId: team.id, maxUnfinished: maxJobs, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const refusal = await jobs.refusal(job, clock.now());
  if (refusal) throw refusedStart(refusal, maxJobs);
}

function refusedStart(refusal: JobRefusal, maxJobs: number): ServiceError {
  if (refusal === 'key-used') return new ServiceError('IDEMPOTENCY_KEY_USED');
  return queueFull(maxJobs);
}

export const queueFull = (maxJobs: number): ServiceError =>
  new ServiceError('QUEUE_FULL', {
    message: `Your team has reached its limit of ${maxJobs} unfinished jobs (TRAWL_MAX_JOBS). Retry when one has ended.`,
    retryAfter: RETRY_AFTER_SECONDS,
  });

export function runJob({ worker, onJob }: Pick<JobDeps, 'worker' | 'onJob'>, job: JobView | undefined): void {
  if (!job) return;
  if (job.status === 'scraping') worker.run(job);
  onJob(job);
}

/** Webhooks obey the same rules as scrapes; a bad one is refused before the job starts. */
export async function checkWebhook<Webhook extends { url: string }>(
  deps: CheckStartDeps & Pick<JobDeps, 'egress'>,
  caller: Caller,
  request: CheckedRequest,
  { webhook, operation }: { webhook: Webhook | undefined; operation: BilledOperation },
): Promise<Webhook | undefined> {
  if (!webhook) return undefined;
  const { href: url } = targetUrl(webhook.url, deps.egress, ['webhook', 'url']);
  // The domains of a key say what may be fetched, not who may be told.
  const { limits: _, ...sender } = caller;
  await checkStartUrls(deps, sender, request, { operation, urls: [url] });
  return { ...webhook, url };
}
