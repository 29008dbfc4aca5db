// Adds tasks to a job: each page once, within the job's limit. Excess pages become spares.
import { uuidv7 } from '../../../util/ids.ts';
import type { NewTask } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';
import { type NewTaskState, newTaskState } from '../../records/jobs/new-task-state.ts';
import { indexed } from '../../sql/indexed-text.ts';
import type { Sql } from '../database/database.ts';
import type { CrawlTraps, LinkWatch } from './crawl-traps.ts';

export interface AddOptions {
  /** Sees each task before it is added. */
  watch?: LinkWatch;
  /** Keys of pages that are linked but not to be read, whatever an earlier crawl knows about them. */
  mentions?: readonly string[];
  /** Raises the job's limit by the number of added pages. */
  raiseLimit?: boolean;
}

/** Call inside a transaction that has locked the job and saves it. `add` and the promotions return how many tasks can be claimed now. */
export interface TaskRows {
  add(sql: Sql, job: Job, tasks: readonly NewTask[], now: number, options?: AddOptions): Promise<number>;
  /** Turns spares into waiting tasks while the limit allows, oldest first. */
  promote(sql: Sql, job: Job): Promise<number>;
  /** Turns waiting pages into spares, those found last first: at most `most`, and only those after this task. Returns their number. */
  demote(sql: Sql, job: Job, most: number, after?: number): Promise<number>;
  /** Turns pages that only an earlier crawl has found into waiting tasks while the limit allows, oldest first. */
  promoteKnown(sql: Sql, job: Job): Promise<number>;
}

