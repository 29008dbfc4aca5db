// Lets failed pages of a job wait again. Each keeps its place in the order of claims, and its error is forgotten.
import { setImmediate } from 'node:timers/promises';
import type { JobStore } from '../../../ports/jobs/job-store.ts';
import { isOpen, type Job } from '../../../rules/jobs/job-record.ts';
import { reopen } from '../../../rules/jobs/job-times.ts';
import type { Tx } from '../../database.ts';
import { type JobControlDeps, TASKS_PER_PART } from './control-deps.ts';

interface RetriedPart {
  retried: number;
  /** Failed pages for which the limit has no room. */
  left: number;
  lastId: number;
  isLast: boolean;
}

export function createRetryPages({ database, rows, tasks, lock }: JobControlDeps): JobStore['retry'] {
  /** By their ids, so that a page that fails again meanwhile is not retried twice. */
  const retryPart = async (tx: Tx, job: Job, afterId: number): Promise<RetriedPart> => {
    const failed = await failedAfter(tx, job.number, afterId);
    const pages = failed.filter(({ kind }) => kind === 'page');
    const lastId = failed.at(-1)?.id ?? afterId;
    let room = job.limit - job.total;
    // A page takes its slot back from one that was found later.
    if (pages.length > room) room += await tasks.demote(tx, job, pages.length - room, lastId);
    const retried = pages.slice(0, Math.max(0, room));
    const kickOffs = failed.filter(({ kind }) => kind === 'kick-off');
    job.total += retried.length;
    job.failed -= retried.length;
    job.kickOffs += kickOffs.length;
    await waitAgain(
      tx,
      [...retried, ...kickOffs].map(({ id }) => id),
    );
    const left = pages.length - retried.length;
    return { retried: retried.length, left, lastId, isLast: failed.length < TASKS_PER_PART };
  };

  return async (id, teamId, { now, maxUnfinished }) => {
    const sum = { retried: 0, left: 0 };
    for (let afterId = 0; ; ) {
      const part = await database.transaction(async (tx) => {
        await rows.lockQueue(tx, teamId);
        const job = await lock(tx, id, teamId, now);
        if (!job) return 'unknown';
        if (job.status === 'cancelled') return job.status;
        const runsAgain = job.status !== 'scraping' && (isOpen(job) || job.failed > 0);
        if (runsAgain && (await rows.isQueueFull(tx, teamId, maxUnfinished))) return 'queue-full';
        const some = await retryPart(tx, job, afterId);
        reopen(job);
        await rows.save(tx, job);
        return some;
      });
      if (typeof part === 'string') return part === 'unknown' ? undefined : part;
      sum.retried += part.retried;
      sum.left += part.left;
      if (part.isLast) return sum;
      afterId = part.lastId;
      await setImmediate();
    }
  };
}

const failedAfter = (tx: Tx, job: number, afterId: number) => tx.rows<{ id: number; kind: 'page' | 'kick-off' }>`
  SELECT id, kind FROM tasks WHERE job = ${job} AND state IN ('failed', 'blocked', 'refused') AND state = 'failed'
    AND id > ${afterId} ORDER BY id LIMIT ${TASKS_PER_PART}`;

async function waitAgain(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  // Events that were not sent yet: the page gets another one.
  await tx.run`DELETE FROM deliveries WHERE task IS NOT NULL AND task = ANY(${ids}::bigint[]) AND status = 'waiting'`;
  // Those that were sent stay in the log, but cannot be sent again: the page will say something else.
  await tx.run`UPDATE deliveries SET task = NULL WHERE task IS NOT NULL AND task = ANY(${ids}::bigint[])`;
  await tx.run`
    UPDATE tasks SET state = 'waiting', attempt = 0, ended_at = NULL, scrape_id = NULL, code = NULL, message = NULL
    WHERE id = ANY(${ids}::bigint[])`;
}
