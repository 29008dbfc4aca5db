// Port: monitors, and what each of their checks found. A check is a run (run-store.ts) whose group is the monitor.
import type { MonitorDefinition } from '../../../contracts/monitor/monitor.ts';
import type { CheckedPageDetails, CheckSummary, PageStatus } from '../../../contracts/monitor/monitor-check.ts';
import type { NewRun, RunStore } from './run-store.ts';

export interface NewMonitor {
  id: string;
  teamId: string;
  /** Prefix of the API key that pays for the checks. */
  key?: string;
  /** Stored sealed. */
  definition: MonitorDefinition;
  nextRunAt: number;
  createdAt: number;
  /** How many monitors the team may have, including this one. */
  maxMonitors: number;
}

export interface StoredMonitor {
  id: string;
  teamId: string;
  key?: string;
  status: 'active' | 'paused';
  definition: MonitorDefinition;
  /** Counts its changes. */
  version: number;
  /** Undefined while it is paused. */
  nextRunAt?: number;
  /** When its last check was started. */
  lastRunAt?: number;
  /** The unfinished check. */
  currentCheckId?: string;
  /** Summary of the last check that has a result and has not expired. */
  lastCheckSummary?: CheckSummary;
  createdAt: number;
  updatedAt: number;
}

export interface MonitorChange {
  id: string;
  teamId: string;
  /** The version that was read: nothing happens if it has changed since. */
  version: number;
  status: StoredMonitor['status'];
  definition: MonitorDefinition;
  /** Undefined leaves the schedule where it is; null while it is paused. */
  nextRunAt?: number | null;
  now: number;
}

/** A check that is due: the schedule moves on in the same transaction, so it begins once and only once. */
export interface DueCheck {
  monitorId: string;
  /** The time for which it was scheduled; nothing happens if the schedule has moved on since. */
  scheduledFor: number;
  nextRunAt: number;
  /** If another check of the monitor is unfinished, it is stored as `skipped_overlap`. */
  run: NewRun;
}

/** A page as a check has found it. */
export interface CheckedPage {
  id: string;
  targetId: string;
  url: string;
  status: PageStatus;
  previousScrapeId?: string;
  currentScrapeId?: string;
  statusCode?: number;
  error?: string;
  /** Everything else that the answer shows. Stored compressed and sealed. */
  details: CheckedPageDetails;
  createdAt: number;
}

/** The last version of a page that a target knows: later checks compare with it. */
export interface KnownPage {
  url: string;
  scrapeId?: string;
  /** Markdown and JSON, stored compressed and sealed. Undefined in a list of all; a write without it keeps what is stored. */
  version?: unknown;
  isGone: boolean;
  seenAt: number;
}

export type PageStatusCounts = Record<PageStatus, number>;

export interface MonitorStore {
  add(monitor: NewMonitor): Promise<'added' | 'too-many'>;
  find(id: string, teamId: string, now: number): Promise<StoredMonitor | undefined>;
  /** Newest first. */
  list(teamId: string, query: { limit: number; offset: number }, now: number): Promise<StoredMonitor[]>;
  /** Its checks can be read for as long as the new definition says. Pages of targets that it no longer has are forgotten. */
  update(change: MonitorChange): Promise<'updated' | 'changed' | 'gone'>;
  /** With its checks, their pages and the known versions; an unfinished check is cancelled. */
  remove(id: string, teamId: string, now: number): Promise<boolean>;
  /** Active monitors whose time has come, those first that have waited longest. */
  due(now: number, limit: number): Promise<StoredMonitor[]>;
  /** When the next one is due. */
  nextAt(): Promise<number | undefined>;
  startDue(check: DueCheck, now: number): Promise<'started' | 'skipped_overlap' | 'moved'>;
  /** Starts a check that somebody asked for, unless the monitor is paused or gone. */
  startNow(run: NewRun & { group: string }): Promise<Awaited<ReturnType<RunStore['add']>> | 'paused' | 'gone'>;
  /**
   * Writes what a check found on some pages, with the versions that later checks compare with, in one transaction. What the
   * check has said about a page before stays, unless it was an error. Returns the pages as they are stored now.
   */
  savePages(
    checkId: string,
    pages: CheckedPage[],
    versions: (KnownPage & { targetId: string })[],
  ): Promise<CheckedPage[]>;
  /** In the order in which they were first written. */
  pages(checkId: string, query: { status?: PageStatus; limit: number; skip: number }): Promise<CheckedPage[]>;
  countPages(checkId: string): Promise<PageStatusCounts>;
  knownPages(monitorId: string, targetId: string): Promise<KnownPage[]>;
  knownVersion(monitorId: string, targetId: string, url: string): Promise<KnownPage | undefined>;
}