export function createTaskRows(traps: Pick<CrawlTraps, 'closedAmong'>): TaskRows {
  return {
    async add(sql, job, tasks, now, { watch, mentions = [], raiseLimit = false } = {}) {
      if (tasks.length === 0 && (mentions.length === 0 || job.known === 0)) return 0;
      const keys = tasks.map(({ key }) => indexed(key));
      await Promise.all([dateKnown(sql, job, tasks, keys), relink(sql, job, tasks, keys, mentions)]);
      const [unknown, closed] = await Promise.all([
        unknownAmong(sql, job, keys),
        traps.closedAmong(sql, job.number, new Set(tasks.map(({ pattern }) => pattern))),
        watch?.prepare(sql, tasks),
      ]);
      const added = new Map<string, { task: NewTask; state: NewTaskState }>();
      for (const position of unknown) {
        const [task, key] = [tasks[position]!, keys[position]!];
        if (added.has(key) || closed.has(task.pattern)) continue;
        const state = newTaskState(job, task, raiseLimit);
        if (!state) continue;
        watch?.see(task);
        added.set(key, { task, state });
      }
      if (added.size > 0) await insert(sql, job, added, now);
      return [...added.values()].filter(({ state }) => state === 'waiting').length;
    },
    async promote(sql, job) {
      const slots = Math.min(job.limit - job.total, job.spares);
      if (slots <= 0) return 0;
      const { count } = await sql`
        UPDATE tasks SET state = 'waiting' WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'spare' ORDER BY id LIMIT ${slots})`;
      job.total += count;
      job.spares -= count;
      return count;
    },
    async demote(sql, job, most, after = 0) {
      // Claims do not wait for the lock of the job, so a waiting task may be running by now.
      const { count } = await sql`
        UPDATE tasks SET state = 'spare' WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'waiting' AND id > ${after} AND kind <> 'kick-off'
          ORDER BY id DESC LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
      job.total -= count;
      job.spares += count;
      return count;
    },
    async promoteKnown(sql, job) {
      const slots = Math.min(job.limit - job.total, job.known);
      if (slots <= 0) return 0;
      const { count } = await sql`
        UPDATE tasks SET state = 'waiting', unlinked = true WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'known' ORDER BY id LIMIT ${slots})`;
      job.total += count;
      job.known -= count;
      return count;
    },
  };
}

/** A sitemap may date pages that a link has already led to. */
async function dateKnown(sql: Sql, job: Job, tasks: readonly NewTask[], keys: string[]): Promise<void> {
  const dated = tasks.flatMap(({ lastModified }, at) => (lastModified === undefined ? [] : [{ at, lastModified }]));
  if (dated.length === 0) return;
  await sql`
    UPDATE tasks SET last_modified = dated.at
    FROM unnest(${dated.map(({ at }) => keys[at]!)}::text[], ${dated.map((one) => one.lastModified)}::bigint[]) AS dated (key, at)
    WHERE job = ${job.number} AND tasks.key = dated.key COLLATE "C" AND state IN ('waiting', 'spare')`;
}

/** A page that a link leads to is added like any other, whatever an earlier crawl knows about it. */
async function relink(
  sql: Sql,
  job: Job,
  tasks: readonly NewTask[],
  keys: string[],
  mentions: readonly string[],
): Promise<void> {
  if (job.known === 0) return;
  const linked = [...mentions.map(indexed), ...keys.filter((_, at) => !tasks[at]!.isKnown)];
  const { count } = await sql`
    WITH linked AS MATERIALIZED (
      SELECT id, state FROM tasks WHERE job = ${job.number} AND key = ANY(${linked}::text[]))
    DELETE FROM tasks USING linked WHERE tasks.id = linked.id AND linked.state = 'known'`;
  job.known -= count;
}

/**
 * Positions of keys that are neither the key nor the final key of a task. One query, since nearly all links are known. Each key is
 * looked up in the index: with NOT EXISTS, a planner without statistics would read all tasks of the job.
 */
async function unknownAmong(sql: Sql, job: Job, keys: string[]): Promise<number[]> {
  const rows = await sql<{ at: number }[]>`
    SELECT link.at FROM unnest(${keys}::text[]) WITH ORDINALITY AS link (key, at)
    WHERE (SELECT 1 FROM tasks WHERE job = ${job.number} AND tasks.key = link.key COLLATE "C" LIMIT 1) IS NULL
      AND (SELECT 1 FROM tasks WHERE job = ${job.number} AND final_key = link.key COLLATE "C" LIMIT 1) IS NULL
    ORDER BY link.at`;
  return rows.map(({ at }) => at - 1);
}

async function insert(
  sql: Sql,
  job: Job,
  added: ReadonlyMap<string, { task: NewTask; state: NewTaskState }>,
  now: number,
): Promise<void> {
  const all = [...added.values()];
  const column = <T>(value: (task: NewTask) => T): T[] => all.map(({ task }) => value(task));
  const reason = (task: NewTask) => (task.refused?.by === 'scope' ? task.refused : undefined);
  // In this order, so that their ids are in the order in which they were found.
  await sql`
    INSERT INTO tasks (job, kind, state, url, key, full_key, host, depth, steps, pattern, chained, last_modified, ended_at,
      scrape_id, code, message)
    SELECT ${job.number}::bigint, kind, state, url, key, full_key, host, depth, steps, pattern, chained = 1, last_modified,
      ended_at, scrape_id, code, message
    FROM unnest(
      ${column(({ kind }) => kind)}::text[], ${all.map(({ state }) => state)}::text[], ${column(({ url }) => url)}::text[],
      ${[...added.keys()]}::text[], ${column(({ key }) => (added.has(key) ? null : key))}::text[],
      ${column(({ host }) => indexed(host))}::text[], ${column(({ depth }) => depth)}::bigint[],
      ${column(({ steps }) => steps)}::bigint[], ${column(({ pattern }) => indexed(pattern))}::text[],
      ${column(({ chained }) => (chained ? 1 : 0))}::bigint[], ${column(({ lastModified }) => lastModified ?? null)}::bigint[],
      ${column(({ refused }) => (refused ? now : null))}::bigint[],
      ${column(({ refused }) => (refused ? uuidv7(now) : null))}::text[],
      ${column((task) => reason(task)?.code ?? null)}::text[], ${column((task) => reason(task)?.message ?? null)}::text[]
    ) WITH ORDINALITY AS task (kind, state, url, key, full_key, host, depth, steps, pattern, chained, last_modified,
      ended_at, scrape_id, code, message, at)
    ORDER BY at`;
}
