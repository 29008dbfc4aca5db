// What lists show of jobs: each is one query on an index, however large the jobs are.
import type { JobViews, ListedJob, StoredJobs } from '../../../ports/jobs/job-views.ts';
import { type Database, sql } from '../../database.ts';
import { createEndedPages } from './ended-pages.ts';
import { createFrontierCounts, type HostMemories } from './frontier-counts.ts';

type JobRow = Omit<ListedJob, 'target' | 'pausedAt' | 'finishedAt' | 'error'> & {
  target: string | null;
  pausedAt: number | null;
  finishedAt: number | null;
  error: string | null;
};

export function createJobViews(database: Database, memoriesOfOthers: HostMemories): JobViews {
  return {
    list: createJobList(database),
    async stored(teamId, kinds, now) {
      const stored = await database.one<StoredJobs>`
        SELECT count(*) AS jobs, coalesce(sum(stored_bytes), 0)::bigint AS bytes FROM jobs
        WHERE team_id = ${teamId} AND run_id IS NULL AND kind = ANY(${kinds}::text[])
          AND (status = 'scraping' OR (expires_at > ${now} AND finished_at IS NOT NULL))`;
      return stored!;
    },
    endedPages: createEndedPages(database),
    frontier: createFrontierCounts(database, memoriesOfOthers),
    // By their keys, for which there is an index: those are the ids of their scrapes, which increase with time.
    async batchUrls(id, limit) {
      const rows = await database.rows<{ url: string }>`
        SELECT url FROM (SELECT id, url FROM tasks
          WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id} AND jobs.kind = 'batch_scrape')
          ORDER BY key LIMIT ${limit}) AS first
        ORDER BY id`;
      return rows.map(({ url }) => url);
    },
  };
}

/** The jobs of a team, newest first. */
const createJobList =
  (database: Database): JobViews['list'] =>
  async (teamId, { kinds, statuses, isPaused, after, limit }, now) => {
    // A batch has no URL of its own: it is named by the first of those that its own page shows.
    const rows = await database.rows<JobRow>`
      SELECT id, kind, status, page_limit AS "limit", total, completed, failed, credits, stored_bytes AS "storedBytes", paused_at AS "pausedAt",
        created_at AS "createdAt", finished_at AS "finishedAt", error, expires_at AS "expiresAt",
        CASE WHEN zero_data_retention THEN NULL
          WHEN jobs.kind = 'crawl' THEN (SELECT url FROM job_requests WHERE job = number)
          ELSE (SELECT url FROM (SELECT id, url FROM tasks WHERE tasks.job = number ORDER BY key LIMIT 101) AS first
            ORDER BY id LIMIT 1)
        END AS target
      FROM jobs
      WHERE team_id = ${teamId} AND run_id IS NULL AND kind = ANY(${kinds}::text[])
        AND (status = 'scraping' OR (expires_at > ${now} AND finished_at IS NOT NULL))
        ${after ? sql`AND (created_at, id) < (${after.at}, ${after.id})` : sql``}
        ${statuses ? sql`AND status = ANY(${statuses}::text[])` : sql``}
        ${isPaused === undefined ? sql`` : sql`AND (paused_at IS NOT NULL) = ${isPaused}`}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
    return rows.map(({ target, pausedAt, finishedAt, error, ...job }) => ({
      ...job,
      ...(target !== null && { target }),
      ...(pausedAt !== null && { pausedAt }),
      ...(finishedAt !== null && { finishedAt }),
      ...(error !== null && { error }),
    }));
  };
