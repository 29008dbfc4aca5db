// Port: monitors, and what each of their checks found. A check is a run (run-store.ts) whose group is the monitor.
import type { NewRun, RunStatus } from './run-store.ts';

export interface StoredMonitor {
  id: string;
  teamId: string;
  /** Prefix of the API key that pays for the checks. */
  key?: string;
  status: 'active' | 'paused';
  /** Name, schedule, targets, webhook, notification, goal and so on, as validated. Stored sealed. */
  definition: unknown;
  /** Undefined while it is paused. */
  nextRunAt?: number;
  lastRunAt?: number;
  /** Of the last check that ended. */
  lastCheckSummary?: unknown;
  createdAt: number;
  updatedAt: number;
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

export type PageStatus = 'same' | 'new' | 'changed' | 'removed' | 'error';

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
  /** Everything else that the answer shows: metadata, diff, snapshot, judgment. Stored sealed. */
  details: unknown;
  createdAt: number;
}

/** The last version of a page that a target knows: later checks compare with it. */
export interface KnownPage {
  url: string;
  scrapeId?: string;
  /** Markdown and JSON, stored compressed and sealed. Undefined in a list of all. */
  version?: unknown;
  isGone: boolean;
  seenAt: number;
}

export interface MonitorStore {
  add(monitor: StoredMonitor, maxMonitors: number): Promise<'added' | 'too-many'>;
  find(id: string, teamId: string): Promise<StoredMonitor | undefined>;
  /** Newest first. */
  list(teamId: string, query: { limit: number; offset: number }): Promise<StoredMonitor[]>;
  update(monitor: StoredMonitor): Promise<boolean>;
  /** With its checks, their pages and the known versions; an unfinished check is cancelled. */
  remove(id: string, teamId: string, now: number): Promise<boolean>;
  /** Active monitors whose time has come. */
  due(now: number, limit: number): Promise<StoredMonitor[]>;
  /** When the next one is due. */
  nextAt(): Promise<number | undefined>;
  startDue(check: DueCheck, now: number): Promise<'started' | 'skipped_overlap' | 'moved'>;
  /** Writes what a check found on some pages, with the versions that later checks compare with, in one transaction. */
  savePages(checkId: string, pages: CheckedPage[], versions: (KnownPage & { targetId: string })[]): Promise<void>;
  pages(checkId: string, query: { status?: PageStatus; limit: number; skip: number }): Promise<CheckedPage[]>;
  countPages(checkId: string): Promise<Record<PageStatus, number>>;
  knownPages(monitorId: string, targetId: string): Promise<KnownPage[]>;
  knownVersion(monitorId: string, targetId: string, url: string): Promise<KnownPage | undefined>;
  /** The end of a check, for the monitor's own row. */
  noteCheck(monitorId: string, check: { summary: unknown; status: RunStatus; at: number }): Promise<void>;
}
