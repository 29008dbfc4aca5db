// Pauses of jobs. The claims look at them, so a pause holds for every worker of every process, and across restarts.
import type { JobStatus } from '../../../../contracts/crawl/job.ts';
import type { JobStore, JobView } from '../../../ports/jobs/job-store.ts';
import { LONGEST_PAUSE_MS, LONGEST_PRIVATE_PAUSE_MS, PAUSED_TOO_LONG } from '../../../rules/jobs/job-times.ts';
import type { Database } from '../../database.ts';
import type { JobControlDeps } from './control-deps.ts';

export type Pauses = Pick<JobStore, 'pause' | 'resume' | 'endPauses'>;

export function createPauses({ database, rows, end, lock }: JobControlDeps): Pauses {
  const setPause = (id: string, teamId: string, now: number, isPaused: boolean): Promise<JobStatus | undefined> =>
    database.transaction(async (tx) => {
      const job = await lock(tx, id, teamId, now);
      if (job?.status === 'scraping' && (job.pausedAt !== null) !== isPaused) {
        job.pausedAt = isPaused ? now : null;
        await rows.save(tx, job);
      }
      return job?.status;
    });

  /** False if it was resumed or cancelled meanwhile, or another process does the same. */
  const endPause = (id: string, now: number): Promise<boolean> =>
    database.transaction(async (tx) => {
      const job = await rows.lock(tx, id);
      const longest = job?.zeroDataRetention ? LONGEST_PRIVATE_PAUSE_MS : LONGEST_PAUSE_MS;
      if (!job || job.pausedAt === null || job.pausedAt > now - longest) return false;
      await end.end(tx, job, 'cancelled', now);
      job.error = PAUSED_TOO_LONG;
      await rows.save(tx, job);
      return true;
    });

  return {
    pause: (id, teamId, now) => setPause(id, teamId, now, true),
    resume: (id, teamId, now) => setPause(id, teamId, now, false),
    async endPauses(now) {
      const ended: JobView[] = [];
      for (const { id } of await pausedTooLong(database, now)) {
        const view = (await endPause(id, now)) && (await rows.view(id));
        if (view) ended.push(view);
      }
      return ended;
    },
  };
}

const pausedTooLong = (database: Database, now: number) => database.rows<{ id: string }>`
  SELECT id FROM jobs WHERE paused_at IS NOT NULL AND paused_at <=
    CASE WHEN zero_data_retention THEN ${now - LONGEST_PRIVATE_PAUSE_MS}::bigint ELSE ${now - LONGEST_PAUSE_MS}::bigint END`;
