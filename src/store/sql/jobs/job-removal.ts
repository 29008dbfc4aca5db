// Removes expired jobs, and tasks that will never run, in small rounds: a job may have a million tasks.
import { setImmediate } from 'node:timers/promises';
import type { Database, Remover, Tx } from '../database.ts';
import type { PageWriters } from './page-writers.ts';

export interface JobRemoval {
  removeExpired: Remover;
  /** Tasks that were still open when their job ended. */
  removeLeftovers: Remover;
  /** Removes everything of one job that has ended, now. */
  removeJob(job: number): Promise<void>;
}

const ROUND = 100;
/** Tasks are small, and a job may have a million: as many count as one entry. A round still takes only some milliseconds. */
const TASKS_PER_ENTRY = 5;

export function createJobRemoval(
  database: Database,
  pages: Pick<PageWriters, 'removeScrapes' | 'removeFiles'>,
): JobRemoval {
  /** How far the tasks of the last job were removed: PostgreSQL keeps dead entries of its index for a while, and rounds skip them. */
  let reached = { job: 0, key: '' };

  async function removeTasks(tx: Tx, job: number, limit: number): Promise<number> {
    const after = reached.job === job ? reached.key : '';
    const removed = await tx.rows<{ key: string }>`
      DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE job = ${job} AND key > ${after} ORDER BY key LIMIT ${limit})
      RETURNING key`;
    if (removed.length === 0 && after !== '') {
      reached = { job, key: '' };
      return removeTasks(tx, job, limit);
    }
    reached = { job, key: removed.reduce((last, { key }) => (key > last ? key : last), after) };
    return removed.length;
  }

  /** Removes what refers to a job first, one kind at a time, and the job itself last. */
  async function removeSome(tx: Tx, job: number, limit: number): Promise<number> {
    const steps = [
      () => tx.run`
        DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE job = ${job} AND status = 'waiting' LIMIT ${limit})`,
      () => pages.removeFiles(tx, job),
      () => pages.removeScrapes(tx, job, limit),
      async () => Math.ceil((await removeTasks(tx, job, limit * TASKS_PER_ENTRY)) / TASKS_PER_ENTRY),
      () => tx.run`
        DELETE FROM job_patterns WHERE (job, pattern) IN (
          SELECT job, pattern FROM job_patterns WHERE job = ${job} LIMIT ${limit})`,
      async () => {
        await tx.run`DELETE FROM job_requests WHERE job = ${job}`;
        return tx.run`DELETE FROM jobs WHERE number = ${job}`;
      },
    ];
    for (const step of steps) {
      const removed = await step();
      if (removed > 0) return removed;
    }
    return 0;
  }

  return {
    removeExpired: (now, limit) =>
      database.transaction(async (tx) => {
        const expired = await tx.one<{ number: number }>`
          SELECT number FROM jobs WHERE status <> 'scraping' AND expires_at <= ${now}
          ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
        return expired ? removeSome(tx, expired.number, limit) : 0;
      }),
    removeLeftovers: (_now, limit) =>
      database.transaction(async (tx) => {
        const found = await tx.one<{ number: number }>`
          SELECT number FROM jobs WHERE has_leftovers AND status <> 'scraping' LIMIT 1
          FOR NO KEY UPDATE SKIP LOCKED`;
        if (!found) return 0;
        const most = limit * TASKS_PER_ENTRY;
        const removed = await removeOpen(tx, found.number, most);
        const count = (wanted: string) => removed.filter(({ state }) => state === wanted).length;
        await tx.run`
          UPDATE jobs SET spares = spares - ${count('spare')}, known = known - ${count('known')},
            has_leftovers = ${removed.length === most} WHERE number = ${found.number}`;
        return Math.ceil(removed.length / TASKS_PER_ENTRY);
      }),
    async removeJob(job) {
      const round = () =>
        database.transaction(async (tx) => {
          const ended = await tx.one`SELECT 1 FROM jobs WHERE number = ${job} AND status <> 'scraping' FOR UPDATE`;
          return ended ? removeSome(tx, job, ROUND) : 0;
        });
      // Other calls are answered between the rounds.
      while ((await round()) > 0) await setImmediate();
    },
  };
}

/** By the index of each state. */
const removeOpen = (tx: Tx, job: number, limit: number) => tx.rows<{ state: string }>`
  DELETE FROM tasks WHERE id IN (
    SELECT id FROM tasks WHERE job = ${job} AND state = 'waiting'
    UNION ALL SELECT id FROM tasks WHERE job = ${job} AND state = 'running'
    UNION ALL SELECT id FROM tasks WHERE job = ${job} AND state = 'paused'
    UNION ALL SELECT id FROM tasks WHERE job = ${job} AND state = 'spare'
    UNION ALL SELECT id FROM tasks WHERE job = ${job} AND state = 'known'
    LIMIT ${limit})
  RETURNING state`;
