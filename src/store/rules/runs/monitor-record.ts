// What is stored of a monitor, its checks and the pages that it knows, and what callers see of them.
import type { CheckResult, PageStatus } from '../../../contracts/monitor/monitor-check.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { CheckedPage, KnownPage, PageStatusCounts, StoredMonitor } from '../../ports/runs/monitor-store.ts';

/** What transactions on a monitor need to know. */
export interface Monitor {
  number: number;
  id: string;
  teamId: string;
  status: StoredMonitor['status'] | 'deleted';
  version: number;
}

export interface MonitorViewRow extends Omit<Monitor, 'status'> {
  status: StoredMonitor['status'];
  key: string | null;
  definition: SealedText;
  nextRunAt: number | null;
  lastRunAt: number | null;
  currentCheckId: string | null;
  lastResult: SealedText | null;
  createdAt: number;
  updatedAt: number;
}

export interface CheckedRow {
  id: string;
  targetId: string;
  url: string;
  status: PageStatus;
  previousScrapeId: string | null;
  currentScrapeId: string | null;
  statusCode: number | null;
  error: string | null;
  createdAt: number;
  details: SealedText;
}

export interface KnownRow {
  url: string;
  scrapeId: string | null;
  isGone: 0 | 1 | boolean;
  seenAt: number;
  version?: SealedText | null;
}

const UNREADABLE: CheckedPage['details'] = { metadata: null, diff: null, snapshot: null, judgment: null };

export const noPages = (): PageStatusCounts => ({ same: 0, new: 0, changed: 0, removed: 0, error: 0 });

/** Undefined if the definition was sealed with another secret. Opened: what is stored sealed. */
export function toMonitor(
  row: MonitorViewRow,
  opened: { definition: unknown; lastResult?: unknown },
): StoredMonitor | undefined {
  const { id, teamId, status, version, createdAt, updatedAt } = row;
  const definition = opened.definition as StoredMonitor['definition'] | undefined;
  if (!definition) return undefined;
  const result = opened.lastResult as CheckResult | null | undefined;
  return {
    ...{ id, teamId, status, definition, version, createdAt, updatedAt },
    ...(row.key !== null && { key: row.key }),
    ...(row.nextRunAt !== null && { nextRunAt: row.nextRunAt }),
    ...(row.lastRunAt !== null && { lastRunAt: row.lastRunAt }),
    ...(row.currentCheckId !== null && { currentCheckId: row.currentCheckId }),
    ...(result && { lastCheckSummary: result.summary }),
  };
}

/** `details`: undefined if they were sealed with another secret. */
export const toCheckedPage = (row: CheckedRow, details: unknown): CheckedPage => ({
  ...{ id: row.id, targetId: row.targetId, url: row.url, status: row.status, createdAt: row.createdAt },
  ...(row.previousScrapeId !== null && { previousScrapeId: row.previousScrapeId }),
  ...(row.currentScrapeId !== null && { currentScrapeId: row.currentScrapeId }),
  ...(row.statusCode !== null && { statusCode: row.statusCode }),
  ...(row.error !== null && { error: row.error }),
  details: (details as CheckedPage['details'] | undefined) ?? UNREADABLE,
});

export const toKnownPage = ({ url, scrapeId, isGone, seenAt }: KnownRow, version: unknown): KnownPage => ({
  ...{ url, seenAt, isGone: Boolean(isGone) },
  ...(scrapeId !== null && { scrapeId }),
  ...(version !== undefined && { version }),
});
