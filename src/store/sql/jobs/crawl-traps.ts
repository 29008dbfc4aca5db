// Detects endless URL patterns (calendars, facets, sessions): a pattern whose pages bring nothing new for too long is
// closed.
import type { TextFingerprint } from '../../../page/page.ts';
import { BARREN_PAGES, hasNothingNew, TEXTS_COMPARED } from '../../encoding/similar-texts.ts';
import type { NewTask } from '../../ports/jobs/job-queue.ts';
import type { Job } from '../../rules/jobs/job-record.ts';
import type { BooleanColumn, Tx } from '../database.ts';
import { indexed } from '../indexed-text.ts';

/** A page that is done or turned out to be a duplicate. */
interface EndedPage {
  id: number;
  url: string;
  /** As it is in the index. */
  pattern: string;
  chained: BooleanColumn;
  fingerprint: TextFingerprint;
}

/** Watches the links of one page while they are added. */
export interface LinkWatch {
  /** Call it with the new links, before any of them is added. */
  prepare(tx: Tx, links: readonly NewTask[]): Promise<void>;
  see(link: NewTask): void;
  /** Whether a link leads to a new path of the job, outside the page's own pattern. */
  readonly foundNewPath: boolean;
}

/** Call all inside a transaction that has locked the job. */
export interface CrawlTraps {
  /** Returns which of these patterns are closed. */
  closedAmong(tx: Tx, job: number, patterns: ReadonlySet<string>): Promise<Set<string>>;
  watch(job: number, pattern: string): LinkWatch;
  /** Counts a page, and closes its pattern after too many without anything new. */
  countPage(tx: Tx, job: Job, page: EndedPage, foundNewWay: boolean): Promise<void>;
}

export function createCrawlTraps(): CrawlTraps {
  return {
    async closedAmong(tx, job, patterns) {
      const asked = [...patterns].filter((pattern) => pattern !== '');
      if (asked.length === 0) return new Set();
      const rows = await tx.rows<{ pattern: string }>`
        SELECT asked.pattern FROM unnest(${asked.map(indexed)}::text[]) AS asked (pattern)
        WHERE (SELECT closed FROM job_patterns WHERE job = ${job} AND job_patterns.pattern = asked.pattern COLLATE "C")`;
      const closed = new Set(rows.map(({ pattern }) => pattern));
      return new Set(asked.filter((pattern) => closed.has(indexed(pattern))));
    },
    watch(job, pattern) {
      let knownPaths = new Set<string>();
      const newPaths = new Set<string>();
      // Pages without a pattern are never counted, so nothing has to be looked up for them.
      let foundNewWay = pattern === '';
      return {
        async prepare(tx, links) {
          if (!foundNewWay) knownPaths = await knownPathsAmong(tx, job, links.map(pathOf));
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
          foundNewWay = indexed(link.pattern) !== pattern;
        },
        get foundNewPath() {
          return foundNewWay;
        },
      };
    },
    async countPage(tx, job, { id, url, pattern, chained, fingerprint }, foundNewWay) {
      if (pattern === '') return;
      const [counted, texts] = await Promise.all([
        tx.one<{ barren: number; closed: BooleanColumn }>`
          SELECT barren, closed FROM job_patterns WHERE job = ${job.number} AND pattern = ${pattern}`,
        foundNewWay ? [] : recentTexts(tx, job.number, pattern, id),
      ]);
      if (counted?.closed) return;
      const isBarren = !foundNewWay && hasNothingNew({ url, fingerprint, isChained: Boolean(chained) }, texts);
      if (isBarren) {
        const barren = (counted?.barren ?? 0) + 1;
        await noteBarren(tx, job.number, pattern, barren);
        if (barren >= BARREN_PAGES) await close(tx, job, pattern);
      } else if (counted && counted.barren > 0) {
        await tx.run`UPDATE job_patterns SET barren = 0 WHERE job = ${job.number} AND pattern = ${pattern}`;
      }
    },
  };
}

/** A key is a path, with or without a query. */
const pathOf = ({ key }: NewTask): string => indexed(key.split('?', 1)[0]!);

/** Each path is looked up in the index: with EXISTS, a planner without statistics may read all tasks of the job. */
async function knownPathsAmong(tx: Tx, job: number, paths: readonly string[]): Promise<Set<string>> {
  // `@` follows `?` in ASCII and ends the range of keys with a query.
  const known = await tx.rows<{ key: string }>`
    SELECT path.key FROM unnest(${[...new Set(paths)]}::text[]) AS path (key)
    WHERE (SELECT 1 FROM tasks WHERE job = ${job} AND tasks.key = path.key COLLATE "C" LIMIT 1) = 1
      OR (SELECT 1 FROM tasks WHERE job = ${job}
        AND tasks.key >= (path.key || '?') COLLATE "C" AND tasks.key < (path.key || '@') COLLATE "C" LIMIT 1) = 1`;
  return new Set(known.map(({ key }) => key));
}

/** Read as one text, because a hundred row objects would take longer than the rest of the call. */
async function recentTexts(tx: Tx, job: number, pattern: string, ownId: number): Promise<TextFingerprint[]> {
  const recent = await tx.one<{ fingerprints: string | null }>`
    SELECT string_agg(exact || gist || simhash, ',') AS fingerprints FROM (
      SELECT exact, gist, simhash FROM tasks
      WHERE job = ${job} AND pattern = ${pattern} AND pattern <> '' AND exact IS NOT NULL AND id <> ${ownId}
      ORDER BY ended_at DESC LIMIT ${TEXTS_COMPARED}) AS recent`;
  return recent!.fingerprints?.split(',').map(readFingerprint) ?? [];
}

const readFingerprint = (digits: string): TextFingerprint => ({
  exact: digits.slice(0, 16),
  gist: digits.slice(16, 32),
  simhash: digits.slice(32),
});

const noteBarren = (tx: Tx, job: number, pattern: string, barren: number) => tx.run`
  INSERT INTO job_patterns (job, pattern, barren) VALUES (${job}, ${pattern}, ${barren})
  ON CONFLICT (job, pattern) DO UPDATE SET barren = excluded.barren`;

/** Drops what still waits. A task that another worker claims at this moment is read and counted like those that run. */
async function close(tx: Tx, job: Job, pattern: string): Promise<void> {
  await tx.run`UPDATE job_patterns SET closed = true WHERE job = ${job.number} AND pattern = ${pattern}`;
  const spares = await tx.run`
    UPDATE tasks SET state = 'duplicate' WHERE id IN (
      SELECT id FROM tasks WHERE job = ${job.number} AND pattern = ${pattern} AND pattern <> ''
        AND state IN ('waiting', 'paused', 'spare') AND state = 'spare' FOR UPDATE SKIP LOCKED)`;
  const counted = await tx.run`
    UPDATE tasks SET state = 'duplicate' WHERE id IN (
      SELECT id FROM tasks WHERE job = ${job.number} AND pattern = ${pattern} AND pattern <> ''
        AND state IN ('waiting', 'paused', 'spare') AND state <> 'spare' FOR UPDATE SKIP LOCKED)`;
  job.spares -= spares;
  job.total -= counted;
}
