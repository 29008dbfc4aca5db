// The pages of checks, and the last version of each page that a monitor knows.
import type { PageStatus } from '../../../contracts/monitor-check.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
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
import type { Sql } from '../database/database.ts';

export interface WatchedPageRows {
  /** What was said about a page stays, unless it was an error: a check that goes on after a kill may come here again. */
  saveChecked(sql: Sql, run: Run, page: CheckedPage, details: SealedText): Promise<void>;
  /** The page as it is stored now. */
  findChecked(sql: Sql, run: Run, page: Pick<CheckedPage, 'targetId' | 'url'>): Promise<CheckedPage>;
  checked(sql: Sql, run: Run, status: PageStatus | undefined, limit: number, skip: number): Promise<CheckedPage[]>;
  count(sql: Sql, run: Run): Promise<PageCounts>;
  saveKnown(sql: Sql, monitor: Monitor, page: KnownPage & { targetId: string }, version?: SealedText): Promise<void>;
  known(sql: Sql, monitor: Monitor, targetId: string): Promise<KnownPage[]>;
  knownVersion(sql: Sql, monitor: Monitor, targetId: string, url: string): Promise<KnownPage | undefined>;
  /** Forgets the pages of all targets but these. */
  unwatchOthers(sql: Sql, monitor: Monitor, targetIds: string[]): Promise<void>;
  removeOfRun(sql: Sql, run: number, limit: number): Promise<number>;
  removeUnwatched(sql: Sql, limit: number): Promise<number>;
}

export function createWatchedPageRows(sealed: SealedRequests): WatchedPageRows {
  const toChecked = async (row: CheckedRow, teamId: string): Promise<CheckedPage> =>
    toCheckedPage(row, await sealed.openLarge(row.details, teamId));

  return {
    async saveChecked(sql, run, page, details) {
      const { id, targetId, url, status, previousScrapeId, currentScrapeId, statusCode, error, createdAt } = page;
      await sql`
        INSERT INTO checked_pages (id, run, target_id, url, status, previous_scrape_id, current_scrape_id, status_code, error,
          created_at, details)
        VALUES (${id}, ${run.number}, ${targetId}, ${url}, ${status}, ${previousScrapeId ?? null}, ${currentScrapeId ?? null},
          ${statusCode ?? null}, ${error ?? null}, ${createdAt}, ${details})
        ON CONFLICT (run, target_id, url_key(url)) DO UPDATE SET status = excluded.status,
          previous_scrape_id = excluded.previous_scrape_id, current_scrape_id = excluded.current_scrape_id,
          status_code = excluded.status_code, error = excluded.error, created_at = excluded.created_at,
          details = excluded.details
        WHERE checked_pages.status = 'error' AND excluded.status <> 'error'`;
    },
    async findChecked(sql, run, { targetId, url }) {
      const [row] = await sql<CheckedRow[]>`
        ${checkedPages(sql)} WHERE run = ${run.number} AND target_id = ${targetId} AND url_key(url) = url_key(${url})`;
      return toChecked(row!, run.teamId);
    },
    async checked(sql, run, status, limit, skip) {
      const rows = await sql<CheckedRow[]>`
        ${checkedPages(sql)} WHERE run = ${run.number} ${status === undefined ? sql`` : sql`AND status = ${status}`}
        ORDER BY number LIMIT ${limit} OFFSET ${skip}`;
      return Promise.all(rows.map((row) => toChecked(row, run.teamId)));
    },
    async count(sql, run) {
      const counts = noPages();
      const rows = await sql<{ status: PageStatus; count: number }[]>`
        SELECT status, count(*) FROM checked_pages WHERE run = ${run.number} GROUP BY status`;
      for (const { status, count } of rows) counts[status] = count;
      return counts;
    },
    async saveKnown(sql, { number }, { targetId, url, scrapeId, isGone, seenAt }, version) {
      await sql`
        INSERT INTO watched_pages AS known (monitor, target_id, url, scrape_id, is_gone, seen_at, version)
        VALUES (${number}, ${targetId}, ${url}, ${scrapeId ?? null}, ${isGone}, ${seenAt}, ${version ?? null})
        ON CONFLICT (monitor, target_id, url_key(url)) DO UPDATE SET
          scrape_id = coalesce(excluded.scrape_id, known.scrape_id), is_gone = excluded.is_gone,
          seen_at = excluded.seen_at, version = coalesce(excluded.version, known.version), is_unwatched = false`;
    },
    async known(sql, { number }, targetId) {
      const rows = await sql<KnownRow[]>`
        SELECT url, scrape_id AS "scrapeId", is_gone AS "isGone", seen_at AS "seenAt" FROM watched_pages
        WHERE monitor = ${number} AND target_id = ${targetId} AND NOT is_unwatched ORDER BY number`;
      return rows.map((row) => toKnownPage(row, undefined));
    },
    async knownVersion(sql, { number, teamId }, targetId, url) {
      const [row] = await sql<KnownRow[]>`
        SELECT url, scrape_id AS "scrapeId", is_gone AS "isGone", seen_at AS "seenAt", version FROM watched_pages
        WHERE monitor = ${number} AND target_id = ${targetId} AND url_key(url) = url_key(${url}) AND NOT is_unwatched`;
      return row && toKnownPage(row, row.version ? await sealed.openLarge(row.version, teamId) : undefined);
    },
    async unwatchOthers(sql, { number }, targetIds) {
      await sql`
        UPDATE watched_pages SET is_unwatched = true
        WHERE monitor = ${number} AND NOT is_unwatched AND target_id <> ALL(${targetIds})`;
    },
    removeOfRun: async (sql, run, limit) =>
      (
        await sql`DELETE FROM checked_pages WHERE number IN (
          SELECT number FROM checked_pages WHERE run = ${run} LIMIT ${limit})`
      ).count,
    removeUnwatched: async (sql, limit) =>
      (
        await sql`DELETE FROM watched_pages WHERE is_unwatched AND number IN (
          SELECT number FROM watched_pages WHERE is_unwatched LIMIT ${limit})`
      ).count,
  };
}

const checkedPages = (sql: Sql) => sql`
  SELECT id, target_id AS "targetId", url, status, previous_scrape_id AS "previousScrapeId",
    current_scrape_id AS "currentScrapeId", status_code AS "statusCode", error, created_at AS "createdAt", details
  FROM checked_pages`;
