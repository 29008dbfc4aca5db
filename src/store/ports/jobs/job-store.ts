// Port: jobs as their callers see them. A job is a row, its pages are tasks (job-queue.ts), and its results are scrapes
// in order of completion.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import type { WebhookTarget } from '../../../contracts/webhooks/webhook.ts';
import type { RoomyJson } from '../../../util/json/json-text.ts';
import type { JobProgress, NewTask } from './job-queue.ts';
import type { JobViews, ListedJob } from './job-views.ts';

export type JobKind = ListedJob['kind'];

export interface NewJob {
  id: string;
  teamId: string;
  /** Prefix of the API key that pays for the pages. */
  key?: string;
  kind: JobKind;
  /** The start URL of a crawl; empty for a batch. */
  url: string;
  /** What the list of recent requests shows, if that may be stored. */
  target?: string;
  /** The validated request. */
  options: unknown;
  webhook?: WebhookTarget;
  /** Maximum number of pages. Further ones are kept as spares that replace failed pages. */
  limit: number;
  /** Rows are removed one hour after the end of the job, and its scrapes cannot be read individually. */
  zeroDataRetention: boolean;
  /** How long it is kept after its end, if not as long as others. */
  retentionMs?: number | undefined;
  createdAt: number;
  /** A second job of the team with the same key is refused. */
  idempotencyKey?: string;
  /** The run that has started it. The run is billed for the pages, and the job is not listed among the team's requests. */
  runId?: string;
  /** How many unfinished jobs the team may have, including this one. */
  maxUnfinished: number;
  tasks: NewTask[];
}

export interface JobView
  extends JobProgress,
    Pick<
      NewJob,
      'id' | 'teamId' | 'key' | 'runId' | 'kind' | 'url' | 'options' | 'limit' | 'zeroDataRetention' | 'createdAt'
    > {
  failed: number;
  /** Pages forbidden by robots.txt. */
  blocked: number;
  credits: number;
  /** What the contents of its documents take, as they are stored. */
  storedBytes: number;
  /** While it is paused. */
  pausedAt?: number;
  finishedAt?: number;
  /** Whether a webhook wants its events. */
  hasWebhook: boolean;
  /** Why the whole job failed. */
  error?: string;
  expiresAt: number;
}

export interface AppendedPages {
  tasks: NewTask[];
  now: number;
  /** As in NewJob. */
  idempotencyKey?: string;
}

export interface ResultQuery {
  skip: number;
  limit: number;
  /** Stops before the page that would exceed this size, but always returns the first. */
  maxBytes: number;
}

/** Documents as JSON text, joined by commas without brackets, sent to the caller as they are. */
export interface ResultPage extends RoomyJson {
  count: number;
  /** Where each document ends in `json`. */
  ends: number[];
}

export type PageWithoutResult = { state: 'unfinished' } | { state: 'failed'; code: string; message: string };

export interface PageError {
  id: string;
  at: number;
  url: string;
  code: string;
  message: string;
}

export interface RerunRequest {
  now: number;
  /** As in NewJob, for a job that has ended and would run again. */
  maxUnfinished: number;
}

export interface NewLimit extends RerunRequest {
  limit: number;
}

/** `least`: a lower limit cannot be kept, because so many pages are read or being read. */
export type LimitChange =
  /** `hasDropped`: it had found more pages than are remembered. */
  { hasDropped: boolean } | { least: number } | 'queue-full' | JobStatus;

/** Failed pages that wait again, and those for which the limit has no room. */
export type Retry = { retried: number; left: number } | 'queue-full' | JobStatus;

/** Why a job is not added. */
export type JobRefusal = 'queue-full' | 'key-used';

export interface JobStore extends JobViews {
  /** Whether a job would be refused now, for callers that have to work before they can add it. */
  refusal(
    job: Pick<NewJob, 'teamId' | 'idempotencyKey' | 'maxUnfinished'>,
    now: number,
  ): Promise<JobRefusal | undefined>;
  /** Stores the job with its first tasks. Nothing is stored unless it returns `added`. */
  add(job: NewJob): Promise<'added' | JobRefusal>;
  /** Adds pages to a running or completed batch; a completed one runs again. Returns the status of any other job. */
  append(id: string, teamId: string, more: AppendedPages): Promise<'appended' | 'key-used' | JobStatus | undefined>;
  /** Undefined if unknown, expired or owned by another team. */
  view(id: string, teamId: string, now: number): Promise<JobView | undefined>;
  /** In order of completion. The position of a page never changes. */
  results(id: string, query: ResultQuery): Promise<ResultPage>;
  /** A page of a batch by the ID of its scrape, while there is no result to read: not finished, or failed. */
  pageWithoutResult(scrapeId: string, teamId: string, now: number): Promise<PageWithoutResult | undefined>;
  problems(id: string): Promise<{ errors: PageError[]; robotsBlocked: string[] }>;
  /**
   * Pauses a running job, also across restarts: its pages are not claimed, those in flight end. Does nothing if it is paused.
   * Returns the status, which stays `scraping`; undefined if there is no such job.
   */
  pause(id: string, teamId: string, now: number): Promise<JobStatus | undefined>;
  /** Ends the pause of a job, if it is paused. Returns the status; undefined if there is no such job. */
  resume(id: string, teamId: string, now: number): Promise<JobStatus | undefined>;
  /** Cancels jobs that were paused for too long, and returns them. */
  endPauses(now: number): Promise<JobView[]>;
  /**
   * Changes the limit of a running or completed crawl. A completed one runs again if pages are known that were not read. Returns
   * the status of any other job.
   */
  setLimit(id: string, teamId: string, change: NewLimit): Promise<LimitChange | undefined>;
  /** Lets failed pages wait again, and a failed job go on. Returns the status of a cancelled job. */
  retry(id: string, teamId: string, request: RerunRequest): Promise<Retry | undefined>;
  /** Running jobs, oldest first; those of all teams without `teamId`. */
  unfinished(teamId?: string): Promise<JobView[]>;
  /** Returns which of these jobs, of any team, have not ended. */
  running(ids: string[]): Promise<JobView[]>;
  /** Ends a running job and drops its open tasks. Returns the resulting status; undefined if there is no such job. */
  cancel(id: string, teamId: string, now: number): Promise<JobStatus | undefined>;
}
