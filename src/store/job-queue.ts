// Port: the page tasks of jobs as workers see them. A claim has a lease; whoever loses it stops and writes nothing.
import type { JobStatus } from '../contracts/job.ts';
import type { TextFingerprint } from '../contracts/page.ts';
import type { PageToStore } from './page-store.ts';

export interface NewTask {
  /** A job's kick-off finds its first pages (robots.txt, sitemaps) and is no page itself: it counts nowhere. */
  kind: 'page' | 'kick-off';
  url: string;
  /** What makes it the same page as another: a job has at most one task with it. */
  key: string;
  host: string;
  /** Links followed from the start; pages of a list count as one. */
  depth: number;
  /** Steps from page to page of a list. */
  steps: number;
  /** The family of addresses it belongs to; a family that brings nothing new is closed. */
  pattern: string;
  /** Found on a page of its own family. */
  chained: boolean;
  /** Listed for the caller, never fetched. */
  refused?: Refusal;
}

export type Refusal = { by: 'robots' } | { by: 'scope'; code: string; message: string };

export interface ClaimRequest {
  owner: string;
  jobId: string;
  /** At most this many tasks ... */
  slots: number;
  /** ... and for each host at most its own number, else `placesOfOtherHosts`. */
  hostSlots: Record<string, number>;
  otherHostSlots: number;
  now: number;
  leaseUntil: number;
}

export interface Claim {
  tasks: ClaimedTask[];
  /** Hosts that have waiting tasks but no place. */
  fullHosts: string[];
  /** When a task that is paused will be due, if nothing else is left to claim. */
  nextAt?: number;
}

export interface ClaimedTask extends Pick<NewTask, 'kind' | 'url' | 'key' | 'host' | 'depth' | 'steps' | 'pattern'> {
  id: number;
  jobId: string;
  /** 1 for the first try. */
  attempt: number;
}

export interface DonePage {
  scrapeId: string;
  /** The key of the address it was found at after redirects. */
  finalKey: string;
  /** The key of the address it calls its own; pages that share it and their text are one page. */
  group: string;
  fingerprint: TextFingerprint;
  metadata: Record<string, unknown>;
  warning?: string;
  toStore: PageToStore;
  credits: number;
  /** For a start page: where the crawl is at home from now on. */
  home?: string;
}

export type TaskOutcome =
  | { state: 'done'; page: DonePage; links: NewTask[] }
  | { state: 'failed'; scrapeId: string; code: string; message: string; credits: number }
  /** robots.txt forbids it, which was not known when it was found. */
  | { state: 'blocked' }
  | { state: 'retry'; at: number }
  /** The kick-off has found what there is to find; `home` as of a page. */
  | { state: 'kicked-off'; links?: NewTask[]; home?: string }
  /** The job as a whole cannot go on. */
  | { state: 'fatal'; message: string };

export interface Finished {
  /** What became of the task. `lost`: the lease or the job had ended, and nothing was written. */
  became: 'done' | 'duplicate' | 'failed' | 'blocked' | 'waiting' | 'lost';
  /** Tasks that were added and can be claimed. */
  added: number;
  job: JobProgress;
}

export interface JobProgress {
  status: JobStatus;
  /** Where the start page was found after its redirects. */
  home: string;
  /** Pages that are done or still to be done: `completed` when the job has completed. */
  total: number;
  completed: number;
}

export interface JobQueue {
  /** Takes waiting tasks of a job in the order they were found, host after host. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** Prolongs all claims of the owner; the ids of its tasks that are its no more (cancelled or taken over). */
  extend(owner: string, taskIds: number[], leaseUntil: number, now: number): Promise<number[]>;
  /** More pages from a task that goes on running. False when its lease is lost. */
  discover(owner: string, taskId: number, links: NewTask[], now: number): Promise<boolean>;
  /** The end of a task with everything that follows from it, in one transaction. */
  finish(owner: string, taskId: number, outcome: TaskOutcome, now: number): Promise<Finished>;
  /** Gives all claims of the owner back: it is about to end. */
  release(owner: string): Promise<void>;
  /** Pages of the team's unfinished jobs. */
  load(teamId: string): Promise<{ active: number; waiting: number }>;
}
