// SQL for scrapes, stand-alone or as pages of a job.

import type { Connection } from '../../util/sqlite.ts';
import { freeToStore, packToStore } from '../encoding/pack-page.ts';
import type { SealedRequests, SealedText } from '../encoding/sealed-requests.ts';
import type { StoredOutcome } from '../encoding/stored-outcome.ts';
import type { ScrapeStore, StoredScrape } from '../scrape-store.ts';
import type { CachedPageRows } from './cached-page-rows.ts';
import { type HistoryRows, packLook } from './history-rows.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { ResultRows } from './result-rows.ts';
import type { Served } from './served.ts';

export type FoundScrape = Omit<StoredScrape, 'outcome'> & { stored: StoredOutcome };

export interface ScrapeRows extends Omit<Served<ScrapeStore>, 'find'> {
  find(...args: Parameters<ScrapeStore['find']>): FoundScrape | undefined;
  /** Call inside a transaction. False, without storing anything, if the result is already gone. */
  addRow(scrape: NewScrape): boolean;
  removeExpired(now: number, limit: number): number;
  /** Removes the oldest scrapes before they expire, but no pages of jobs: a job's caller may not have seen them yet. */
  discard(limit: number): number;
  /** Call inside a transaction: removes at most `limit` scrapes of a job, with their results. */
  removeOfJob(job: number, limit: number): number;
}

export interface NewScrape {
  id: string;
  teamId: string;
  url: string;
  ownContent?: string;
  metadata: Record<string, unknown>;
  warning?: string;
  resultId: number;
  createdAt: number;
  /** Its own options and expiry, or a reference to its job. */
  of: { options: unknown; expiresAt: number } | { job: number; position: number };
}

interface ScrapeRow {
  url: string;
  startUrl: string | null;
  options: SealedText;
  ownContent: string | null;
  metadata: string;
  warning: string | null;
  bodyId: number;
  createdAt: number;
  expiresAt: number;
}

interface ScrapeRowsDeps {
  connection: Connection;
  results: ResultRows;
  pages: CachedPageRows;
  ledger: Pick<LedgerRows, 'record'>;
  history: Pick<HistoryRows, 'write'>;
  sealed: SealedRequests;
}

export function createScrapeRows({ connection, results, pages, ledger, history, sealed }: ScrapeRowsDeps): ScrapeRows {
  const sql = prepareAll(connection);

  const addRow = (scrape: NewScrape): boolean => {
    const { id, teamId, url, ownContent = null, metadata, warning, resultId, createdAt, of } = scrape;
    if (!results.retain(resultId)) return false;
    const ownOrJobs =
      'job' in of ? [null, null, of.job, of.position] : [sealed.seal(of.options, teamId), of.expiresAt, null, null];
    const texts = [ownContent, JSON.stringify(metadata), warning || null];
    sql.addScrape.run(id, teamId, url, ...texts, resultId, createdAt, ...ownOrJobs);
    return true;
  };

  const letGo = (removed: { resultId: number }[]): number => {
    for (const { resultId } of removed) results.release(resultId);
    return removed.length;
  };

  return {
    addRow,
    add(charge, record) {
      const packed = packToStore(record.toStore);
      const look = packLook(record.look);
      connection.transaction(() => {
        ledger.record({ ...charge, succeeded: true });
        const { options, expiresAt, toStore: _, look: __, ...scrape } = record;
        // If the result was deleted in the meantime, the scrape cannot be read back, but it still counts.
        addRow({ ...scrape, resultId: pages.write(packed), of: { options, expiresAt } });
        history.write(record.teamId, look);
      });
      freeToStore(record.toStore);
      pages.makeRoom(charge.now);
    },
    find(id, teamId, now) {
      const row = sql.findScrape.get(id, teamId, now);
      const stored = row && results.readOutcome(row.bodyId);
      if (!stored) return undefined;
      return {
        id,
        teamId,
        url: row.url,
        ...(row.startUrl && { startUrl: row.startUrl }),
        options: sealed.open(row.options, teamId) ?? {},
        metadata: JSON.parse(row.metadata),
        ...(row.ownContent !== null && { ownContent: row.ownContent }),
        ...(row.warning !== null && { warning: row.warning }),
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        stored,
      };
    },
    lastSuccessAt: (teamId) => sql.lastSuccess.get(teamId)?.at ?? null,
    removeExpired: (now, limit) => connection.transaction(() => letGo(sql.removeExpired.all(now, limit))),
    discard: (limit) => connection.transaction(() => letGo(sql.removeOldest.all(limit))),
    removeOfJob: (job, limit) => letGo(sql.removeOfJob.all(job, limit)),
  };
}

const prepareAll = (connection: Connection) => ({
  lastSuccess: connection.prepare<{ at: number | null }>('SELECT last_success_at AS at FROM teams WHERE id = ?'),
  addScrape: connection.prepare(
    `INSERT INTO scrapes (id, team_id, url, own_content, metadata, warning, result_id, created_at, options, expires_at,
       job, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  // Pages of a job exist as long as the job. Those of a zero-data-retention job cannot be read individually.
  findScrape: connection.prepare<ScrapeRow>(
    `SELECT scrapes.url, job_requests.url AS startUrl, coalesce(scrapes.options, job_requests.options) AS options, own_content AS ownContent,
       metadata, warning,
       body_id AS bodyId, scrapes.created_at AS createdAt, coalesce(scrapes.expires_at, jobs.expires_at) AS expiresAt
     FROM scrapes JOIN results ON results.id = result_id
       LEFT JOIN jobs ON jobs.number = scrapes.job LEFT JOIN job_requests ON job_requests.job = scrapes.job
     WHERE scrapes.id = ? AND scrapes.team_id = ? AND jobs.zero_data_retention IS NOT 1
       AND (jobs.status IS 'scraping' OR coalesce(scrapes.expires_at, jobs.expires_at) > ?)`,
  ),
  removeExpired: connection.prepare<{ resultId: number }>(
    `DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE expires_at <= ? LIMIT ?)
     RETURNING result_id AS resultId`,
  ),
  removeOldest: connection.prepare<{ resultId: number }>(
    `DELETE FROM scrapes WHERE id IN
       (SELECT id FROM scrapes WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT ?)
     RETURNING result_id AS resultId`,
  ),
  removeOfJob: connection.prepare<{ resultId: number }>(
    `DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE job = ? ORDER BY position LIMIT ?)
     RETURNING result_id AS resultId`,
  ),
});
