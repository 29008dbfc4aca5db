// Port: what lists show of jobs without reading their documents: the jobs of a team, the pages that have ended, and the
// frontier by host.
import type { JobStatus } from '../../../contracts/crawl/job.ts';

/** The last entry of the page before: lists go on after it. */
export interface ListPosition {
  at: number;
  id: string;
}

export interface JobListQuery {
  kinds: readonly ListedJob['kind'][];
  /** All statuses by default. */
  statuses?: readonly JobStatus[];
  /** Only jobs that are paused, or only those that are not. */
  isPaused?: boolean;
  after?: ListPosition;
  limit: number;
}

/** As in JobView. */
export interface ListedJob {
  id: string;
  kind: 'crawl' | 'batch_scrape';
  status: JobStatus;
  limit: number;
  total: number;
  completed: number;
  failed: number;
  credits: number;
  /** What the contents of its documents take, as they are stored. */
  storedBytes: number;
  pausedAt?: number;
  createdAt: number;
  finishedAt?: number;
  error?: string;
  expiresAt: number;
  /** The start URL of a crawl, or one of the URLs of a batch. Absent with zero data retention. */
  target?: string;
}

export interface EndedPage {
  /** ID of its scrape. */
  id: string;
  url: string;
  at: number;
  state: 'done' | 'failed';
  /** What the metadata of a document says. */
  statusCode?: number;
  title?: string;
  credits?: number;
  warning?: string;
  /** Why it failed. */
  code?: string;
  message?: string;
}

export interface EndedPagesQuery {
  states: readonly EndedPage['state'][];
  after?: { at: number; task: number };
  limit: number;
}

export interface PageCountsByState {
  /** Including pages that wait for their next attempt. */
  waiting: number;
  running: number;
  done: number;
  failed: number;
  /** Forbidden by robots.txt. */
  blocked: number;
}

export interface HostPages extends PageCountsByState {
  host: string;
  /** What the process that owns it has noted of it, if that is another one. */
  memory?: string;
}

export interface FrontierView {
  /** Those first that have the most pages waiting. */
  hosts: HostPages[];
  /** Number of all hosts, whether or not they are listed. */
  hostCount: number;
  sum: PageCountsByState;
}

/** What is kept of the jobs of a team, running ones included. */
export interface StoredJobs {
  jobs: number;
  /** What the contents of their documents take. */
  bytes: number;
}

export interface JobViews {
  stored(teamId: string, kinds: readonly ListedJob['kind'][], now: number): Promise<StoredJobs>;
  /** Newest first, without jobs that runs have started. */
  list(teamId: string, query: JobListQuery, now: number): Promise<ListedJob[]>;
  /** Newest first. `task` is where the next page of the list goes on. */
  endedPages(id: string, query: EndedPagesQuery): Promise<(EndedPage & { task: number })[]>;
  frontier(id: string, maxHosts: number): Promise<FrontierView>;
  /** URLs of a batch, in the order of its request; not always the first ones if it has more. */
  batchUrls(id: string, limit: number): Promise<string[]>;
}
