// Detects endless URL patterns (calendars, facets, sessions): a pattern whose pages bring nothing new for too long is
// closed.
import type { TextFingerprint } from '../../../contracts/page.ts';
import type { Connection } from '../../../util/sqlite.ts';
import { BARREN_PAGES, hasNothingNew, TEXTS_COMPARED } from '../../encoding/similar-texts.ts';
import type { NewTask } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';

/** A page that is done or turned out to be a duplicate. */
export interface EndedPage {
  id: number;
  url: string;
  pattern: string;
  chained: 0 | 1;
  fingerprint: TextFingerprint;
}

/** Watches the links of one page while they are added. */
export interface LinkWatch {
  see(link: NewTask): void;
  /** Whether a link leads to a new path of the job, outside the page's own pattern. */
  readonly foundNewPath: boolean;
}

/** Call all inside a transaction. */
export interface CrawlTraps {
  isClosed(job: number, pattern: string): boolean;
  watch(job: number, pattern: string): LinkWatch;
  /** Counts a page, and closes its pattern after too many without anything new. */
  countPage(job: Job, page: EndedPage, foundNewWay: boolean): void;
}

export function createCrawlTraps(connection: Connection): CrawlTraps {
  const sql = prepareAll(connection);

  const isClosed = (job: number, pattern: string) => pattern !== '' && sql.pattern.get(job, pattern)?.closed === 1;

  const recentTexts = (job: number, pattern: string, ownId: number): TextFingerprint[] => {
    const { fingerprints } = sql.recentTexts.get(job, pattern, ownId)!;
    return fingerprints === null ? [] : fingerprints.split(',').map(readFingerprint);
  };

  const close = (job: Job, pattern: string) => {
    sql.close.run(job.number, pattern);
    job.total -= Number(sql.dropCounted.run(job.number, pattern).changes);
    job.spares -= Number(sql.dropSpares.run(job.number, pattern).changes);
  };

  return {
    isClosed,
    watch(job, pattern) {
      const newPaths = new Set<string>();
      // Pages without a pattern are never counted, so nothing has to be looked up for them.
      let foundNewWay = pattern === '';
      return {
        see({ key, pattern: linkPattern }) {
          if (foundNewWay) return;
          const path = key.split('?', 1)[0]!;
          if (!newPaths.has(path)) {
            if (sql.pathKnown.get(job, path)) return;
            newPaths.add(path);
          }
          foundNewWay = linkPattern !== pattern;
        },
        get foundNewPath() {
          return foundNewWay;
        },
      };
    },
    countPage(job, { id, url, pattern, chained, fingerprint }, foundNewWay) {
      if (pattern === '' || isClosed(job.number, pattern)) return;
      const page = { url, fingerprint, isChained: chained === 1 };
      const isBarren = !foundNewWay && hasNothingNew(page, recentTexts(job.number, pattern, id));
      if (!isBarren) sql.startAgain.run(job.number, pattern);
      else if (sql.countBarren.get(job.number, pattern)!.barren >= BARREN_PAGES) close(job, pattern);
    },
  };
}

const readFingerprint = (digits: string): TextFingerprint => ({
  exact: digits.slice(0, 16),
  gist: digits.slice(16, 32),
  simhash: digits.slice(32),
});

const OPEN_OF_PATTERN = `job = ? AND pattern = ? AND pattern <> '' AND state IN ('waiting', 'paused', 'spare')`;

const prepareAll = (connection: Connection) => ({
  pattern: connection.prepare<{ closed: 0 | 1 }>('SELECT closed FROM job_patterns WHERE job = ? AND pattern = ?'),
  // A key is a path, with or without a query. `@` follows `?` in ASCII and ends the range of keys with one.
  pathKnown: connection.prepare(
    `SELECT 1 FROM tasks WHERE job = ?1 AND key = ?2
     UNION ALL SELECT 1 FROM tasks WHERE job = ?1 AND key >= ?2 || '?' AND key < ?2 || '@' LIMIT 1`,
  ),
  // As one text, because a hundred row objects would take longer than the rest of the call.
  recentTexts: connection.prepare<{ fingerprints: string | null }>(
    `SELECT group_concat(exact || gist || simhash) AS fingerprints FROM (
       SELECT exact, gist, simhash FROM tasks WHERE job = ? AND pattern = ? AND pattern <> '' AND exact IS NOT NULL
         AND id <> ? ORDER BY ended_at DESC LIMIT ${TEXTS_COMPARED})`,
  ),
  startAgain: connection.prepare('UPDATE job_patterns SET barren = 0 WHERE job = ? AND pattern = ? AND barren > 0'),
  countBarren: connection.prepare<{ barren: number }>(
    `INSERT INTO job_patterns (job, pattern, barren) VALUES (?, ?, 1)
     ON CONFLICT (job, pattern) DO UPDATE SET barren = barren + 1 RETURNING barren`,
  ),
  close: connection.prepare('UPDATE job_patterns SET closed = 1 WHERE job = ? AND pattern = ?'),
  dropCounted: connection.prepare(`UPDATE tasks SET state = 'duplicate' WHERE ${OPEN_OF_PATTERN} AND state <> 'spare'`),
  dropSpares: connection.prepare(`UPDATE tasks SET state = 'duplicate' WHERE ${OPEN_OF_PATTERN} AND state = 'spare'`),
});
