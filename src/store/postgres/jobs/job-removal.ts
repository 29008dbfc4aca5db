// Removes expired jobs, and tasks that will never run, in small rounds: a job may have a million tasks.
import type { Remover } from '../../sql/database.ts';
import type { Database, Sql } from '../database/database.ts';
import type { PageWriters } from './page-writers.ts';

export interface JobRemoval {
  removeExpired: Remover;
  /** Tasks that were still open when their job ended. */
  removeLeftovers: Remover;
  /** Removes everything of one job that has ended, now. */
  removeJob(job: number): Promise<void>;
}

const ROUND = 100;
/** Tasks are small, and a job may have a million: as many count as one entry. */
const TASKS_PER_ENTRY = 10;

export function createJobRemoval({ transaction }: Database, { scrapes }: Pick<PageWriters, 'scrapes'>): JobRemoval {
  /** How far the tasks of the last job were removed: the index keeps its dead entries for a while, and rounds skip them. */
  let reached = { job: 0, key: '' };

  async function removeTasks(sql: Sql, job: number, limit: number): Promise<number> {
    const after = reached.job === job ? reached.key : '';
    const removed = await sql<{ key: string }[]>`
      DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE job = ${job} AND key > ${after} ORDER BY key LIMIT ${limit})
      RETURNING key`;
    if (removed.length === 0 && after !== '') {
      reached = { job, key: '' };
      return removeTasks(sql, job, limit);
    }
    reached = { job, key: removed.reduce((last, { key }) => (key > last ? key : last), after) };
    return removed.length;
  }

  /** Removes what refers to a job first, one kind at a time, and the job itself last. */
  async function removeSome(sql: Sql, job: number, limit: number): Promise<number> {
    const steps = [
      async () =>
        (
          await sql`
          DELETE FROM deliveries WHERE id IN (
            SELECT id FROM deliveries WHERE job = ${job} AND status = 'waiting' LIMIT ${limit})`
        ).count,
      () => scrapes.removeOfJob(sql, job, limit),
      async () => Math.ceil((await removeTasks(sql, job, limit * TASKS_PER_ENTRY)) / TASKS_PER_ENTRY),
      async () =>
        (
          await sql`
          DELETE FROM job_patterns WHERE (job, pattern) IN (
            SELECT job, pattern FROM job_patterns WHERE job = ${job} LIMIT ${limit})`
        ).count,
      async () => {
        await sql`DELETE FROM job_requests WHERE job = ${job}`;
        return (await sql`DELETE FROM jobs WHERE number = ${job}`).count;
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
      transaction(async (sql) => {
        const [expired] = await sql<{ number: number }[]>`
          SELECT number FROM jobs WHERE status <> 'scraping' AND expires_at <= ${now}
          ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
        return expired ? removeSome(sql, expired.number, limit) : 0;
      }),
    removeLeftovers: (_now, limit) =>
      transaction(async (sql) => {
        const [found] = await sql<{ number: number }[]>`
          SELECT number FROM jobs WHERE has_leftovers AND status <> 'scraping' LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
        if (!found) return 0;
        const most = limit * TASKS_PER_ENTRY;
        const removed = await removeOpen(sql, found.number, most);
        const count = (wanted: string) => removed.filter(({ state }) => state === wanted).length;
        await sql`
          UPDATE jobs SET spares = spares - ${count('spare')}, known = known - ${count('known')},
            has_leftovers = ${removed.length === most} WHERE number = ${found.number}`;
        return Math.ceil(removed.length / TASKS_PER_ENTRY);
      }),
    async removeJob(job) {
      const round = () =>
        transaction(async (sql) => {
          const found = await sql`
            SELECT 1 FROM jobs WHERE number = ${job} AND status <> 'scraping' FOR UPDATE`;
          return found.length > 0 ? removeSome(sql, job, ROUND) : 0;
        });
      while ((await round()) > 0);
    },
  };
}

/** By the index of each state. */
const removeOpen = (sql: Sql, job: number, limit: number) => sql<{ state: string }[]>`
  DELETE FROM tasks WHERE id IN (
    (SELECT id FROM tasks WHERE job = ${job} AND state = 'waiting' LIMIT ${limit})
    UNION ALL (SELECT id FROM tasks WHERE job = ${job} AND state = 'running' LIMIT ${limit})
    UNION ALL (SELECT id FROM tasks WHERE job = ${job} AND state = 'paused' LIMIT ${limit})
    UNION ALL (SELECT id FROM tasks WHERE job = ${job} AND state = 'spare' LIMIT ${limit})
    UNION ALL (SELECT id FROM tasks WHERE job = ${job} AND state = 'known' LIMIT ${limit})
    LIMIT ${limit})
  RETURNING state`;
