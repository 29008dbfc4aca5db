// The same page under two addresses: found by where a redirect led, or by the address a page calls its own.

import type { Connection } from '../../../util/sqlite.ts';
import type { DonePage } from '../../job-queue.ts';
import type { Job } from './job-rows.ts';
import { isSamePage } from './similar-texts.ts';

/** More pages than this share a group only where the group means nothing (a site that names its front page everywhere). */
const MOST_COMPARED = 100;

/** Both for a task that is running, inside the transaction that ends it. */
export interface DuplicatePages {
  /** Is a page that is done already this very page? */
  isDone(job: Job, page: DonePage): boolean;
  /** Another task that would go where this page was found is not needed any more. */
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
       SELECT simhash FROM tasks WHERE job = ? AND group_key = ? AND state = 'done' LIMIT ${MOST_COMPARED})`,
  );
  const twin = connection.prepare<{ id: number; state: string }>(
    `SELECT id, state FROM tasks
     WHERE job = ? AND key = ? AND kind = 'page' AND state IN ('waiting', 'paused', 'spare')`,
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
      else job.total -= 1;
    },
  };
}
