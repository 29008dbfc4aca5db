// Changes the limit of a crawl. Pages beyond the limit are spares: a higher limit lets them wait, a lower one makes more of them.
import { setImmediate } from 'node:timers/promises';
import type { JobStore, LimitChange, NewLimit } from '../../../ports/jobs/job-store.ts';
import { hasMore, isOpen, type Job } from '../../../rules/jobs/job-record.ts';
import { reopen } from '../../../rules/jobs/job-times.ts';
import type { Tx } from '../../database.ts';
import { type JobControlDeps, TASKS_PER_PART } from './control-deps.ts';

export function createChangeLimit(deps: JobControlDeps): JobStore['setLimit'] {
  const { database, rows, tasks, end, lock } = deps;

  const refusal = async (tx: Tx, job: Job, { limit, maxUnfinished }: NewLimit): Promise<LimitChange | undefined> => {
    const least = job.completed + (await countBegun(tx, job.number));
    if (limit < least) return { least };
    const runsAgain = job.status !== 'scraping' && limit > job.limit && (hasMore(job) || job.known > 0);
    return runsAgain && (await rows.isQueueFull(tx, job.teamId, maxUnfinished)) ? 'queue-full' : undefined;
  };

  /** Moves the limit as far as one part allows. Returns whether that is all. */
  const move = async (tx: Tx, job: Job, limit: number): Promise<boolean> => {
    if (job.total > limit) {
      const demoted = await tasks.demote(tx, job, Math.min(job.total - limit, TASKS_PER_PART));
      // Pages that were begun meanwhile are read.
      job.limit = Math.max(limit, job.total);
      return demoted === 0 || job.total <= limit;
    }
    job.limit = Math.min(limit, job.total + TASKS_PER_PART);
    if ((await tasks.promote(tx, job)) === TASKS_PER_PART) return false;
    job.limit = limit;
    if (!isOpen(job)) await tasks.promoteKnown(tx, job);
    return true;
  };

  const moveAndSave = async (
    tx: Tx,
    job: Job,
    { limit, now }: NewLimit,
    isFirst: boolean,
  ): Promise<LimitChange | undefined> => {
    // Sitemaps were only read up to the old limit.
    if (isFirst && limit > job.limit && hasMore(job)) job.kickOffs += await restartKickOffs(tx, job.number);
    const isAll = await move(tx, job, limit);
    reopen(job);
    if (isAll) await end.endIfDone(tx, job, now);
    await rows.save(tx, job);
    return isAll ? { hasDropped: Boolean(job.droppedLinks) } : undefined;
  };

  return async (id, teamId, change) => {
    for (let reached: number | undefined; ; ) {
      const { answer, limit } = await database.transaction(async (tx) => {
        await rows.lockQueue(tx, teamId);
        const job = await lock(tx, id, teamId, change.now);
        if (!job) return { answer: 'unknown' as const };
        if (job.status === 'failed' || job.status === 'cancelled') return { answer: job.status };
        const isFirst = reached === undefined;
        // A later call has set another limit: two that move it in turns would never end.
        if (!isFirst && job.limit !== reached) return { answer: { hasDropped: Boolean(job.droppedLinks) } };
        const refused = isFirst ? await refusal(tx, job, change) : undefined;
        const answer = refused ?? (await moveAndSave(tx, job, change, isFirst));
        return { answer, limit: job.limit };
      });
      if (answer) return answer === 'unknown' ? undefined : answer;
      reached = limit;
      await setImmediate();
    }
  };
}

/** Pages that run, or wait until their host can be asked again. */
async function countBegun(tx: Tx, job: number): Promise<number> {
  const begun = await tx.one<{ count: number }>`
    SELECT (SELECT count(*) FROM tasks WHERE job = ${job} AND state = 'running' AND kind = 'page')
      + (SELECT count(*) FROM tasks WHERE job = ${job} AND state = 'paused' AND kind = 'page') AS count`;
  return begun!.count;
}

const restartKickOffs = (tx: Tx, job: number) => tx.run`
  UPDATE tasks SET state = 'waiting', attempt = 0, ended_at = NULL
  WHERE job = ${job} AND kind = 'kick-off' AND state = 'done'`;
