// The pages of checks, and the last version of each page that a monitor knows.
import type { PageStatus } from '../../../contracts/monitor-check.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { CheckedPage, KnownPage, PageCounts } from '../../monitor-store.ts';
import {
  type CheckedRow,
  type KnownRow,
  type Monitor,
  noPages,
  toCheckedPage,
  toKnownPage,
} from '../../records/runs/monitor-record.ts';
import type { Run } from '../../records/runs/run-record.ts';

export interface WatchedPageRows {
  /** Returns the page as it is stored now. */
  saveChecked(run: Run, page: CheckedPage): CheckedPage;
  checked(run: Run, status: PageStatus | undefined, limit: number, skip: number): CheckedPage[];
  count(run: Run): PageCounts;
  saveKnown(monitor: Monitor, page: KnownPage & { targetId: string }): void;
  known(monitor: Monitor, targetId: string): KnownPage[];
  knownVersion(monitor: Monitor, targetId: string, url: string): KnownPage | undefined;
  /** Forgets the pages of all targets but these. */
  unwatchOthers(monitor: Monitor, targetIds: string[]): void;
  removeOfRun(run: number, limit: number): number;
  removeUnwatched(limit: number): number;
}

export function createWatchedPageRows(connection: Connection, sealed: SealedRequests): WatchedPageRows {
  const sql = prepareAll(connection);

  const toChecked = (row: CheckedRow, teamId: string): CheckedPage =>
    toCheckedPage(row, sealed.open(row.details, teamId));
  const toKnown = (row: KnownRow, teamId: string): KnownPage =>
    toKnownPage(row, row.version ? sealed.open(row.version, teamId) : undefined);

  return {
    saveChecked(run, page) {
      const { id, targetId, url, status, previousScrapeId, currentScrapeId, statusCode, error, details, createdAt } =
        page;
      sql.saveChecked.run(
        ...[id, run.number, targetId, url, status, previousScrapeId ?? null, currentScrapeId ?? null],
        ...[statusCode ?? null, error ?? null, createdAt, sealed.seal(details, run.teamId)],
      );
      return toChecked(sql.findChecked.get(run.number, targetId, url)!, run.teamId);
    },
    checked(run, status, limit, skip) {
      const rows =
        status === undefined
          ? sql.checked.all(run.number, limit, skip)
          : sql.checkedOfStatus.all(run.number, status, limit, skip);
      return rows.map((row) => toChecked(row, run.teamId));
    },
    count(run) {
      const counts = noPages();
      for (const { status, count } of sql.count.all(run.number)) counts[status] = count;
      return counts;
    },
    saveKnown({ number, teamId }, { targetId, url, scrapeId, isGone, seenAt, version }) {
      const sealedVersion = version === undefined ? null : sealed.seal(version, teamId);
      sql.saveKnown.run(number, targetId, url, scrapeId ?? null, isGone ? 1 : 0, seenAt, sealedVersion);
    },
    known: ({ number, teamId }, targetId) => sql.known.all(number, targetId).map((row) => toKnown(row, teamId)),
    knownVersion({ number, teamId }, targetId, url) {
      const row = sql.knownVersion.get(number, targetId, url);
      return row && toKnown(row, teamId);
    },
    unwatchOthers: ({ number }, targetIds) => void sql.unwatchOthers.run(number, JSON.stringify(targetIds)),
    removeOfRun: (run, limit) => Number(sql.removeOfRun.run(run, limit).changes),
    removeUnwatched: (limit) => Number(sql.removeUnwatched.run(limit).changes),
  };
}

const CHECKED = `id, target_id AS targetId, url, status, previous_scrape_id AS previousScrapeId,
  current_scrape_id AS currentScrapeId, status_code AS statusCode, error, created_at AS createdAt, details`;
const KNOWN = 'url, scrape_id AS scrapeId, is_gone AS isGone, seen_at AS seenAt';

const prepareAll = (connection: Connection) => ({
  // What was said about a page stays, unless it was an error: a check that goes on after a kill may come here again.
  saveChecked: connection.prepare(
    `INSERT INTO checked_pages (id, run, target_id, url, status, previous_scrape_id, current_scrape_id, status_code, error,
       created_at, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, target_id, url) DO UPDATE SET status = excluded.status,
       previous_scrape_id = excluded.previous_scrape_id, current_scrape_id = excluded.current_scrape_id,
       status_code = excluded.status_code, error = excluded.error, created_at = excluded.created_at,
       details = excluded.details
     WHERE status = 'error' AND excluded.status <> 'error'`,
  ),
  findChecked: connection.prepare<CheckedRow>(
    `SELECT ${CHECKED} FROM checked_pages WHERE run = ? AND target_id = ? AND url = ?`,
  ),
  checked: connection.prepare<CheckedRow>(
    `SELECT ${CHECKED} FROM checked_pages WHERE run = ? ORDER BY number LIMIT ? OFFSET ?`,
  ),
  checkedOfStatus: connection.prepare<CheckedRow>(
    `SELECT ${CHECKED} FROM checked_pages WHERE run = ? AND status = ? ORDER BY number LIMIT ? OFFSET ?`,
  ),
  count: connection.prepare<{ status: PageStatus; count: number }>(
    'SELECT status, count(*) AS count FROM checked_pages WHERE run = ? GROUP BY status',
  ),
  saveKnown: connection.prepare(
    `INSERT INTO watched_pages (monitor, target_id, url, scrape_id, is_gone, seen_at, version) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (monitor, target_id, url) DO UPDATE SET scrape_id = coalesce(excluded.scrape_id, scrape_id),
       is_gone = excluded.is_gone, seen_at = excluded.seen_at, version = coalesce(excluded.version, version),
       is_unwatched = 0`,
  ),
  known: connection.prepare<KnownRow>(
    `SELECT ${KNOWN} FROM watched_pages WHERE monitor = ? AND target_id = ? AND is_unwatched = 0 ORDER BY number`,
  ),
  knownVersion: connection.prepare<KnownRow>(
    `SELECT ${KNOWN}, version FROM watched_pages WHERE monitor = ? AND target_id = ? AND url = ? AND is_unwatched = 0`,
  ),
  unwatchOthers: connection.prepare(
    `UPDATE watched_pages SET is_unwatched = 1
     WHERE monitor = ? AND is_unwatched = 0 AND target_id NOT IN (SELECT value FROM json_each(?))`,
  ),
  removeOfRun: connection.prepare(
    'DELETE FROM checked_pages WHERE number IN (SELECT number FROM checked_pages WHERE run = ? LIMIT ?)',
  ),
  removeUnwatched: connection.prepare(
    'DELETE FROM watched_pages WHERE number IN (SELECT number FROM watched_pages WHERE is_unwatched = 1 LIMIT ?)',
  ),
});
