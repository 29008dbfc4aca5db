// Detects endless URL patterns (calendars, facets, sessions): a pattern whose pages bring nothing new for too long is
// closed.
import type { TextFingerprint } from '../../../contracts/page.ts';
import { BARREN_PAGES, hasNothingNew, TEXTS_COMPARED } from '../../encoding/similar-texts.ts';
import type { NewTask } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';
import { indexed } from '../../sql/indexed-text.ts';
import type { Sql } from '../database/database.ts';

/** A page that is done or turned out to be a duplicate. */
export interface EndedPage {
  id: number;
  url: string;
  pattern: string;
  chained: boolean;
  fingerprint: TextFingerprint;
}

/** Watches the links of one page while they are added. */
export interface LinkWatch {
  /** Call it before any of the links is added. */
  prepare(sql: Sql, links: readonly NewTask[]): Promise<void>;
  see(link: NewTask): void;
  /** Whether a link leads to a new path of the job, outside the page's own pattern. */
  readonly foundNewPath: boolean;
}

/** Call all inside a transaction that has locked the job. */
export interface CrawlTraps {
  /** Those of the patterns that are closed. */
  closedAmong(sql: Sql, job: number, patterns: ReadonlySet<string>): Promise<Set<string>>;
  watch(job: number, pattern: string): LinkWatch;
  /** Counts a page, and closes its pattern after too many without anything new. */
  countPage(sql: Sql, job: Job, page: EndedPage, foundNewWay: boolean): Promise<void>;
}

export function createCrawlTraps(): CrawlTraps {
  const closedAmong: CrawlTraps['closedAmong'] = async (sql, job, patterns) => {
    const asked = [...patterns].filter((pattern) => pattern !== '');
    if (asked.length === 0) return new Set();
    const rows = await sql<{ pattern: string }[]>`
      SELECT pattern FROM job_patterns WHERE job = ${job} AND closed AND pattern = ANY(${asked.map(indexed)}::text[])`;
    const closed = new Set(rows.map(({ pattern }) => pattern));
    return new Set(asked.filter((pattern) => closed.has(indexed(pattern))));
  };

  return {
    closedAmong,
    watch(job, pattern) {
      const knownPaths = new Set<string>();
      const newPaths = new Set<string>();
      // Pages without a pattern are never counted, so nothing has to be looked up for them.
      let foundNewWay = pattern === '';
      return {
        async prepare(sql, links) {
          if (foundNewWay) return;
          for (const path of await knownPathsAmong(sql, job, new Set(links.map(pathOf)))) knownPaths.add(path);
        },
        see(link) {
          if (foundNewWay) return;
          const path = pathOf(link);
          if (link.refused) {
            if (!newPaths.has(path)) knownPaths.add(path);
            return;
          }
          if (knownPaths.has(path)) return;
          newPaths.add(path);
          foundNewWay = link.pattern !== pattern;
        },
        get foundNewPath() {
          return foundNewWay;
        },
      };
    },
    async countPage(sql, job, { id, url, pattern, chained, fingerprint }, foundNewWay) {
      if (pattern === '') return;
      const key = indexed(pattern);
      const [[counted], texts] = await Promise.all([
        sql<{ barren: number; closed: boolean }[]>`
          SELECT barren, closed FROM job_patterns WHERE job = ${job.number} AND pattern = ${key}`,
        foundNewWay ? [] : recentTexts(sql, job.number, key, id),
      ]);
      if (counted?.closed) return;
      const isBarren = !foundNewWay && hasNothingNew({ url, fingerprint, isChained: chained }, texts);
      if (isBarren) {
        if ((await countBarren(sql, job.number, key)) >= BARREN_PAGES) await close(sql, job, key);
      } else if (counted && counted.barren > 0) await startAgain(sql, job.number, key);
    },
  };
}

/** A key is a path, with or without a query. */
const pathOf = ({ key }: NewTask): string => key.split('?', 1)[0]!;

async function knownPathsAmong(sql: Sql, job: number, paths: ReadonlySet<string>): Promise<string[]> {
  const asked = [...paths];
  // `@` follows `?` in ASCII and ends the range of keys with a query.
  // Each path is looked up in the index: with EXISTS, a planner without statistics may read all tasks of the job.
  const rows = await sql<{ at: number }[]>`
    SELECT path.at FROM unnest(${asked.map(indexed)}::text[]) WITH ORDINALITY AS path (key, at)
    WHERE (SELECT 1 FROM tasks WHERE job = ${job} AND tasks.key = path.key COLLATE "C" LIMIT 1) = 1
      OR (SELECT 1 FROM tasks WHERE job = ${job}
        AND tasks.key >= (path.key || '?') COLLATE "C" AND tasks.key < (path.key || '@') COLLATE "C" LIMIT 1) = 1`;
  return rows.map(({ at }) => asked[at - 1]!);
}

const recentTexts = (sql: Sql, job: number, pattern: string, ownId: number) => sql<TextFingerprint[]>`
  SELECT exact, gist, simhash FROM tasks
  WHERE job = ${job} AND pattern = ${pattern} AND pattern <> '' AND exact IS NOT NULL AND id <> ${ownId}
  ORDER BY ended_at DESC LIMIT ${TEXTS_COMPARED}`;

const startAgain = (sql: Sql, job: number, pattern: string) => sql`
  UPDATE job_patterns SET barren = 0 WHERE job = ${job} AND pattern = ${pattern}`;

async function countBarren(sql: Sql, job: number, pattern: string): Promise<number> {
  const [row] = await sql<{ barren: number }[]>`
    INSERT INTO job_patterns (job, pattern, barren) VALUES (${job}, ${pattern}, 1)
    ON CONFLICT (job, pattern) DO UPDATE SET barren = job_patterns.barren + 1 RETURNING barren`;
  return row!.barren;
}

/** Drops what still waits. A task that another worker claims at this moment is read and counted like those that run. */
async function close(sql: Sql, job: Job, pattern: string): Promise<void> {
  await sql`UPDATE job_patterns SET closed = true WHERE job = ${job.number} AND pattern = ${pattern}`;
  const dropped = await sql<{ state: string }[]>`
    WITH open AS (
      SELECT id, state FROM tasks
      WHERE job = ${job.number} AND pattern = ${pattern} AND pattern <> '' AND state IN ('waiting', 'paused', 'spare')
      FOR UPDATE SKIP LOCKED)
    UPDATE tasks SET state = 'duplicate' FROM open WHERE tasks.id = open.id RETURNING open.state`;
  const spares = dropped.filter(({ state }) => state === 'spare').length;
  job.total -= dropped.length - spares;
  job.spares -= spares;
}
