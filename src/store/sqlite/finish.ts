// The end of a task and everything that follows from it, up to the end of its job, in one transaction.

import type { Connection } from '../../util/sqlite.ts';
import type { Finished, JobProgress, JobQueue, TaskOutcome } from '../queue.ts';
import type { DeliveryRows } from './deliveries.ts';
import type { Ending, PageSettling, RunningTask, Settled } from './finish-page.ts';
import type { JobEnd } from './job-end.ts';
import type { Job, JobRows } from './job-rows.ts';
import { type PackedKeep, packKeep } from './keep.ts';
import type { PageRows } from './pages.ts';
import type { ScrapeRows } from './scrapes.ts';
import type { Served } from './served.ts';
import type { TaskRows } from './tasks.ts';

export type Finishing = Pick<Served<JobQueue>, 'finish' | 'discover'>;

export interface FinishingDeps {
  connection: Connection;
  rows: JobRows;
  tasks: TaskRows;
  pageSettling: PageSettling;
  pages: Pick<PageRows, 'makeRoom'>;
  scrapes: Pick<ScrapeRows, 'count'>;
  deliveries: Pick<DeliveryRows, 'queue'>;
  end: JobEnd;
}

type Failure = Extract<TaskOutcome, { state: 'failed' }>;

export function createFinishing(deps: FinishingDeps): Finishing {
  const { connection, rows, tasks, pageSettling, pages, scrapes, deliveries, end } = deps;
  const sql = prepareAll(connection);

  /** Takes a task that brings no result out of what the job has to do. */
  const leave = ({ job, task }: Ending) => {
    if (task.kind === 'page') job.total -= 1;
    else job.kickOffs -= 1;
  };

  const fail = (ending: Ending, { scrapeId, code, message, credits }: Failure): Settled => {
    const { job, task, now } = ending;
    leave(ending);
    sql.endFailed.run(now, scrapeId, code, message, task.id);
    scrapes.count({ teamId: job.teamId, credits, now });
    job.credits += credits;
    if (task.kind === 'page') {
      job.failed += 1;
      deliveries.queue(job, 'page', now, task.id);
    }
    return { became: 'failed', added: tasks.promote(job) };
  };

  const settle = (ending: Ending, outcome: TaskOutcome, keep: PackedKeep | undefined): Settled => {
    const { job, task, now } = ending;
    switch (outcome.state) {
      case 'done':
        return pageSettling.settle(ending, outcome.page, keep!, outcome.links);
      case 'failed':
        return fail(ending, outcome);
      case 'blocked':
        leave(ending);
        job.blocked += 1;
        sql.endOther.run('blocked', now, task.id);
        return { became: 'blocked', added: tasks.promote(job) };
      case 'retry':
        sql.pause.run(outcome.at, task.id);
        return { became: 'waiting', added: 0 };
      case 'kicked-off':
        leave(ending);
        sql.endOther.run('done', now, task.id);
        job.home = outcome.home ?? job.home;
        return { became: 'done', added: tasks.add(job, outcome.links ?? [], now) };
      case 'fatal':
        job.error = outcome.message;
        end.end(job, 'failed', now);
        return { became: 'failed', added: 0 };
    }
  };

  const findRunning = (owner: string, taskId: number): Omit<Ending, 'now'> | undefined => {
    const task = sql.running.get(taskId, owner);
    const job = task && rows.find(task.job);
    return job?.status === 'scraping' ? { task: task!, job } : undefined;
  };

  const lost = (taskId: number): Finished => {
    const found = sql.jobOf.get(taskId);
    const job = found && rows.find(found.job);
    return { became: 'lost', added: 0, job: job ? progress(job) : GONE };
  };

  return {
    finish(owner, taskId, outcome, now) {
      const keep = outcome.state === 'done' ? packKeep(outcome.page.keep) : undefined;
      const finished = connection.transaction((): Finished => {
        const found = findRunning(owner, taskId);
        if (!found) return lost(taskId);
        const settled = settle({ ...found, now }, outcome, keep);
        end.endIfDone(found.job, now);
        rows.save(found.job);
        return { ...settled, job: progress(found.job) };
      });
      if (keep) pages.makeRoom(now);
      return finished;
    },
    discover(owner, taskId, links, now) {
      return connection.transaction(() => {
        const found = findRunning(owner, taskId);
        if (!found) return false;
        tasks.add(found.job, links, now);
        rows.save(found.job);
        return true;
      });
    },
  };
}

const progress = ({ status, home, total, completed }: Job): JobProgress => ({ status, home, total, completed });

/** Of a job that is not there any more. */
const GONE: JobProgress = { status: 'cancelled', home: '', total: 0, completed: 0 };

const prepareAll = (connection: Connection) => ({
  running: connection.prepare<RunningTask>(
    `SELECT id, job, kind, url, key, pattern, chained FROM tasks WHERE id = ? AND owner = ? AND state = 'running'`,
  ),
  jobOf: connection.prepare<{ job: number }>('SELECT job FROM tasks WHERE id = ?'),
  endFailed: connection.prepare(
    `UPDATE tasks SET state = 'failed', owner = NULL, lease_until = NULL, ended_at = ?, scrape_id = ?, code = ?, message = ?
     WHERE id = ?`,
  ),
  endOther: connection.prepare(
    'UPDATE tasks SET state = ?, owner = NULL, lease_until = NULL, ended_at = ? WHERE id = ?',
  ),
  pause: connection.prepare(
    `UPDATE tasks SET state = 'paused', owner = NULL, lease_until = NULL, due_at = ? WHERE id = ?`,
  ),
});
