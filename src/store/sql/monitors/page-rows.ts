// The pages of checks, and the last version of each page that a monitor knows.
import type { PageStatus } from '../../../contracts/monitor/monitor-check.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { CheckedPage, KnownPage, PageStatusCounts } from '../../ports/runs/monitor-store.ts';
import {
  type CheckedRow,
  type KnownRow,
  type Monitor,
  noPages,
  toCheckedPage,
  toKnownPage,
} from '../../rules/runs/monitor-record.ts';
import type { Run } from '../../rules/runs/run-record.ts';
import { type Awaitable, type Queries, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

export interface WatchedPageRows {
  /** An earlier outcome of a page stays, unless it was an error: a check that continues after a kill may come here again. */
  saveChecked(tx: Tx, run: Run, page: CheckedPage, details: SealedText): Awaitable<unknown>;
  /** The page as it is stored now. */
  findChecked(tx: Tx, run: Run, page: Pick<CheckedPage, 'targetId' | 'url'>): Promise<CheckedRow>;
  toChecked(row: CheckedRow, teamId: string): Promise<CheckedPage>;
  checked(
    queries: Queries,
    run: Run,
    status: PageStatus | undefined,
    limit: number,
    skip: number,
  ): Promise<CheckedPage[]>;
  count(queries: Queries, run: Run): Promise<PageStatusCounts>;
  saveKnown(tx: Tx, monitor: Monitor, page: KnownPage & { targetId: string }, version?: SealedText): Awaitable<unknown>;
  known(queries: Queries, monitor: Monitor, targetId: string): Promise<KnownPage[]>;
  knownVersion(queries: Queries, monitor: Monitor, targetId: string, url: string): Promise<KnownPage | undefined>;
  /** Forgets the pages of all targets but these. */
  unwatchOthers(tx: Tx, monitor: Monitor, targetIds: readonly string[]): Awaitable<unknown>;
  removeOfRun(queries: Queries, run: number, limit: number): Awaitable<number>;
  removeUnwatched(queries: Queries, limit: number): Awaitable<number>;
}

export function createWatchedPageRows(sealed: Sealer): WatchedPageRows {
  const toChecked: WatchedPageRows['toChecked'] = async (row, teamId) =>
    toCheckedPage(row, await sealed.open(row.details, teamId));

  return {
    toChecked,
    saveChecked(tx, run, page, details) {
      const { id, targetId, url, status, previousScrapeId, currentScrapeId, statusCode, error, createdAt } = page;
      return tx.run`
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
    async findChecked(tx, run, { targetId, url }) {
      const row = await tx.one<CheckedRow>`
        SELECT ${CHECKED} FROM checked_pages
        WHERE run = ${run.number} AND target_id = ${targetId} AND url_key(url) = url_key(${url})`;
      return row!;
    },
    async checked(queries, run, status, limit, skip) {
      const rows = await queries.rows<CheckedRow>`
        SELECT ${CHECKED} FROM checked_pages
        WHERE run = ${run.number} ${status === undefined ? sql`` : sql`AND status = ${status}`}
        ORDER BY number LIMIT ${limit} OFFSET ${skip}`;
      return Promise.all(rows.map((row) => toChecked(row, run.teamId)));
    },
    async count(queries, run) {
      const counts = noPages();
      const rows = await queries.rows<{ status: PageStatus; count: number }>`
        SELECT status, count(*) AS count FROM checked_pages WHERE run = ${run.number} GROUP BY status`;
      for (const { status, count } of rows) counts[status] = count;
      return counts;
    },
    saveKnown: (tx, { number }, { targetId, url, scrapeId, isGone, seenAt }, version) => tx.run`
      INSERT INTO watched_pages AS known (monitor, target_id, url, scrape_id, is_gone, seen_at, version)
      VALUES (${number}, ${targetId}, ${url}, ${scrapeId ?? null}, ${isGone}, ${seenAt}, ${version ?? null})
      ON CONFLICT (monitor, target_id, url_key(url)) DO UPDATE SET
        scrape_id = coalesce(excluded.scrape_id, known.scrape_id), is_gone = excluded.is_gone,
        seen_at = excluded.seen_at, version = coalesce(excluded.version, known.version), is_unwatched = false`,
    async known(queries, { number }, targetId) {
      const rows = await queries.rows<KnownRow>`
        SELECT url, scrape_id AS "scrapeId", is_gone AS "isGone", seen_at AS "seenAt" FROM watched_pages
        WHERE monitor = ${number} AND target_id = ${targetId} AND NOT is_unwatched ORDER BY number`;
      return rows.map((row) => toKnownPage(row, undefined));
    },
    async knownVersion(queries, { number, teamId }, targetId, url) {
      const row = await queries.one<KnownRow>`
        SELECT url, scrape_id AS "scrapeId", is_gone AS "isGone", seen_at AS "seenAt", version FROM watched_pages
        WHERE monitor = ${number} AND target_id = ${targetId} AND url_key(url) = url_key(${url}) AND NOT is_unwatched`;
      return row && toKnownPage(row, row.version ? await sealed.open(row.version, teamId) : undefined);
    },
    unwatchOthers: (tx, { number }, targetIds) => tx.run`
      UPDATE watched_pages SET is_unwatched = true
      WHERE monitor = ${number} AND NOT is_unwatched AND NOT (target_id = ANY(${targetIds}::text[]))`,
    removeOfRun: (queries, run, limit) => queries.run`
      DELETE FROM checked_pages WHERE number IN (SELECT number FROM checked_pages WHERE run = ${run} LIMIT ${limit})`,
    removeUnwatched: (queries, limit) => queries.run`
      DELETE FROM watched_pages WHERE is_unwatched AND number IN (
        SELECT number FROM watched_pages WHERE is_unwatched LIMIT ${limit})`,
  };
}

const CHECKED = sql`
  id, target_id AS "targetId", url, status, previous_scrape_id AS "previousScrapeId", current_scrape_id AS "currentScrapeId",
  status_code AS "statusCode", error, created_at AS "createdAt", details`;
