// Recognises the same page under two URLs: by the target of a redirect, or by its canonical URL and its text.
import { isSamePage } from '../../encoding/similar-texts.ts';
import type { DonePage } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';
import { indexed } from '../../sql/indexed-text.ts';
import type { Sql } from '../database/database.ts';

/** Larger groups are meaningless, as when a site names its front page as canonical everywhere. */
const MAX_COMPARED = 100;

/** Call both inside the transaction that has locked the job and ends the task. */
export interface DuplicatePages {
  /** Whether the job already has this page. */
  isDone(sql: Sql, job: Job, page: DonePage): Promise<boolean>;
  /** Drops another task that would lead to the same final URL. */
  dropTwin(sql: Sql, job: Job, finalKey: string): Promise<void>;
}

export function createDuplicatePages(): DuplicatePages {
  return {
    async isDone(sql, { number: job }, { finalKey, group, fingerprint }) {
      const key = indexed(finalKey);
      // The state is looked at last: with it, a planner without statistics would read all ended pages of the job.
      const [found] = await sql<{ same: boolean; simhashes: string[] }[]>`
        SELECT coalesce((SELECT state = 'done' AND kind = 'page' FROM tasks WHERE job = ${job} AND key = ${key}), false)
          OR EXISTS (SELECT 1 FROM tasks WHERE job = ${job} AND final_key = ${key} AND state = 'done')
          OR EXISTS (SELECT 1 FROM tasks
            WHERE job = ${job} AND group_key = ${indexed(group)} AND exact = ${fingerprint.exact} AND state = 'done') AS same,
          ARRAY(SELECT simhash FROM tasks WHERE job = ${job} AND group_key = ${indexed(group)} AND state = 'done'
            LIMIT ${MAX_COMPARED}) AS simhashes`;
      const { same, simhashes } = found!;
      return same || simhashes.some((simhash) => isSamePage(simhash, fingerprint.simhash));
    },
    async dropTwin(sql, job, finalKey) {
      // One that is claimed at this moment is read, and then found to be a duplicate.
      const [dropped] = await sql<{ state: string }[]>`
        WITH twin AS (
          SELECT id, state FROM tasks
          WHERE job = ${job.number} AND key = ${indexed(finalKey)} AND kind = 'page'
            AND state IN ('waiting', 'paused', 'spare', 'known')
          FOR UPDATE SKIP LOCKED)
        UPDATE tasks SET state = 'duplicate' FROM twin WHERE tasks.id = twin.id RETURNING twin.state`;
      if (!dropped) return;
      if (dropped.state === 'spare') job.spares -= 1;
      else if (dropped.state === 'known') job.known -= 1;
      else job.total -= 1;
    },
  };
}
