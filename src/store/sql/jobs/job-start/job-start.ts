// Stores new jobs with their tasks. Many tasks are stored in parts, each in a transaction of its own: a long one would keep
// other calls waiting, and other jobs of the team.
import { setImmediate } from 'node:timers/promises';
import { assert } from '../../../../util/assert.ts';
import type { NewTask } from '../../../ports/jobs/job-queue.ts';
import type { JobRefusal, JobStore, NewJob } from '../../../ports/jobs/job-store.ts';
import { isHidden, type Job } from '../../../rules/jobs/job-record.ts';
import { keptMs, PREPARING_MS } from '../../../rules/jobs/job-times.ts';
import type { Queries, Tx } from '../../database.ts';
import type { DeliveryQueue } from '../../deliveries/delivery-queue.ts';
import type { SqlLedger } from '../../teams/ledger.ts';
import type { JobEnd } from '../job-end.ts';
import type { SealedRequest } from '../job-rows.ts';
import { type AppendPages, type AppendPagesDeps, createAppendPages } from './append-pages.ts';
import type { TaskPart } from './task-parts.ts';

type Added = Awaited<ReturnType<JobStore['add']>>;
type JobFacts = Omit<NewJob, 'tasks'>;

export interface JobStarter extends Pick<JobStore, 'refusal'> {
  /** Until the last part is stored, nobody can see the job. */
  add(job: JobFacts, parts: readonly TaskPart[]): Promise<Added>;
  append: AppendPages;
}

export interface JobStartDeps extends AppendPagesDeps {
  deliveries: Pick<DeliveryQueue, 'queue'>;
  ledger: Pick<SqlLedger, 'list'>;
  end: JobEnd;
}

export function createJobStart(deps: JobStartDeps): JobStarter {
  const { database, rows, tasks, deliveries, ledger, end, usedKeys } = deps;

  const refusalOf = async (
    queries: Queries,
    { teamId, idempotencyKey, maxUnfinished }: Pick<NewJob, 'teamId' | 'idempotencyKey' | 'maxUnfinished'>,
    now: number,
  ): Promise<JobRefusal | undefined> => {
    if (await usedKeys.has(queries, teamId, idempotencyKey, now)) return 'key-used';
    return (await rows.isQueueFull(queries, teamId, maxUnfinished)) ? 'queue-full' : undefined;
  };

  /** The same for a job that becomes visible now. A run may have used the key since: runs do not wait for the queue of jobs. */
  const admit = async (tx: Tx, job: JobFacts): Promise<JobRefusal | undefined> => {
    const refusal = await refusalOf(tx, job, job.createdAt);
    if (refusal) return refusal;
    return (await usedKeys.add(tx, job.teamId, job.idempotencyKey, job.createdAt)) ? undefined : 'key-used';
  };

  const openJob = async (tx: Tx, job: JobFacts, added: Job, last: readonly NewTask[]): Promise<Added> => {
    const { id, teamId, target, kind: operation, zeroDataRetention, runId, createdAt: now } = job;
    if (runId === undefined)
      await ledger.list(tx, { id, target, isRatable: !zeroDataRetention }, { teamId, operation, now });
    Object.assign(added, { status: 'scraping', expiresAt: now + keptMs(added) });
    await deliveries.queue(tx, added, 'started', now);
    await tasks.add(tx, added, last, now);
    await end.endIfDone(tx, added, now);
    await rows.save(tx, added);
    return 'added';
  };

  /** Locks the queue of the team. After a call whose outcome is unknown, the same job may exist: hidden, or as it was added. */
  const findBefore = async (tx: Tx, { id, teamId }: JobFacts): Promise<Job | 'added' | undefined> => {
    await rows.lockQueue(tx, teamId);
    const before = await rows.lock(tx, id);
    return before && !isHidden(before) ? 'added' : before;
  };

  const addAtOnce = (job: JobFacts, request: SealedRequest, all: readonly NewTask[]): Promise<Added> =>
    database.transaction(async (tx) => {
      if (await findBefore(tx, job)) return 'added';
      const refusal = await admit(tx, job);
      if (refusal) return refusal;
      return openJob(tx, job, await rows.add(tx, job, request, job.createdAt + PREPARING_MS), all);
    });

  /** Nobody can see the job yet. If it is cut off here, it was never announced, and goes like a cancelled one that has expired. */
  const hide = (job: JobFacts, request: SealedRequest): Promise<Job | Added> =>
    database.transaction(async (tx) => {
      const before = await findBefore(tx, job);
      const refusal = before ? undefined : await refusalOf(tx, job, job.createdAt);
      if (before || refusal) return (before ?? refusal)!;
      const hidden = await rows.add(tx, job, request, job.createdAt + PREPARING_MS);
      await rows.save(tx, Object.assign(hidden, { status: 'cancelled' }));
      return hidden;
    });

  const addInParts = async (job: JobFacts, request: SealedRequest, parts: readonly TaskPart[]): Promise<Added> => {
    const hidden = await hide(job, request);
    if (typeof hidden === 'string') return hidden;
    const change = <T>(work: (tx: Tx, hidden: Job) => Promise<T>, isLast = false): Promise<T> =>
      database.transaction(async (tx) => {
        if (isLast) await rows.lockQueue(tx, job.teamId);
        const locked = await rows.lock(tx, job.id);
        assert(locked !== undefined, 'A job was removed while its pages were stored.');
        return work(tx, locked);
      });
    for (const part of parts.slice(0, -1)) {
      await change(async (tx, locked) => {
        await tasks.add(tx, locked, part(), job.createdAt);
        await rows.save(tx, locked);
      });
      await setImmediate();
    }
    return change(async (tx, locked) => {
      const refused = await admit(tx, job);
      if (!refused) return openJob(tx, job, locked, parts.at(-1)!());
      await rows.save(tx, Object.assign(locked, { expiresAt: 0 }));
      return refused;
    }, true);
  };

  return {
    refusal: (job, now) => refusalOf(database, job, now),

    async add(job, parts) {
      const request = await rows.seal(job);
      return parts.length === 1 ? addAtOnce(job, request, parts[0]!()) : addInParts(job, request, parts);
    },

    append: createAppendPages(deps),
  };
}
