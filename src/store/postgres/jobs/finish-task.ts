// Ends tasks, with everything that follows from them up to the end of their jobs, in one transaction.
import { freeToStore } from '../../encoding/pack-page.ts';
import type { EndedTask, Finished, JobQueue, TaskOutcome } from '../../job-queue.ts';
import { chargeOf, GONE, type Job, progressOf } from '../../records/jobs/job-record.ts';
import type { Database, Sql } from '../database/database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { EndingTask, PackedPageEnd, PageFinisher, RunningTask, TaskResult } from './finish-page.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import type { PageWriters } from './page-writers.ts';
import type { TaskRows } from './task-rows.ts';

export type TaskFinisher = Pick<JobQueue, 'finish' | 'discover'>;

export interface TaskFinisherDeps extends Pick<PageWriters, 'pages' | 'packer'> {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  pageFinisher: PageFinisher;
  ledger: Pick<LedgerRows, 'record'>;
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
  /** Of each task that still exists, even if another worker runs it. */
  jobOf: Map<number, number>;
}

type Failure = Extract<TaskOutcome, { state: 'failed' }>;

export function createTaskFinisher(deps: TaskFinisherDeps): TaskFinisher {
  const { database, rows, tasks, pageFinisher, pages, packer, ledger, deliveries, end } = deps;

  const packTask = async ({ id, outcome }: EndedTask): Promise<PackedTask> => {
    if (outcome.state !== 'done') return { id, outcome, packed: undefined };
    const { toStore, look } = outcome.page;
    const [packed, packedLook] = await Promise.all([packer.pack(toStore), packer.packLook(look)]);
    return { id, outcome, packed: { toStore: packed, look: packedLook } };
  };

  const fail = async (sql: Sql, ending: EndingTask, failure: Failure): Promise<TaskResult> => {
    const { scrapeId, code, message, credits } = failure;
    const { job, task, now } = ending;
    leave(ending);
    job.credits += credits;
    if (task.kind === 'page') job.failed += 1;
    await sql`
      UPDATE tasks SET state = 'failed', owner = NULL, lease_until = NULL, ended_at = ${now}, scrape_id = ${scrapeId},
        code = ${code}, message = ${message} WHERE id = ${task.id}`;
    await ledger.record(sql, { ...chargeOf(job, credits), now });
    if (task.kind === 'page') await deliveries.queue(sql, job, 'page', now, task.id);
    return { became: 'failed', added: await tasks.promote(sql, job) };
  };

  const settle = async (sql: Sql, ending: EndingTask, { outcome, packed }: PackedTask): Promise<TaskResult> => {
    const { job, task, now } = ending;
    switch (outcome.state) {
      case 'done':
        return pageFinisher.finish(sql, ending, outcome.page, packed!, outcome);
      case 'failed':
        return fail(sql, ending, outcome);
      case 'blocked':
        leave(ending);
        job.blocked += 1;
        await endOther(sql, task.id, 'blocked', now);
        return { became: 'blocked', added: await tasks.promote(sql, job) };
      case 'retry':
        await sql`
          UPDATE tasks SET state = 'paused', owner = NULL, lease_until = NULL, due_at = ${outcome.at} WHERE id = ${task.id}`;
        return { became: 'waiting', added: 0 };
      case 'kicked-off': {
        leave(ending);
        await endOther(sql, task.id, 'done', now);
        job.home = outcome.home ?? job.home;
        const added = await tasks.add(sql, job, outcome.links ?? [], now, { mentions: outcome.mentions });
        return { became: 'done', added };
      }
      case 'fatal':
        // In case the job is retried.
        await sql`
          UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = 0 WHERE id = ${task.id}`;
        job.error = outcome.message;
        await end.end(sql, job, 'failed', now);
        return { became: 'failed', added: 0 };
    }
  };

  const finishOne = async (sql: Sql, locked: Locked, ended: PackedTask, now: number): Promise<Finished> => {
    const task = locked.running.get(ended.id);
    const job = locked.jobs.get(locked.jobOf.get(ended.id)!);
    // A task can be in the list twice, and an earlier one may have ended the job.
    locked.running.delete(ended.id);
    if (!task || job?.status !== 'scraping') return { became: 'lost', added: 0, job: job ? progressOf(job) : GONE };
    const { became, added } = await settle(sql, { job, task, now }, ended);
    const promoted = await end.endIfDone(sql, job, now);
    return { became, added: added + promoted, job: progressOf(job) };
  };

  return {
    async finish(owner, ended, now) {
      const packed = await Promise.all(ended.map(packTask));
      const bodies = packed.flatMap(({ packed: end }) => (end ? [end.toStore, end.look] : []));
      const finished = await packer.whileWriting(bodies, () =>
        database.transaction(async (sql) => {
          const locked = await lockTasks(sql, rows, owner, ended);
          const finished: Finished[] = [];
          for (const task of packed) finished.push(await finishOne(sql, locked, task, now));
          await Promise.all([...locked.jobs.values()].map((job) => rows.save(sql, job)));
          return finished;
        }),
      );
      for (const { outcome } of ended) if (outcome.state === 'done') freeToStore(outcome.page.toStore);
      if (bodies.length > 0) await pages.makeRoom(now);
      return finished;
    },
    discover: (owner, id, links, now) =>
      database.transaction(async (sql) => {
        const { jobs, running } = await lockTasks(sql, rows, owner, [{ id }]);
        const job = running.has(id) ? jobs.get(running.get(id)!.job) : undefined;
        if (job?.status !== 'scraping') return false;
        await tasks.add(sql, job, links, now);
        await rows.save(sql, job);
        return true;
      }),
  };
}

/** First the jobs, then their tasks, each in one order for all: so no two transactions wait for each other. */
async function lockTasks(
  sql: Sql,
  rows: JobRows,
  owner: string,
  ended: readonly Pick<EndedTask, 'id'>[],
): Promise<Locked> {
  const ids = ended.map(({ id }) => id);
  const [jobs, tasks] = await Promise.all([
    rows.lockOfTasks(sql, ids),
    sql<(RunningTask & { isMine: boolean })[]>`
      SELECT id, job, kind, url, key, pattern, chained, owner IS NOT DISTINCT FROM ${owner} AND state = 'running' AS "isMine"
      FROM tasks WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  ]);
  return {
    jobs: new Map(jobs.map((job) => [job.number, job])),
    running: new Map(tasks.filter(({ isMine }) => isMine).map(({ isMine: _, ...task }) => [task.id, task])),
    jobOf: new Map(tasks.map(({ id, job }) => [id, job])),
  };
}

/** Subtracts a task without a result from what the job has to do. */
function leave({ job, task }: EndingTask): void {
  if (task.kind === 'page') job.total -= 1;
  else job.kickOffs -= 1;
}

const endOther = (sql: Sql, id: number, state: 'blocked' | 'done', now: number) => sql`
  UPDATE tasks SET state = ${state}, owner = NULL, lease_until = NULL, ended_at = ${now} WHERE id = ${id}`;
