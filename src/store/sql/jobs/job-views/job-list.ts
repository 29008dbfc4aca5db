// The jobs of a team, newest first.
import type { JobViews, ListedJob } from '../../../ports/jobs/job-views.ts';
import { type Database, sql } from '../../database.ts';

type Row = Omit<ListedJob, 'target' | 'pausedAt' | 'finishedAt' | 'error'> & {
  target: string | null;
  pausedAt: number | null;
  finishedAt: number | null;
  error: string | null;
};

export const createJobList =
  (database: Database): JobViews['list'] =>
  async (teamId, { kinds, statuses, isPaused, after, limit }, now) => {
    // A batch has no URL of its own: it is named by the first of those that its own page shows.
    const rows = await database.rows<Row>`
      SELECT id, kind, status, page_limit AS "limit", total, completed, failed, credits, paused_at AS "pausedAt",
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
