// Ends tasks, with everything that follows from them up to the end of their jobs, in one transaction.

import type { Connection } from '../../../util/sqlite.ts';
import { freeToStore } from '../../encoding/pack-page.ts';
import type { EndedTask, Finished, JobQueue, TaskOutcome } from '../../job-queue.ts';
import { chargeOf, GONE, progressOf } from '../../records/jobs/job-record.ts';
import type { Database, Tx } from '../../sql/database.ts';
import type { CachedPageRows } from '../../sql/pages/cache/cached-page-rows.ts';
import type { PagePacker } from '../../sql/pages/page-packer.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { Served } from '../served.ts';
import type { EndingTask, PackedPageEnd, PageFinisher, RunningTask, TaskResult } from './finish-page.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import type { TaskRows } from './task-rows.ts';

export type TaskFinisher = Pick<JobQueue, 'finish'> & Pick<Served<JobQueue>, 'discover'>;

export interface TaskFinisherDeps {
  connection: Connection;
  database: Database;
  packer: PagePacker;
  rows: JobRows;
  tasks: TaskRows;
  pageFinisher: PageFinisher;
  pages: Pick<CachedPageRows, 'makeRoom'>;
  ledger: Pick<LedgerRows, 'record'>;
  deliveries: Pick<DeliveryRows, 'queue'>;
  end: JobEnd;
}

/** Pages are compressed before the transaction, which holds the write lock. */
interface PackedTask extends EndedTask {
  packed: PackedPageEnd | undefined;
}

async function packTasks(packer: PagePacker, ended: readonly EndedTask[]): Promise<PackedTask[]> {
  const packed: PackedTask[] = [];
  for (const { id, outcome } of ended) {
    if (outcome.state !== 'done') packed.push({ id, outcome, packed: undefined });
    else {
      const { toStore, look } = outcome.page;
      packed.push({ id, outcome, packed: { toStore: await packer.pack(toStore), look: await packer.packLook(look) } });
    }
  }
  return packed;
}

type Failure = Extract<TaskOutcome, { state: 'failed' }>;

/** Subtracts a task without a result from what the job has to do. */
const leave = ({ job, task }: EndingTask) => {
  if (task.kind === 'page') job.total -= 1;
  else job.kickOffs -= 1;
};

export function createTaskFinisher(deps: TaskFinisherDeps): TaskFinisher {
  const { connection, database, packer, rows, tasks, pageFinisher, pages, ledger, deliveries, end } = deps;
  const sql = prepareAll(connection);

  const fail = (endingTask: EndingTask, { scrapeId, code, message, credits }: Failure): TaskResult => {
    const { job, task, now } = endingTask;
    leave(endingTask);
    sql.endFailed.run(now, scrapeId, code, message, task.id);
    ledger.record({ ...chargeOf(job, credits), now });
    job.credits += credits;
    if (task.kind === 'page') {
      job.failed += 1;
      deliveries.queue(job, 'page', now, task.id);
    }
    return { became: 'failed', added: tasks.promote(job) };
  };

  const settle = async (tx: Tx, endingTask: EndingTask, { outcome, packed }: PackedTask): Promise<TaskResult> => {
    const { job, task, now } = endingTask;
    switch (outcome.state) {
      case 'done':
        return pageFinisher.finish(tx, endingTask, outcome.page, packed!, outcome);
      case 'failed':
        return fail(endingTask, outcome);
      case 'blocked':
        leave(endingTask);
        job.blocked += 1;
        sql.endOther.run('blocked', now, task.id);
        return { became: 'blocked', added: tasks.promote(job) };
      case 'retry':
        sql.pause.run(outcome.at, task.id);
        return { became: 'waiting', added: 0 };
      case 'kicked-off':
        leave(endingTask);
        sql.endOther.run('done', now, task.id);
        job.home = outcome.home ?? job.home;
        return { became: 'done', added: tasks.add(job, outcome.links ?? [], now, { mentions: outcome.mentions }) };
      case 'fatal':
        sql.startAgain.run(task.id);
        job.error = outcome.message;
        end.end(job, 'failed', now);
        return { became: 'failed', added: 0 };
    }
  };

  const findRunning = (owner: string, taskId: number): Omit<EndingTask, 'now'> | undefined => {
    const task = sql.running.get(taskId, owner);
    const job = task && rows.find(task.job);
    return job?.status === 'scraping' ? { task: task!, job } : undefined;
  };

  const lost = (taskId: number): Finished => {
    const found = sql.jobOf.get(taskId);
    const job = found && rows.find(found.job);
    return { became: 'lost', added: 0, job: job ? progressOf(job) : GONE };
  };

  const finishOne = async (tx: Tx, owner: string, ended: PackedTask, now: number): Promise<Finished> => {
    const found = findRunning(owner, ended.id);
    if (!found) return lost(ended.id);
    const { became, added } = await settle(tx, { ...found, now }, ended);
    const promoted = end.endIfDone(found.job, now);
    rows.save(found.job);
    return { became, added: added + promoted, job: progressOf(found.job) };
  };

  return {
    async finish(owner, ended, now) {
      const packed = await packTasks(packer, ended);
      const finished = await database.transaction(async (tx) => {
        const all: Finished[] = [];
        for (const task of packed) all.push(await finishOne(tx, owner, task, now));
        return all;
      });
      for (const { outcome } of ended) if (outcome.state === 'done') freeToStore(outcome.page.toStore);
      if (packed.some(({ packed: end }) => end !== undefined)) await pages.makeRoom(now);
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

const prepareAll = (connection: Connection) => ({
  running: connection.prepare<RunningTask>(
    `SELECT id, job, kind, url, key, pattern, chained FROM tasks WHERE id = ? AND owner = ? AND state = 'running'`,
  ),
  jobOf: connection.prepare<{ job: number }>('SELECT job FROM tasks WHERE id = ?'),
  endFailed: connection.prepare(
    `UPDATE tasks SET state = 'failed', owner = NULL, lease_until = NULL, ended_at = ?, scrape_id = ?, code = ?, message = ?
     WHERE id = ?`,
  ),
  /** In case the job is retried. */
  startAgain: connection.prepare(
    `UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = 0 WHERE id = ?`,
  ),
  endOther: connection.prepare(
    'UPDATE tasks SET state = ?, owner = NULL, lease_until = NULL, ended_at = ? WHERE id = ?',
  ),
  pause: connection.prepare(
    `UPDATE tasks SET state = 'paused', owner = NULL, lease_until = NULL, due_at = ? WHERE id = ?`,
  ),
});
