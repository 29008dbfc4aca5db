// Which jobs a worker can work on, for workers that did not see them start.
import type { Connection } from '../../../util/sqlite.ts';
import type { JobQueue } from '../../job-queue.ts';
import type { Served } from '../served.ts';

export type ClaimableJobs = Pick<Served<JobQueue>, 'claimable'>;

export function createClaimableJobs(connection: Connection): ClaimableJobs {
  const claimable = connection.prepare<{ id: string }>(
    `SELECT id FROM (
       SELECT id, created_at, number, row_number() OVER (PARTITION BY team_id ORDER BY created_at, number) AS turn
       FROM jobs WHERE status = 'scraping' AND paused_at IS NULL AND EXISTS (
         SELECT 1 FROM tasks WHERE job = number
           AND (state = 'waiting' OR (state = 'paused' AND due_at <= ?1) OR (state = 'running' AND lease_until <= ?1))
           AND host NOT IN (SELECT value FROM json_each(?2))))
     ORDER BY turn, created_at, number LIMIT ?3`,
  );
  return {
    claimable: ({ fullHosts, now, limit }) => claimable.all(now, JSON.stringify(fullHosts), limit).map(({ id }) => id),
  };
}
