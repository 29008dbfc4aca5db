// Recognises the same page under two URLs: by the target of a redirect, or by its canonical URL and its text.
import { isSamePage } from '../../encoding/similar-texts.ts';
import type { DonePage } from '../../ports/jobs/job-queue.ts';
import type { Job } from '../../rules/jobs/job-record.ts';
import type { BooleanColumn, Tx } from '../database.ts';
import { indexed } from '../indexed-text.ts';

/** Larger groups are meaningless, as when a site names its front page as canonical everywhere. */
const MAX_COMPARED = 100;

/** Call both inside the transaction that has locked the job and ends the task. */
export interface DuplicatePages {
  /** Whether the job already has this page. */
  isDone(tx: Tx, job: Job, page: DonePage): Promise<boolean>;
  /** Drops another task that would lead to the same final URL. */
  dropTwin(tx: Tx, job: Job, finalKey: string): Promise<void>;
}

export function createDuplicatePages(): DuplicatePages {
  return {
    async isDone(tx, { number: job }, { finalKey, group, fingerprint }) {
      const key = indexed(finalKey);
      const groupKey = indexed(group);
      // The state is looked at last: with it, a planner without statistics would read all ended pages of the job.
      const found = await tx.one<{ same: BooleanColumn; simhashes: string | null }>`
        SELECT coalesce((SELECT state = 'done' AND kind = 'page' FROM tasks WHERE job = ${job} AND key = ${key}), false)
          OR EXISTS (SELECT 1 FROM tasks WHERE job = ${job} AND final_key = ${key} AND state = 'done')
          OR EXISTS (SELECT 1 FROM tasks
            WHERE job = ${job} AND group_key = ${groupKey} AND exact = ${fingerprint.exact} AND state = 'done') AS same,
          (SELECT string_agg(simhash, ',') FROM (
            SELECT simhash FROM tasks WHERE job = ${job} AND group_key = ${groupKey} AND state = 'done'
            LIMIT ${MAX_COMPARED}) AS of_group) AS simhashes`;
      const { same, simhashes } = found!;
      return Boolean(same) || (simhashes?.split(',') ?? []).some((one) => isSamePage(one, fingerprint.simhash));
    },
    async dropTwin(tx, job, finalKey) {
      // One that is claimed at this moment is read, and then found to be a duplicate.
      const twin = await tx.one<{ id: number; state: string }>`
        SELECT id, state FROM tasks
        WHERE job = ${job.number} AND key = ${indexed(finalKey)} AND kind = 'page'
          AND state IN ('waiting', 'paused', 'spare', 'known')
        FOR UPDATE SKIP LOCKED`;
      if (!twin) return;
      await tx.run`UPDATE tasks SET state = 'duplicate' WHERE id = ${twin.id}`;
      if (twin.state === 'spare') job.spares -= 1;
      else if (twin.state === 'known') job.known -= 1;
      else job.total -= 1;
    },
  };
}
