// Ends a job, for whatever reason.
import type { JobStatus } from '../../../contracts/job.ts';
import type { Connection } from '../../../util/sqlite.ts';
import { isOpen, type Job } from '../../records/jobs/job-record.ts';
import { markEnded, reopen } from '../../records/jobs/job-times.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { TaskRows } from './task-rows.ts';

/** All change the job in memory, inside a transaction that saves it. */
export interface JobEnd {
  /** Open tasks of a job that cannot run again are left to the sweeper: of one that is cancelled, or belongs to a run. */
  end(job: Job, status: Exclude<JobStatus, 'scraping'>, now: number): void;
  /**
   * Completes a running job that has nothing left to do. If it tracks changes, pages come first that only an earlier crawl
   * has found; it returns their number.
   */
  endIfDone(job: Job, now: number): number;
  /** Lets an ended job run again if it has something to do. */
  reopen(job: Job): void;
}

export interface JobEndDeps {
  connection: Connection;
  deliveries: Pick<DeliveryRows, 'queue'>;
  tasks: Pick<TaskRows, 'promoteKnown'>;
}

export function createJobEnd({ connection, deliveries, tasks }: JobEndDeps): JobEnd {
  const giveBackRunning = connection.prepare(
    `UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = attempt - 1
     WHERE job = ? AND state = 'running'`,
  );
  const end: JobEnd['end'] = (job, status, now) => {
    markEnded(job, status, now);
    if (status === 'failed') giveBackRunning.run(job.number);
    deliveries.queue(job, status, now);
  };
  return {
    end,
    endIfDone(job, now) {
      if (job.status !== 'scraping' || isOpen(job)) return 0;
      const promoted = tasks.promoteKnown(job);
      if (promoted === 0) end(job, 'completed', now);
      return promoted;
    },
    reopen,
  };
}
