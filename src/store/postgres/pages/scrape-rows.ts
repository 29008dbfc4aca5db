// SQL for scrapes, stand-alone or as pages of a job.
import { freeToStore } from '../../encoding/pack-page.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import { openStored } from '../../encoding/stored-outcome.ts';
import type { ScrapeStore } from '../../scrape-store.ts';
import type { Database, Sql } from '../database/database.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { BodyColumns } from './bodies.ts';
import type { CachedPageRows } from './cache/cached-page-rows.ts';
import type { ResultRows } from './cache/result-rows.ts';
import type { HistoryRows } from './history-rows.ts';
import type { PagePacker } from './pack-to-store.ts';

export interface ScrapeRows extends ScrapeStore {
  /** Call inside a transaction. False, without storing anything, if the result is already gone. */
  addRow(sql: Sql, scrape: NewScrape): Promise<boolean>;
  removeExpired(now: number, limit: number): Promise<number>;
  /** Call inside a transaction: removes at most `limit` scrapes of a job, with their results. */
  removeOfJob(sql: Sql, job: number, limit: number): Promise<number>;
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

interface ScrapeRow extends BodyColumns {
  url: string;
  startUrl: string | null;
  options: SealedText;
  ownContent: string | null;
  metadata: string;
  warning: string | null;
  createdAt: number;
  expiresAt: number;
}

interface ScrapeRowsDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  results: ResultRows;
  packer: PagePacker;
  pages: Pick<CachedPageRows, 'write' | 'makeRoom'>;
  ledger: Pick<LedgerRows, 'record' | 'lastSuccessAt'>;
  history: Pick<HistoryRows, 'write'>;
  sealed: SealedRequests;
}

export function createScrapeRows(deps: ScrapeRowsDeps): ScrapeRows {
  const { database, results, packer, pages, ledger, history, sealed } = deps;
  const { sql: pool, transaction } = database;

  // The lock of the result keeps it from being removed before the scrape can be seen.
  const addRow: ScrapeRows['addRow'] = async (sql, scrape) => {
    const { id, teamId, url, ownContent, metadata, warning, resultId, createdAt, of } = scrape;
    const own = 'job' in of ? undefined : { options: sealed.seal(of.options, teamId), expiresAt: of.expiresAt };
    const ofJob = 'job' in of ? of : undefined;
    const added = await sql`
      INSERT INTO scrapes (id, team_id, url, own_content, metadata, warning, result_id, created_at, options, expires_at, job,
        position)
      SELECT ${id}, ${teamId}, ${url}, ${ownContent ?? null}, ${JSON.stringify(metadata)}, ${warning || null}, id,
        ${createdAt}::bigint, ${own?.options ?? null}, ${own?.expiresAt ?? null}::bigint, ${ofJob?.job ?? null}::bigint,
        ${ofJob?.position ?? null}::integer
      FROM results WHERE id = ${resultId} FOR KEY SHARE`;
    return added.count > 0;
  };

  const letGo = async (sql: Sql, removed: readonly { resultId: number }[]): Promise<number> => {
    await results.release(
      sql,
      removed.map(({ resultId }) => resultId),
    );
    return removed.length;
  };

  return {
    addRow,
    async add(charge, record) {
      const { options, expiresAt, toStore, look, ...scrape } = record;
      const [packed, packedLook] = await Promise.all([packer.pack(toStore), packer.packLook(look)]);
      await packer.whileWriting([packed, packedLook], () =>
        transaction(async (sql) => {
          await ledger.record(sql, { ...charge, succeeded: true });
          const resultId = await pages.write(sql, packed);
          // If the result was deleted in the meantime, the scrape cannot be read back, but it still counts.
          await addRow(sql, { ...scrape, resultId, of: { options, expiresAt } });
          await history.write(sql, record.teamId, packedLook);
        }),
      );
      // The content is about to be sent to the caller.
      freeToStore(toStore, { keepsContent: true });
      await pages.makeRoom(charge.now);
    },
    async find(id, teamId, now) {
      // Pages of a job exist as long as the job. Those of a zero-data-retention job cannot be read individually.
      const [row] = await pool<ScrapeRow[]>`
        SELECT scrapes.url, job_requests.url AS "startUrl", coalesce(scrapes.options, job_requests.options) AS options,
          own_content AS "ownContent", metadata, warning, results.blob, results.bytes, scrapes.created_at AS "createdAt",
          coalesce(scrapes.expires_at, jobs.expires_at) AS "expiresAt"
        FROM scrapes JOIN results ON results.id = result_id
          LEFT JOIN jobs ON jobs.number = scrapes.job LEFT JOIN job_requests ON job_requests.job = scrapes.job
        WHERE scrapes.id = ${id} AND scrapes.team_id = ${teamId} AND jobs.zero_data_retention IS NOT TRUE
          AND (jobs.status = 'scraping' OR coalesce(scrapes.expires_at, jobs.expires_at) > ${now})`;
      const stored = row && (await results.readOutcome(row));
      if (!stored) return undefined;
      return openStored({
        ...{ id, teamId, url: row.url },
        ...(row.startUrl && { startUrl: row.startUrl }),
        options: sealed.open(row.options, teamId) ?? {},
        metadata: JSON.parse(row.metadata),
        ...(row.ownContent !== null && { ownContent: row.ownContent }),
        ...(row.warning !== null && { warning: row.warning }),
        ...{ createdAt: row.createdAt, expiresAt: row.expiresAt, stored },
      });
    },
    lastSuccessAt: (teamId) => ledger.lastSuccessAt(pool, teamId),
    removeExpired: (now, limit) =>
      transaction(async (sql) =>
        letGo(
          sql,
          await sql<{ resultId: number }[]>`
            DELETE FROM scrapes WHERE id IN (
              SELECT id FROM scrapes WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING result_id AS "resultId"`,
        ),
      ),
    removeOfJob: async (sql, job, limit) =>
      letGo(
        sql,
        await sql<{ resultId: number }[]>`
          DELETE FROM scrapes WHERE id IN (
            SELECT id FROM scrapes WHERE job = ${job} ORDER BY position LIMIT ${limit} FOR UPDATE)
          RETURNING result_id AS "resultId"`,
      ),
  };
}
