// Scrapes, stand-alone or as pages of a job.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { StoredOutcome } from '../../encoding/stored-outcome.ts';
import type { ScrapeStore, StoredScrape } from '../../ports/pages/scrape-store.ts';
import type { Database, Remover, Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';
import type { SqlLedger } from '../teams/ledger.ts';
import type { Bodies, BodyColumns } from './bodies.ts';
import type { CachedPageRows } from './cache/cached-page-rows.ts';
import type { ResultRows } from './cache/result-rows.ts';
import type { HistoryRows } from './history-rows.ts';
import type { PagePacker } from './page-packer.ts';

/** A scrape whose outcome is still as stored. */
export type FoundScrape = Omit<StoredScrape, 'outcome'> & { stored: StoredOutcome };

export interface ScrapeRows extends Omit<ScrapeStore, 'find'> {
  find(...args: Parameters<ScrapeStore['find']>): Promise<FoundScrape | undefined>;
  /** Call inside a transaction. False, without storing anything, if the result is already gone. */
  addRow(tx: Tx, scrape: NewScrape): Promise<boolean>;
  removeExpired: Remover;
  /** Removes the oldest scrapes before they expire, but no pages of jobs: a job's caller may not have seen them yet. */
  discard(limit: number): Promise<number>;
  /**
   * Call inside a transaction: copies a scrape, so that its content stays until somebody lets it go, whatever becomes of its job
   * and of the cache. False if it is already gone.
   */
  keep(tx: Tx, scrapeId: string, copy: { id: string; teamId: string; options: SealedText }): Promise<boolean>;
  /** Call inside a transaction: removes these scrapes. */
  letGo(tx: Tx, ids: readonly string[]): Promise<unknown>;
  /** Call inside a transaction: removes at most `limit` scrapes of a job, with their results. */
  removeOfJob(tx: Tx, job: number, limit: number): Promise<number>;
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
  of: { options: SealedText; expiresAt: number } | { job: number; position: number };
}

/** What scrapes need of the ledger. */
export type ScrapeLedger = Pick<SqlLedger, 'record' | 'lastSuccessAt'>;

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

/** The expiry of what is kept until somebody lets it go: the end of the year 9999, which any clock can show. */
const KEPT = 253_402_300_799_000;

interface KeptRow {
  url: string;
  ownContent: string | null;
  metadata: string;
  warning: string | null;
  resultId: number;
  createdAt: number;
}

interface ScrapeRowsDeps {
  database: Database;
  bodies: Pick<Bodies, 'columns'>;
  results: ResultRows;
  packer: PagePacker;
  pages: Pick<CachedPageRows, 'write' | 'makeRoom'>;
  ledger: ScrapeLedger;
  history: Pick<HistoryRows, 'write'>;
  sealed: Sealer;
}

export function createScrapeRows(deps: ScrapeRowsDeps): ScrapeRows {
  const { database, bodies, results, packer, pages, ledger, history, sealed } = deps;

  // The lock of the result keeps it from being removed before the scrape can be seen.
  const addRow: ScrapeRows['addRow'] = async (tx, scrape) => {
    const { id, teamId, url, ownContent, metadata, warning, resultId, createdAt, of } = scrape;
    const own = 'job' in of ? undefined : of;
    const ofJob = 'job' in of ? of : undefined;
    const added = await tx.run`
      INSERT INTO scrapes (id, team_id, url, own_content, metadata, warning, result_id, created_at, options, expires_at, job,
        position)
      SELECT ${id}, ${teamId}, ${url}, ${ownContent}, ${JSON.stringify(metadata)}, ${warning || null}, id,
        ${createdAt}::bigint, ${own?.options}, ${own?.expiresAt}::bigint, ${ofJob?.job}::bigint,
        ${ofJob?.position}::integer
      FROM results WHERE id = ${resultId} FOR KEY SHARE`;
    return added > 0;
  };

  const letGo = (tx: Tx, removed: readonly Removed[]) => letResultsGo(results, tx, removed);

  return {
    addRow,
    ...createKeeping(results, addRow),
    async add(charge, record) {
      const { options, expiresAt, toStore, look, ...scrape } = record;
      const [packed, packedLook, sealedOptions] = await Promise.all([
        packer.pack(toStore),
        packer.packLook(look),
        sealed.seal(options, record.teamId),
      ]);
      await packer.whileWriting([packed, packedLook], () =>
        database.transaction(async (tx) => {
          await ledger.record(tx, { ...charge, succeeded: true });
          const resultId = await pages.write(tx, packed);
          // If the result was deleted in the meantime, the scrape cannot be read back, but it still counts.
          await addRow(tx, { ...scrape, resultId, of: { options: sealedOptions, expiresAt } });
          await history.write(tx, record.teamId, packedLook);
        }),
      );
      packer.free(toStore);
      if ('result' in packed) await pages.makeRoom(charge.now);
    },
    async find(id, teamId, now) {
      // Pages of a job exist as long as the job. Those of a zero-data-retention job cannot be read individually.
      const row = await database.one<ScrapeRow>`
        SELECT scrapes.url, job_requests.url AS "startUrl", coalesce(scrapes.options, job_requests.options) AS options,
          own_content AS "ownContent", metadata, warning, scrapes.created_at AS "createdAt",
          coalesce(scrapes.expires_at, jobs.expires_at) AS "expiresAt", ${bodies.columns}
        FROM scrapes JOIN results ON results.id = result_id
          LEFT JOIN jobs ON jobs.number = scrapes.job LEFT JOIN job_requests ON job_requests.job = scrapes.job
        WHERE scrapes.id = ${id} AND scrapes.team_id = ${teamId} AND jobs.zero_data_retention IS NOT TRUE
          AND (jobs.status = 'scraping' OR coalesce(scrapes.expires_at, jobs.expires_at) > ${now})`;
      const stored = row && (await results.readOutcome(row));
      if (!stored) return undefined;
      return {
        ...{ id, teamId, url: row.url },
        ...(row.startUrl && { startUrl: row.startUrl }),
        options: (await sealed.open(row.options, teamId)) ?? {},
        metadata: JSON.parse(row.metadata),
        ...(row.ownContent !== null && { ownContent: row.ownContent }),
        ...(row.warning !== null && { warning: row.warning }),
        ...{ createdAt: row.createdAt, expiresAt: row.expiresAt, stored },
      };
    },
    lastSuccessAt: (teamId) => ledger.lastSuccessAt(database, teamId),
    removeExpired: (now, limit) =>
      database.transaction(async (tx) =>
        letGo(
          tx,
          await tx.rows<{ resultId: number }>`
            DELETE FROM scrapes WHERE id IN (
              SELECT id FROM scrapes WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING result_id AS "resultId"`,
        ),
      ),
    discard: (limit) =>
      database.transaction(async (tx) =>
        letGo(
          tx,
          await tx.rows<{ resultId: number }>`
            DELETE FROM scrapes WHERE id IN (
              SELECT id FROM scrapes WHERE expires_at < ${KEPT} ORDER BY expires_at LIMIT ${limit}
              FOR UPDATE SKIP LOCKED)
            RETURNING result_id AS "resultId"`,
        ),
      ),
    removeOfJob: async (tx, job, limit) =>
      letGo(
        tx,
        await tx.rows<{ resultId: number }>`
          DELETE FROM scrapes WHERE id IN (
            SELECT id FROM scrapes WHERE job = ${job} ORDER BY position LIMIT ${limit} FOR UPDATE)
          RETURNING result_id AS "resultId"`,
      ),
  };
}

interface Removed {
  resultId: number;
}

async function letResultsGo(results: ResultRows, tx: Tx, removed: readonly Removed[]): Promise<number> {
  await results.release(
    tx,
    removed.map(({ resultId }) => resultId),
  );
  return removed.length;
}

const createKeeping = (results: ResultRows, addRow: ScrapeRows['addRow']): Pick<ScrapeRows, 'keep' | 'letGo'> => ({
  async keep(tx, scrapeId, { id, teamId, options }) {
    const row = await tx.one<KeptRow>`
      SELECT url, own_content AS "ownContent", metadata, warning, result_id AS "resultId", created_at AS "createdAt"
      FROM scrapes WHERE id = ${scrapeId} AND team_id = ${teamId}`;
    if (!row) return false;
    const { ownContent, metadata, warning, ...scrape } = row;
    return addRow(tx, {
      ...{ ...scrape, id, teamId, of: { options, expiresAt: KEPT } },
      metadata: { ...(JSON.parse(metadata) as object), scrapeId: id },
      ...(ownContent !== null && { ownContent }),
      ...(warning !== null && { warning }),
    });
  },
  async letGo(tx, ids) {
    if (ids.length === 0) return;
    const removed = await tx.rows<Removed>`
      DELETE FROM scrapes WHERE id = ANY(${ids}::text[]) RETURNING result_id AS "resultId"`;
    await letResultsGo(results, tx, removed);
  },
});
