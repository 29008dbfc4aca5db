// Pauses of jobs. The claims look at them, so a pause holds for every worker and across restarts.
import type { JobStatus } from '../../../../contracts/job.ts';
import type { JobStore } from '../../../job-store.ts';
import { LONGEST_PAUSE_MS, LONGEST_PRIVATE_PAUSE_MS, PAUSED_TOO_LONG } from '../../../records/jobs/job-times.ts';
import type { Served } from '../../served.ts';
import type { JobControlDeps } from './control-deps.ts';

export type Pauses = Pick<Served<JobStore>, 'pause' | 'resume' | 'endPauses'>;

export function createPauses({ connection, rows, end, find }: JobControlDeps): Pauses {
  const expiredPauses = connection.prepare<{ number: number; id: string }>(
    `SELECT number, id FROM jobs WHERE paused_at IS NOT NULL AND paused_at <= iif(zero_data_retention = 1, ?, ?)`,
  );

  const setPause = (id: string, teamId: string, now: number, isPaused: boolean): JobStatus | undefined =>
    connection.transaction(() => {
      const job = find(id, teamId, now);
      if (job?.status === 'scraping' && (job.pausedAt !== null) !== isPaused) {
        job.pausedAt = isPaused ? now : null;
        rows.save(job);
      }
      return job?.status;
    });

  return {
    pause: (id, teamId, now) => setPause(id, teamId, now, true),
    resume: (id, teamId, now) => setPause(id, teamId, now, false),
    endPauses(now) {
      const expired = expiredPauses.all(now - LONGEST_PRIVATE_PAUSE_MS, now - LONGEST_PAUSE_MS);
      return expired.map(({ number, id }) => {
        connection.transaction(() => {
          const job = rows.find(number)!;
          end.end(job, 'cancelled', now);
          job.error = PAUSED_TOO_LONG;
          rows.save(job);
        });
        return rows.view(id)!;
      });
    },
  };
}
