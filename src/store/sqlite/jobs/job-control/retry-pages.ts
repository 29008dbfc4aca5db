// Lets failed pages of a job wait again. Each keeps its place in the order of claims, and its error is forgotten.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../../../../util/sqlite.ts';
import type { JobStore } from '../../../job-store.ts';
import { isOpen, type Job } from '../../../records/jobs/job-record.ts';
import { type JobControlDeps, TASKS_PER_PART } from './control-deps.ts';

interface RetriedPart {
  retried: number;
  /** Failed pages for which the limit has no room. */
  left: number;
  lastId: number;
  isLast: boolean;
}

export function createRetryPages({ connection, rows, tasks, end, find }: JobControlDeps): JobStore['retry'] {
  const sql = prepareAll(connection);

  /** By their ids, so that a page that fails again meanwhile is not retried twice. */
  const retryPart = (job: Job, afterId: number): RetriedPart => {
    const failed = sql.failed.all(job.number, afterId, TASKS_PER_PART);
    const pages = failed.filter(({ kind }) => kind === 'page');
    const lastId = failed.at(-1)?.id ?? afterId;
    let room = job.limit - job.total;
    // A page takes its slot back from one that was found later.
    if (pages.length > room) room += tasks.demote(job, pages.length - room, lastId);
    const retried = pages.slice(0, room);
    const kickOffs = failed.filter(({ kind }) => kind === 'kick-off');
    job.total += retried.length;
    job.failed -= retried.length;
    job.kickOffs += kickOffs.length;
    const ids = JSON.stringify([...retried, ...kickOffs].map(({ id }) => id));
    sql.dropEvents.run(ids);
    sql.detachEvents.run(ids);
    sql.wait.run(ids);
    const left = pages.length - retried.length;
    return { retried: retried.length, left, lastId, isLast: failed.length < TASKS_PER_PART };
  };

  return async (id, teamId, { now, maxUnfinished }) => {
    const sum = { retried: 0, left: 0 };
    for (let afterId = 0; ; ) {
      const part = connection.transaction(() => {
        const job = find(id, teamId, now);
        if (!job) return 'unknown';
        if (job.status === 'cancelled') return job.status;
        const runsAgain = job.status !== 'scraping' && (isOpen(job) || job.failed > 0);
        if (runsAgain && rows.isQueueFull(teamId, maxUnfinished)) return 'queue-full';
        const some = retryPart(job, afterId);
        end.reopen(job);
        rows.save(job);
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

const prepareAll = (connection: Connection) => ({
  failed: connection.prepare<{ id: number; kind: 'page' | 'kick-off' }>(
    `SELECT id, kind FROM tasks WHERE job = ? AND state IN ('failed', 'blocked', 'refused') AND state = 'failed'
       AND id > ? ORDER BY id LIMIT ?`,
  ),
  wait: connection.prepare(
    `UPDATE tasks SET state = 'waiting', attempt = 0, ended_at = NULL, scrape_id = NULL, code = NULL, message = NULL
     WHERE id IN (SELECT value FROM json_each(?))`,
  ),
  // Those that were not sent yet: the page gets another one.
  dropEvents: connection.prepare(
    `DELETE FROM deliveries WHERE task IS NOT NULL AND task IN (SELECT value FROM json_each(?)) AND status = 'waiting'`,
  ),
  // Those that were sent stay in the log, but cannot be sent again: the page will say something else.
  detachEvents: connection.prepare(
    'UPDATE deliveries SET task = NULL WHERE task IS NOT NULL AND task IN (SELECT value FROM json_each(?))',
  ),
});
