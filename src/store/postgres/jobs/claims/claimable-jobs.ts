// Which jobs have tasks for the workers of this process, for those that did not see them start.
import type { JobQueue } from '../../../ports/jobs/job-queue.ts';
import type { PostgresDatabase } from '../../database/database.ts';

type ClaimableJobs = Pick<JobQueue, 'claimable'>;

/** A job with more hosts that are full or belong to others counts as claimable: a claim of it looks at the next ones. */
const HOSTS_PER_JOB = 200;

/**
 * Asked about once a second by every process. Tasks that are due are few, so their rows are read; hosts with waiting tasks are
 * visited by one step in the index each, until one is free.
 */
export const createClaimableJobs = ({ sql }: Pick<PostgresDatabase, 'sql'>, process: string): ClaimableJobs => ({
  async claimable({ fullHosts, now, limit }) {
    const isFree = sql`
      (walk.host <> ALL(${fullHosts}::text[]) AND NOT EXISTS (
        SELECT 1 FROM host_owners WHERE host_owners.host = walk.host AND owner <> ${process} AND host_owners.lease_until > ${now}))`;
    const rows = await sql<{ id: string }[]>`
      SELECT id FROM (
        SELECT id, created_at, number, row_number() OVER (PARTITION BY team_id ORDER BY created_at, number) AS turn
        FROM jobs WHERE status = 'scraping' AND paused_at IS NULL AND (
          EXISTS (SELECT 1 FROM tasks AS walk WHERE job = number AND state = 'paused' AND due_at <= ${now} AND ${isFree})
          OR EXISTS (SELECT 1 FROM tasks AS walk WHERE job = number AND state = 'running' AND lease_until <= ${now} AND ${isFree})
          OR EXISTS (
            WITH RECURSIVE walk (host, visited) AS (
              (SELECT host, 1 FROM tasks WHERE job = number AND state = 'waiting' ORDER BY host LIMIT 1)
              UNION ALL
              SELECT (SELECT host FROM tasks WHERE job = number AND state = 'waiting' AND tasks.host > walk.host
                ORDER BY host LIMIT 1), visited + 1
              FROM walk WHERE walk.host IS NOT NULL AND visited < ${HOSTS_PER_JOB}
            )
            SELECT 1 FROM walk WHERE walk.host IS NOT NULL AND (visited = ${HOSTS_PER_JOB} OR ${isFree})))
      ) AS claimable
      ORDER BY turn, created_at, number LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  },
});
