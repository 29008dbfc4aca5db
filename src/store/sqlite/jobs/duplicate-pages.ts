// Recognises the same page under two URLs: by the target of a redirect, or by its canonical URL and its text.

import type { Connection } from '../../../util/sqlite.ts';
import { isSamePage } from '../../encoding/similar-texts.ts';
import type { DonePage } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';

/** Larger groups are meaningless, as when a site names its front page as canonical everywhere. */
const MAX_COMPARED = 100;

/** Call both inside the transaction that ends the task. */
export interface DuplicatePages {
  /** Whether the job already has this page. */
  isDone(job: Job, page: DonePage): boolean;
  /** Drops another task that would lead to the same final URL. */
  dropTwin(job: Job, finalKey: string): void;
}

export function createDuplicatePages(connection: Connection): DuplicatePages {
  const doneAt = connection.prepare(
    `SELECT 1 FROM tasks WHERE job = ?1 AND key = ?2 AND state = 'done' AND kind = 'page'
     UNION ALL SELECT 1 FROM tasks WHERE job = ?1 AND final_key = ?2 AND state = 'done' LIMIT 1`,
  );
  const sameText = connection.prepare(
    `SELECT 1 FROM tasks WHERE job = ? AND group_key = ? AND exact = ? AND state = 'done' LIMIT 1`,
  );
  const ofGroup = connection.prepare<{ simhashes: string | null }>(
    `SELECT group_concat(simhash) AS simhashes FROM (
       SELECT simhash FROM tasks WHERE job = ? AND group_key = ? AND state = 'done' LIMIT ${MAX_COMPARED})`,
  );
  const twin = connection.prepare<{ id: number; state: string }>(
    `SELECT id, state FROM tasks
     WHERE job = ? AND key = ? AND kind = 'page' AND state IN ('waiting', 'paused', 'spare', 'known')`,
  );
  const drop = connection.prepare(`UPDATE tasks SET state = 'duplicate' WHERE id = ?`);

  return {
    isDone(job, { finalKey, group, fingerprint }) {
      return (
        doneAt.get(job.number, finalKey) !== undefined ||
        sameText.get(job.number, group, fingerprint.exact) !== undefined ||
        (ofGroup.get(job.number, group)!.simhashes?.split(',') ?? []).some((simhash) =>
          isSamePage(simhash, fingerprint.simhash),
        )
      );
    },
    dropTwin(job, finalKey) {
      const found = twin.get(job.number, finalKey);
      if (!found) return;
      drop.run(found.id);
      if (found.state === 'spare') job.spares -= 1;
      else if (found.state === 'known') job.known -= 1;
      else job.total -= 1;
    },
  };
}
