// Ends tasks, with everything that follows from them up to the end of their jobs, in one transaction.
import { freeToStore } from '../../encoding/pack-page.ts';
import type { EndedTask, Finished, JobQueue, TaskOutcome } from '../../ports/jobs/job-queue.ts';
import { chargeOf, GONE, type Job, progressOf } from '../../rules/jobs/job-record.ts';
import type { BooleanColumn, Database, Tx } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { SqlLedger } from '../teams/ledger.ts';
import type { EndingTask, PageFinisher, RunningTask, TaskResult } from './finish-page.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import type { PackedPageEnd, PageWriters } from './page-writers.ts';
import type { TaskRows } from './task-rows.ts';

export type TaskFinisher = Pick<JobQueue, 'finish' | 'discover'>;

export interface TaskFinisherDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  pageFinisher: PageFinisher;
  pages: Pick<PageWriters, 'pack' | 'whileWriting' | 'makeRoom'>;
  ledger: Pick<SqlLedger, 'record'>;
  deliveries: Pick<DeliveryQueue, 'queue'>;
  end: JobEnd;
}

interface PackedTask extends EndedTask {
  packed: PackedPageEnd | undefined;
}

/** What a transaction has locked: jobs by their number, and those of the tasks that this owner still runs. */
interface Locked {
  jobs: Map<number, Job>;
  running: Map<number, RunningTask>;
  /** Job of each task that still exists, even if another worker runs it. */
  jobOf: Map<number, number>;
}

type Failure = Extract<TaskOutcome, { state: 'failed' }>;

export function createTaskFinisher(deps: TaskFinisherDeps): TaskFinisher {
  const { database, rows, tasks, pageFinisher, pages, ledger, deliveries, end } = deps;

  const packTask = async ({ id, outcome }: EndedTask): Promise<PackedTask> => ({
    ...{ id, outcome },
    packed: outcome.state === 'done' ? await pages.pack(outcome.page) : undefined,
  });

  const fail = async (tx: Tx, ending: EndingTask, failure: Failure): Promise<TaskResult> => {
    const { scrapeId, code, message, credits } = failure;
    const { job, task, now } = ending;
    leave(ending);
    job.credits += credits;
    if (task.kind === 'page') job.failed += 1;
    await Promise.all([
      tx.run`
        UPDATE tasks SET state = 'failed', owner = NULL, lease_until = NULL, ended_at = ${now}, scrape_id = ${scrapeId},
          code = ${code}, message = ${message} WHERE id = ${task.id}`,
      ledger.record(tx, { ...chargeOf(job, credits), now }),
      task.kind === 'page' && deliveries.queue(tx, job, 'page', now, task.id),
    ]);
    return { became: 'failed', added: await tasks.promote(tx, job) };
  };

  const settle = async (tx: Tx, ending: EndingTask, { outcome, packed }: PackedTask): Promise<TaskResult> => {
    const { job, task, now } = ending;
    switch (outcome.state) {
      case 'done':
        return pageFinisher.finish(tx, ending, outcome.page, packed!, outcome);
      case 'failed':
        return fail(tx, ending, outcome);
      case 'blocked':
        leave(ending);
        job.blocked += 1;
        await endOther(tx, task.id, 'blocked', now);
        return { became: 'blocked', added: await tasks.promote(tx, job) };
      case 'retry':
        await tx.run`
          UPDATE tasks SET state = 'paused', owner = NULL, lease_until = NULL, due_at = ${outcome.at} WHERE id = ${task.id}`;
        return { became: 'waiting', added: 0 };
      case 'kicked-off': {
        leave(ending);
        await endOther(tx, task.id, 'done', now);
        job.home = outcome.home ?? job.home;
        const added = await tasks.add(tx, job, outcome.links ?? [], now, { mentions: outcome.mentions });
        return { became: 'done', added };
      }
      case 'fatal':
        // In case the job is retried.
        await tx.run`
          UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = 0 WHERE id = ${task.id}`;
        job.error = outcome.message;
        await end.end(tx, job, 'failed', now);
        return { became: 'failed', added: 0 };
    }
  };

  const finishOne = async (tx: Tx, locked: Locked, ended: PackedTask, now: number): Promise<Finished> => {
    const task = locked.running.get(ended.id);
    const job = locked.jobs.get(locked.jobOf.get(ended.id)!);
    // A task can be in the list twice, and an earlier one may have ended the job.
    locked.running.delete(ended.id);
    if (!task || job?.status !== 'scraping') return { became: 'lost', added: 0, job: job ? progressOf(job) : GONE };
    const { became, added } = await settle(tx, { job, task, now }, ended);
    const promoted = await end.endIfDone(tx, job, now);
    return { became, added: added + promoted, job: progressOf(job) };
  };

  return {
    async finish(owner, ended, now) {
      const packed = await Promise.all(ended.map(packTask));
      const pageEnds = packed.flatMap((task) => task.packed ?? []);
      const finished = await pages.whileWriting(pageEnds, () =>
        database.transaction(async (tx) => {
          const locked = await lockTasks(tx, rows, owner, ended);
          const finished: Finished[] = [];
          for (const task of packed) finished.push(await finishOne(tx, locked, task, now));
          await Promise.all([...locked.jobs.values()].map((job) => rows.save(tx, job)));
          return finished;
        }),
      );
      for (const { outcome } of ended) if (outcome.state === 'done') freeToStore(outcome.page.toStore);
      if (pageEnds.length > 0) await pages.makeRoom(now);
      return finished;
    },
    discover: (owner, id, links, now) =>
      database.transaction(async (tx) => {
        const { jobs, running } = await lockTasks(tx, rows, owner, [{ id }]);
        const job = running.has(id) ? jobs.get(running.get(id)!.job) : undefined;
        if (job?.status !== 'scraping') return false;
        await tasks.add(tx, job, links, now);
        await rows.save(tx, job);
        return true;
      }),
  };
}

/** First the jobs, then their tasks, each in one order for all: so no two transactions wait for each other. */
async function lockTasks(
  tx: Tx,
  rows: JobRows,
  owner: string,
  ended: readonly Pick<EndedTask, 'id'>[],
): Promise<Locked> {
  const ids = ended.map(({ id }) => id);
  const [jobs, tasks] = await Promise.all([
    rows.lockOfTasks(tx, ids),
    tx.rows<RunningTask & { isMine: BooleanColumn | null }>`
      SELECT id, job, kind, url, key, pattern, chained, owner = ${owner} AND state = 'running' AS "isMine"
      FROM tasks WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  ]);
  return {
    jobs: new Map(jobs.map((job) => [job.number, job])),
    running: new Map(tasks.filter(({ isMine }) => isMine).map((task) => [task.id, task])),
    jobOf: new Map(tasks.map(({ id, job }) => [id, job])),
  };
}

/** Subtracts a task without a result from what the job has to do. */
function leave({ job, task }: EndingTask): void {
  if (task.kind === 'page') job.total -= 1;
  else job.kickOffs -= 1;
}

const endOther = (tx: Tx, id: number, state: 'blocked' | 'done', now: number) => tx.run`
  UPDATE tasks SET state = ${state}, owner = NULL, lease_until = NULL, ended_at = ${now} WHERE id = ${id}`;
