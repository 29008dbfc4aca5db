// Port: jobs as their callers see them. A job is a row; its pages are tasks (queue.ts), its results scrapes in the order they came.
import type { JobStatus } from '../contracts/job.ts';
import type { WebhookTarget } from '../contracts/webhook.ts';
import type { JobProgress, NewTask } from './job-queue.ts';

export type JobKind = 'crawl' | 'batch_scrape';

export interface NewJob {
  id: string;
  teamId: string;
  kind: JobKind;
  /** Where a crawl starts; empty for a batch. */
  url: string;
  /** The request as validated. */
  options: unknown;
  webhook?: WebhookTarget;
  /** How many pages it may hold: more are kept aside, for the places of pages that fail. */
  limit: number;
  /** Its rows go one hour after its end, and its scrapes cannot be read one by one. */
  zeroDataRetention: boolean;
  createdAt: number;
  /** A second job of the team with the same key is refused. */
  idempotencyKey?: string;
  /** How many unfinished jobs the team may have, this one included. */
  maxUnfinished: number;
  tasks: NewTask[];
}

export interface JobView
  extends JobProgress,
    Pick<NewJob, 'id' | 'teamId' | 'kind' | 'url' | 'options' | 'limit' | 'createdAt'> {
  failed: number;
  /** Pages that robots.txt forbade. */
  blocked: number;
  credits: number;
  finishedAt?: number;
  /** Somebody wants to be called about its events. */
  hasWebhook: boolean;
  /** Why the job as a whole failed. */
  error?: string;
  expiresAt: number;
}

export interface AppendedPages {
  tasks: NewTask[];
  now: number;
  /** As in a new job. */
  idempotencyKey?: string;
}

export interface ResultQuery {
  skip: number;
  limit: number;
  /** Stops before the page that would pass this size; the first is always given. */
  maxBytes: number;
}

/** Documents as JSON text, joined by commas and without brackets: they go to the caller as they are. */
export interface ResultPage {
  count: number;
  json: Uint8Array;
}

export interface PageError {
  id: string;
  at: number;
  url: string;
  code: string;
  message: string;
}

export interface JobStore {
  /** Keeps the job with its first tasks; nothing is kept unless the answer is `added`. */
  add(job: NewJob): Promise<'added' | 'queue-full' | 'key-used'>;
  /** More pages for a batch that runs or has completed (which then runs again). The status it had, if not that. */
  append(id: string, teamId: string, more: AppendedPages): Promise<'appended' | 'key-used' | JobStatus | undefined>;
  /** Undefined for what is unknown, expired or another team's. */
  view(id: string, teamId: string, now: number): Promise<JobView | undefined>;
  /** In the order of completion; a page once given keeps its place. */
  results(id: string, query: ResultQuery): Promise<ResultPage>;
  problems(id: string): Promise<{ errors: PageError[]; robotsBlocked: string[] }>;
  /** Running jobs, oldest first; of all teams when none is named. */
  unfinished(teamId?: string): Promise<JobView[]>;
  /** Ends a running job and drops its open tasks. The status it has then; undefined for what is not there. */
  cancel(id: string, teamId: string, now: number): Promise<JobStatus | undefined>;
}
