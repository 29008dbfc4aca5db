// Port: the page tasks of jobs as workers see them. A claim has a lease; a worker that loses it stops and writes
// nothing.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import type { TextFingerprint } from '../../../page/page.ts';
import type { PageLook } from '../pages/page-history.ts';
import type { PageToStore } from '../pages/page-store.ts';

export interface NewTask {
  /** The kick-off of a job finds its first pages (robots.txt, sitemaps). It is not a page and not counted as one. */
  kind: 'page' | 'kick-off';
  url: string;
  /** Identifies the page within its job: a job has at most one task per key. */
  key: string;
  host: string;
  /** Links followed from the start page. Pagination does not increase it. */
  depth: number;
  /** Pagination steps. */
  steps: number;
  /** The URL pattern it belongs to. A pattern whose pages bring nothing new is closed. */
  pattern: string;
  /** Found on a page with the same pattern. */
  chained: boolean;
  /** The latest time at which the page can have changed, in milliseconds, if its sitemap says so. */
  lastModified?: number;
  /** Known from an earlier crawl. It waits until nothing else is left, unless a link leads to it before. */
  isKnown?: true;
  /** Reported to the caller, never fetched. */
  refused?: LinkRefusal;
}

export type LinkRefusal = { by: 'robots' } | { by: 'scope'; code: string; message: string };

export interface ClaimRequest {
  owner: string;
  jobId: string;
  /** Maximum number of tasks ... */
  slots: number;
  /** ... and per host, with `otherHostSlots` for hosts not listed. */
  hostSlots: Record<string, number>;
  otherHostSlots: number;
  /** Limits of the job over all processes: tasks in flight, and the time between the end of one and the start of the next. */
  jobPace?: { concurrency: number; pauseMs: number };
  now: number;
  leaseUntil: number;
}

export interface ClaimableRequest {
  /** Hosts whose tasks cannot start now. */
  fullHosts: string[];
  now: number;
  limit: number;
}

export interface Claim {
  tasks: ClaimedTask[];
  /** Hosts with waiting tasks but no free slot. */
  fullHosts: string[];
  /** When a paused task is due or a lease ends, of a task or of a host, if nothing else is left to claim. */
  nextAt?: number;
  /** What the last process remembered of hosts that this one has taken over, by host. */
  hostMemories?: Record<string, string>;
}

export interface ClaimedTask
  extends Pick<NewTask, 'kind' | 'url' | 'key' | 'host' | 'depth' | 'steps' | 'pattern' | 'lastModified'> {
  id: number;
  jobId: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Known from an earlier crawl, and no page of this one links to it. */
  isUnlinked?: true;
}

export interface DonePage {
  scrapeId: string;
  /** The key of the URL after redirects. */
  finalKey: string;
  /** The key of the page's canonical URL. Pages with the same group and the same text are duplicates. */
  group: string;
  fingerprint: TextFingerprint;
  /** JSON of content that belongs to this page of the job, in addition to its result. */
  ownContent?: string;
  metadata: Record<string, unknown>;
  warning?: string;
  toStore: PageToStore;
  /** For the history of the page, if its changes are tracked. */
  look?: PageLook;
  credits: number;
  /** For a start page: the URL that the crawl's scope is based on from now on. */
  home?: string;
}

export type TaskOutcome =
  /** `mentions`: keys of pages that are linked but not to be read. If an earlier crawl knows them, they are left out. */
  | { state: 'done'; page: DonePage; links: NewTask[]; mentions?: string[] }
  | { state: 'failed'; scrapeId: string; code: string; message: string; credits: number }
  /** robots.txt forbids it, which was unknown when the link was found. */
  | { state: 'blocked' }
  | { state: 'retry'; at: number }
  /** The kick-off is done; `home` as in DonePage. */
  | { state: 'kicked-off'; links?: NewTask[]; mentions?: string[]; home?: string }
  /** The whole job cannot continue. */
  | { state: 'fatal'; message: string };

/** A task that has an outcome, which is not written yet. */
export interface EndedTask {
  id: number;
  outcome: TaskOutcome;
}

export interface Finished {
  /** What became of the task. `lost`: the lease or the job had ended, and nothing was written. */
  became: 'done' | 'duplicate' | 'failed' | 'blocked' | 'waiting' | 'lost';
  /** Number of added tasks that can be claimed. */
  added: number;
  job: JobProgress;
}

export interface JobProgress {
  status: JobStatus;
  /** URL of the start page after redirects. */
  home: string;
  /** Pages that are done or still to do; equals `completed` once the job has completed. */
  total: number;
  completed: number;
}

/**
 * A host has one owner: the process that claims its tasks, so that its politeness knows all requests to it. All workers of one
 * process share its hosts. A process that has a store of its own owns all hosts.
 */
export interface HostOwnership {
  /**
   * Extends the leases of the process on these hosts, and stores what the next owner should remember of each. Returns hosts that it
   * no longer owns.
   */
  keepHosts(memories: Record<string, string>, leaseUntil: number, now: number): Promise<string[]>;
  /** Gives hosts back that have no task in flight, each with what the next owner should remember, or an empty text. */
  leaveHosts(memories: Record<string, string>, now: number): Promise<void>;
}

export interface JobQueue extends HostOwnership {
  /**
   * Takes waiting tasks of a job in the order they were found, alternating between hosts. Their hosts belong to this process
   * until `leaseUntil`; hosts of other processes are left out.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /**
   * Extends the leases of these tasks, and of no others: what the owner has lost track of must be claimed again.
   * Returns the ids of tasks it no longer owns (cancelled or taken over).
   */
  extend(owner: string, taskIds: number[], leaseUntil: number, now: number): Promise<number[]>;
  /** Adds pages found by a task that is still running. False if its lease is lost. */
  discover(owner: string, taskId: number, links: NewTask[], now: number): Promise<boolean>;
  /**
   * Ends tasks, each with everything that follows from it, in one transaction: all of them or none. Takes over the bytes of
   * their pages and results, and gives them back if it fails.
   */
  finish(owner: string, ended: readonly EndedTask[], now: number): Promise<Finished[]>;
  /** Returns claims of the owner as if they had not been made: these tasks, or all because it is about to stop. */
  release(owner: string, taskIds?: number[]): Promise<void>;
  /**
   * The ids of jobs that have tasks for this process to claim now: one of each team, then a second of each, the oldest first.
   * Paused jobs have none.
   */
  claimable(request: ClaimableRequest): Promise<string[]>;
  /** Number of pages in the team's unfinished jobs. Those of paused jobs do not wait. */
  load(teamId: string): Promise<{ active: number; waiting: number }>;
}
