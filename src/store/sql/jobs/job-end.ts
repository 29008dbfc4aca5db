// Ends a job, for whatever reason.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { isOpen, type Job } from '../../rules/jobs/job-record.ts';
import { markEnded } from '../../rules/jobs/job-times.ts';
import type { Tx } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { TaskRows } from './task-rows.ts';

/** Both change the job in memory, inside a transaction that has locked it and saves it. */
export interface JobEnd {
  end(tx: Tx, job: Job, status: Exclude<JobStatus, 'scraping'>, now: number): Promise<void>;
  /**
   * Completes a running job that has nothing left to do. If it tracks changes, pages come first that only an earlier crawl
   * has found; it returns their number.
   */
  endIfDone(tx: Tx, job: Job, now: number): Promise<number>;
}

export interface JobEndDeps {
  deliveries: Pick<DeliveryQueue, 'queue'>;
  tasks: Pick<TaskRows, 'promoteKnown'>;
}

export function createJobEnd({ deliveries, tasks }: JobEndDeps): JobEnd {
  const end: JobEnd['end'] = async (tx, job, status, now) => {
    markEnded(job, status, now);
    if (status === 'failed') {
      await tx.run`
        UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = attempt - 1
        WHERE job = ${job.number} AND state = 'running'`;
    }
    await deliveries.queue(tx, job, status, now);
  };
  return {
    end,
    async endIfDone(tx, job, now) {
      if (job.status !== 'scraping' || isOpen(job)) return 0;
      const promoted = await tasks.promoteKnown(tx, job);
      if (promoted === 0) await end(tx, job, 'completed', now);
      return promoted;
    },
  };
}
