// Changes the limit of a crawl. Pages beyond the limit are spares: a higher limit lets them wait, a lower one makes more of them.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../../../../util/sqlite.ts';
import type { JobStore, LimitChange, NewLimit } from '../../../job-store.ts';
import { hasMore, isOpen, type Job } from '../../../records/jobs/job-record.ts';
import { type JobControlDeps, TASKS_PER_PART } from './control-deps.ts';

export function createChangeLimit(deps: JobControlDeps): JobStore['setLimit'] {
  const { connection, rows, tasks, end, find } = deps;
  const sql = prepareAll(connection);

  const refusal = (job: Job, { limit, maxUnfinished }: NewLimit): LimitChange | undefined => {
    const least = job.completed + sql.begun.get(job.number)!.count;
    if (limit < least) return { least };
    const runsAgain = job.status !== 'scraping' && limit > job.limit && (hasMore(job) || job.known > 0);
    return runsAgain && rows.isQueueFull(job.teamId, maxUnfinished) ? 'queue-full' : undefined;
  };

  /** Sitemaps were only read up to the old limit. */
  const readSitemapsAgain = (job: Job): void => {
    if (hasMore(job)) job.kickOffs += Number(sql.restartKickOffs.run(job.number).changes);
  };

  /** Moves the limit as far as one part allows. Returns whether that is all. */
  const move = (job: Job, limit: number): boolean => {
    if (job.total > limit) {
      const demoted = tasks.demote(job, Math.min(job.total - limit, TASKS_PER_PART));
      // Pages that were begun between two parts are read.
      job.limit = Math.max(limit, job.total);
      return demoted === 0 || job.total <= limit;
    }
    job.limit = Math.min(limit, job.total + TASKS_PER_PART);
    if (tasks.promote(job) === TASKS_PER_PART) return false;
    job.limit = limit;
    if (!isOpen(job)) tasks.promoteKnown(job);
    return true;
  };

  const moveAndSave = (job: Job, { limit, now }: NewLimit, isFirst: boolean): LimitChange | undefined => {
    if (isFirst && limit > job.limit) readSitemapsAgain(job);
    const isAll = move(job, limit);
    end.reopen(job);
    if (isAll) end.endIfDone(job, now);
    rows.save(job);
    return isAll ? { hasDropped: Boolean(job.droppedLinks) } : undefined;
  };

  return async (id, teamId, change) => {
    let reached: number | undefined;
    while (true) {
      const answer = connection.transaction(() => {
        const job = find(id, teamId, change.now);
        if (!job) return 'unknown';
        if (job.status === 'failed' || job.status === 'cancelled') return job.status;
        const isFirst = reached === undefined;
        // A later call has set another limit: two that move it in turns would never end.
        if (!isFirst && job.limit !== reached) return { hasDropped: Boolean(job.droppedLinks) };
        const answer = (isFirst && refusal(job, change)) || moveAndSave(job, change, isFirst);
        reached = job.limit;
        return answer;
      });
      if (answer) return answer === 'unknown' ? undefined : answer;
      await setImmediate();
    }
  };
}

const prepareAll = (connection: Connection) => ({
  /** Pages that run, or wait until their host can be asked again. */
  begun: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT kind FROM tasks WHERE job = ?1 AND state = 'running' UNION ALL
       SELECT kind FROM tasks WHERE job = ?1 AND state = 'paused') WHERE kind = 'page'`,
  ),
  restartKickOffs: connection.prepare(
    `UPDATE tasks SET state = 'waiting', attempt = 0, ended_at = NULL
     WHERE job = ? AND kind = 'kick-off' AND state = 'done'`,
  ),
});
