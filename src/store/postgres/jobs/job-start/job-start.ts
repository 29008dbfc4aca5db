// Stores new jobs with their tasks. Many tasks are stored in parts, each in a transaction of its own: a long one would keep
// other jobs of the team waiting.
import { assert } from '../../../../util/assert.ts';
import type { NewTask } from '../../../job-queue.ts';
import type { JobRefusal, JobStore, NewJob } from '../../../job-store.ts';
import { isHidden, type Job } from '../../../records/jobs/job-record.ts';
import { PREPARING_MS, RETENTION_MS } from '../../../records/jobs/job-times.ts';
import type { Sql } from '../../database/database.ts';
import type { DeliveryQueue } from '../../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../../teams/ledger-rows.ts';
import type { JobEnd } from '../job-end.ts';
import type { SealedRequest } from '../job-rows.ts';
import { type AppendPagesDeps, createAppendPages } from './append-pages.ts';
import { partsOf } from './task-parts.ts';

type Added = Awaited<ReturnType<JobStore['add']>>;
type JobFacts = Omit<NewJob, 'tasks'>;

export type JobStart = Pick<JobStore, 'refusal' | 'add' | 'append'>;

export interface JobStartDeps extends AppendPagesDeps {
  deliveries: Pick<DeliveryQueue, 'queue'>;
  ledger: Pick<LedgerRows, 'list'>;
  end: JobEnd;
}

export function createJobStart(deps: JobStartDeps): JobStart {
  const { database, rows, tasks, deliveries, ledger, end, usedKeys } = deps;

  const refusalOf = async (
    sql: Sql,
    { teamId, idempotencyKey, maxUnfinished }: Pick<NewJob, 'teamId' | 'idempotencyKey' | 'maxUnfinished'>,
    now: number,
  ): Promise<JobRefusal | undefined> => {
    if (await usedKeys.has(sql, teamId, idempotencyKey, now)) return 'key-used';
    return (await rows.isQueueFull(sql, teamId, maxUnfinished)) ? 'queue-full' : undefined;
  };

  /** The same for a job that becomes visible now. A run may have used the key since: runs do not wait for the queue of jobs. */
  const admit = async (sql: Sql, job: JobFacts): Promise<JobRefusal | undefined> => {
    const refusal = await refusalOf(sql, job, job.createdAt);
    if (refusal) return refusal;
    return (await usedKeys.add(sql, job.teamId, job.idempotencyKey, job.createdAt)) ? undefined : 'key-used';
  };

  const openJob = async (sql: Sql, job: JobFacts, added: Job, last: readonly NewTask[]): Promise<Added> => {
    const { id, teamId, target, kind: operation, zeroDataRetention, runId, createdAt: now } = job;
    if (runId === undefined)
      await ledger.list(sql, { id, target, isRatable: !zeroDataRetention }, { teamId, operation, now });
    Object.assign(added, { status: 'scraping', expiresAt: now + RETENTION_MS });
    await deliveries.queue(sql, added, 'started', now);
    await tasks.add(sql, added, last, now);
    await end.endIfDone(sql, added, now);
    await rows.save(sql, added);
    return 'added';
  };

  /** Locks the queue of the team. After a call whose outcome is unknown, the same job may exist: hidden, or as it was added. */
  const findBefore = async (sql: Sql, { id, teamId }: JobFacts): Promise<Job | 'added' | undefined> => {
    await rows.lockQueue(sql, teamId);
    const before = await rows.lock(sql, id);
    return before && !isHidden(before) ? 'added' : before;
  };

  const addAtOnce = (job: JobFacts, request: SealedRequest, all: readonly NewTask[]): Promise<Added> =>
    database.transaction(async (sql) => {
      if (await findBefore(sql, job)) return 'added';
      const refusal = await admit(sql, job);
      if (refusal) return refusal;
      return openJob(sql, job, await rows.add(sql, job, request, job.createdAt + RETENTION_MS), all);
    });

  /** Nobody can see the job yet. If it is cut off here, it was never announced, and goes like a cancelled one that has expired. */
  const hide = (job: JobFacts, request: SealedRequest): Promise<Job | Added> =>
    database.transaction(async (sql) => {
      const before = await findBefore(sql, job);
      const refusal = before ? undefined : await refusalOf(sql, job, job.createdAt);
      if (before || refusal) return (before ?? refusal)!;
      const hidden = await rows.add(sql, job, request, job.createdAt + PREPARING_MS);
      await rows.save(sql, Object.assign(hidden, { status: 'cancelled' }));
      return hidden;
    });

  const addInParts = async (job: JobFacts, request: SealedRequest, parts: NewTask[][]): Promise<Added> => {
    const hidden = await hide(job, request);
    if (typeof hidden === 'string') return hidden;
    const change = <T>(work: (sql: Sql, hidden: Job) => Promise<T>, isLast = false): Promise<T> =>
      database.transaction(async (sql) => {
        if (isLast) await rows.lockQueue(sql, job.teamId);
        const locked = await rows.lock(sql, job.id);
        assert(locked !== undefined, 'A job was removed while its pages were stored.');
        return work(sql, locked);
      });
    for (const part of parts.slice(0, -1)) {
      await change(async (sql, locked) => {
        await tasks.add(sql, locked, part, job.createdAt);
        await rows.save(sql, locked);
      });
    }
    return change(async (sql, locked) => {
      const refused = await admit(sql, job);
      if (!refused) return openJob(sql, job, locked, parts.at(-1)!);
      await rows.save(sql, Object.assign(locked, { expiresAt: 0 }));
      return refused;
    }, true);
  };

  return {
    refusal: (job, now) => refusalOf(database.sql, job, now),

    async add({ tasks: all, ...job }) {
      const request = await rows.seal(job);
      const parts = partsOf(all);
      return parts.length === 1 ? addAtOnce(job, request, all) : addInParts(job, request, parts);
    },

    append: createAppendPages(deps),
  };
}
