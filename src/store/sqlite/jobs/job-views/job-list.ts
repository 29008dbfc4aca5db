// The jobs of a team, newest first.
import type { Connection } from '../../../../util/sqlite.ts';
import type { JobViews, ListedJob } from '../../../job-views.ts';
import type { Served } from '../../served.ts';

type Row = Omit<ListedJob, 'target' | 'pausedAt' | 'finishedAt' | 'error'> & {
  target: string | null;
  pausedAt: number | null;
  finishedAt: number | null;
  error: string | null;
};

export function createJobList(connection: Connection): Served<JobViews>['list'] {
  const list = connection.prepare<Row>(LIST);
  return (teamId, { kinds, statuses, isPaused, after, limit }, now) =>
    list
      .all(
        teamId,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? '',
        JSON.stringify(kinds),
        statuses === undefined ? null : JSON.stringify(statuses),
        isPaused === undefined ? null : Number(isPaused),
        now,
        limit,
      )
      .map(({ target, pausedAt, finishedAt, error, ...job }) => ({
        ...job,
        ...(target !== null && { target }),
        ...(pausedAt !== null && { pausedAt }),
        ...(finishedAt !== null && { finishedAt }),
        ...(error !== null && { error }),
      }));
}

// A batch has no URL of its own: it is named by the first of those that its own page shows.
const TARGET = `CASE WHEN zero_data_retention = 1 THEN NULL
  WHEN jobs.kind = 'crawl' THEN (SELECT url FROM job_requests WHERE job = number)
  ELSE (SELECT url FROM (SELECT id, url FROM tasks WHERE tasks.job = number ORDER BY key LIMIT 101) ORDER BY id LIMIT 1)
  END`;

const LIST = `SELECT id, kind, status, page_limit AS "limit", total, completed, failed, credits, paused_at AS pausedAt,
    created_at AS createdAt, finished_at AS finishedAt, error, expires_at AS expiresAt, ${TARGET} AS target
  FROM jobs INDEXED BY jobs_by_age
  WHERE team_id = ?1 AND run_id IS NULL AND (created_at, id) < (?2, ?3)
    AND kind IN (SELECT value FROM json_each(?4)) AND (?5 IS NULL OR status IN (SELECT value FROM json_each(?5)))
    AND (?6 IS NULL OR (paused_at IS NOT NULL) = ?6) AND (status = 'scraping' OR (expires_at > ?7 AND finished_at IS NOT NULL))
  ORDER BY created_at DESC, id DESC LIMIT ?8`;
