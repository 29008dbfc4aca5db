// Stores new jobs with their tasks, and further tasks of a batch. Many tasks are stored in parts, between which other calls
// are answered.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../../../../util/sqlite.ts';
import type { AppendedPages, JobRefusal, JobStore, NewJob } from '../../../job-store.ts';
import type { Job } from '../../../records/jobs/job-record.ts';
import { PREPARING_MS, RETENTION_MS } from '../../../records/jobs/job-times.ts';
import type { DeliveryRows } from '../../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../../ledger-rows.ts';
import type { UsedKeys } from '../../used-keys.ts';
import type { JobEnd } from '../job-end.ts';
import type { JobRows } from '../job-rows.ts';
import type { TaskRows } from '../task-rows.ts';
import { type TaskParts, unpackTasks } from './task-parts.ts';

type Added = Awaited<ReturnType<JobStore['add']>>;
type Appended = Awaited<ReturnType<JobStore['append']>>;

export interface JobStart {
  refusal(...asked: Parameters<JobStore['refusal']>): JobRefusal | undefined;
  /** Until the last part is stored, nobody can see the job. */
  add(job: Omit<NewJob, 'tasks'>, parts: TaskParts): Promise<Added>;
  append(id: string, teamId: string, more: Omit<AppendedPages, 'tasks'>, parts: TaskParts): Promise<Appended>;
}

export interface JobStartDeps {
  connection: Connection;
  rows: JobRows;
  tasks: TaskRows;
  deliveries: Pick<DeliveryRows, 'queue'>;
  ledger: Pick<LedgerRows, 'list'>;
  end: JobEnd;
  usedKeys: UsedKeys;
  find(id: string, teamId: string, now: number): Job | undefined;
}

export function createJobStart(deps: JobStartDeps): JobStart {
  const { connection, rows, tasks, deliveries, ledger, end, usedKeys, find } = deps;

  const refusalOf = (
    { teamId, idempotencyKey, maxUnfinished }: Pick<NewJob, 'teamId' | 'idempotencyKey' | 'maxUnfinished'>,
    now: number,
  ): JobRefusal | undefined => {
    if (usedKeys.has(teamId, idempotencyKey, now)) return 'key-used';
    return rows.isQueueFull(teamId, maxUnfinished) ? 'queue-full' : undefined;
  };

  return {
    refusal: refusalOf,

    async add(job, parts) {
      const { teamId, createdAt: now, idempotencyKey } = job;
      const refusal = () => refusalOf(job, now);
      const open = (added: Job, last: TaskParts): Added => {
        usedKeys.add(teamId, idempotencyKey, now);
        const { id, target, kind: operation, zeroDataRetention, runId } = job;
        if (runId === undefined) ledger.list({ id, target, isRatable: !zeroDataRetention }, { teamId, operation, now });
        Object.assign(added, { status: 'scraping', expiresAt: now + RETENTION_MS });
        deliveries.queue(added, 'started', now);
        for (const part of last) tasks.add(added, unpackTasks(part), now);
        end.endIfDone(added, now);
        rows.save(added);
        return 'added';
      };
      if (parts.length === 1) {
        return connection.transaction(() => refusal() ?? open(rows.add(job, now + RETENTION_MS), parts));
      }

      // A job that is cut off here was never announced, and goes like a cancelled one that has expired.
      const hidden = connection.transaction(() => refusal() ?? hide(rows.add(job, now + PREPARING_MS)));
      if (typeof hidden === 'string') return hidden;
      for (const part of parts.slice(0, -1)) {
        connection.transaction(() => {
          tasks.add(hidden, unpackTasks(part), now);
          rows.save(hidden);
        });
        await setImmediate();
      }
      return connection.transaction(() => {
        const refused = refusal();
        if (!refused) return open(hidden, parts.slice(-1));
        rows.save(Object.assign(hidden, { expiresAt: 0 }));
        return refused;
      });
    },

    async append(id, teamId, { now, idempotencyKey }, parts) {
      for (const [index, part] of parts.entries()) {
        const refused = connection.transaction((): Appended => {
          const job = find(id, teamId, now);
          if (!job) return undefined;
          if (usedKeys.has(teamId, idempotencyKey, now)) return 'key-used';
          if (job.status === 'failed' || job.status === 'cancelled') return job.status;
          if (index === parts.length - 1) usedKeys.add(teamId, idempotencyKey, now);
          tasks.add(job, unpackTasks(part), now, { raiseLimit: true });
          end.reopen(job);
          rows.save(job);
          return 'appended';
        });
        if (refused !== 'appended') return refused;
        if (index < parts.length - 1) await setImmediate();
      }
      return 'appended';
    },
  };
}

const hide = (job: Job): Job => Object.assign(job, { status: 'cancelled' });
