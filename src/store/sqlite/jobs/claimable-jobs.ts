// Which jobs a worker can work on, for workers that did not see them start.
import type { JobQueue } from '../../ports/jobs/job-queue.ts';
import { type Database, sql } from '../../sql/database.ts';

export type ClaimableJobs = Pick<JobQueue, 'claimable'>;

export const createClaimableJobs = (database: Database): ClaimableJobs => ({
  async claimable({ fullHosts, now, limit }) {
    const isFree = sql`NOT host = ANY(${fullHosts}::text[])`;
    // By the index of each state.
    const jobs = await database.rows<{ id: string }>`
      SELECT id FROM (
        SELECT id, created_at, number, row_number() OVER (PARTITION BY team_id ORDER BY created_at, number) AS turn
        FROM jobs WHERE status = 'scraping' AND paused_at IS NULL AND (
          EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'waiting' AND ${isFree})
          OR EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'paused' AND due_at <= ${now} AND ${isFree})
          OR EXISTS (SELECT 1 FROM tasks WHERE job = number AND state = 'running' AND lease_until <= ${now} AND ${isFree})))
      ORDER BY turn, created_at, number LIMIT ${limit}`;
    return jobs.map(({ id }) => id);
  },
});
