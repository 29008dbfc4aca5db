// Adds tasks to a job: each page once, within the job's limit. Excess pages become spares.
import { uuidv7 } from '../../../util/ids.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { NewTask } from '../../job-queue.ts';
import type { Job } from '../../records/jobs/job-record.ts';
import { newTaskState } from '../../records/jobs/new-task-state.ts';
import type { CrawlTraps } from './crawl-traps.ts';

export interface AddOptions {
  /** Called with each task before it is added. */
  watch?: (task: NewTask) => void;
  /** Keys of pages that are linked but not to be read, whatever an earlier crawl knows about them. */
  mentions?: readonly string[];
  /** Raises the job's limit by the number of added pages. */
  raiseLimit?: boolean;
}

/** Call inside a transaction that saves the job. `add` and the promotions return how many tasks can be claimed now. */
export interface TaskRows {
  add(job: Job, tasks: NewTask[], now: number, options?: AddOptions): number;
  /** Turns spares into waiting tasks while the limit allows, oldest first. */
  promote(job: Job): number;
  /** Turns waiting pages into spares, those found last first: at most `most`, and only those after this task. Returns their number. */
  demote(job: Job, most: number, after?: number): number;
  /** Turns pages that only an earlier crawl has found into waiting tasks while the limit allows, oldest first. */
  promoteKnown(job: Job): number;
}

export function createTaskRows(connection: Connection, traps: Pick<CrawlTraps, 'isClosed'>): TaskRows {
  const sql = prepareAll(connection);

  /** New tasks, each once. One query for all links of a page, since nearly all of them are known. */
  const newTasks = (job: Job, tasks: NewTask[]): Iterable<NewTask> => {
    const keys = JSON.stringify(tasks.map(({ key }) => key));
    const positions = JSON.parse(sql.unknown.get(job.number, keys)!.positions) as number[];
    const byKey = new Map<string, NewTask>();
    for (const task of positions.map((position) => tasks[position]!)) {
      if (!byKey.has(task.key)) byKey.set(task.key, task);
    }
    return byKey.values();
  };

  /** A sitemap may date pages that a link has already led to. */
  const dateKnown = (job: Job, tasks: NewTask[]) => {
    for (const { key, lastModified } of tasks)
      if (lastModified !== undefined) sql.date.run(lastModified, job.number, key);
  };

  /** A page that a link leads to is added like any other, whatever an earlier crawl knows about it. */
  const relink = (job: Job, tasks: NewTask[], mentions: readonly string[]) => {
    if (job.known === 0) return;
    const keys = [...mentions, ...tasks.filter(({ isKnown }) => !isKnown).map(({ key }) => key)];
    job.known -= Number(sql.dropKnown.run(job.number, JSON.stringify(keys)).changes);
  };

  return {
    add(job, tasks, now, { watch, mentions = [], raiseLimit = false } = {}) {
      let waiting = 0;
      dateKnown(job, tasks);
      relink(job, tasks, mentions);
      for (const task of newTasks(job, tasks)) {
        const { kind, url, key, host, depth, steps, pattern, chained, lastModified = null, refused } = task;
        if (traps.isClosed(job.number, pattern)) continue;
        const state = newTaskState(job, task, raiseLimit);
        if (!state) continue;
        if (!refused) watch?.(task);
        const ended = refused ? [now, uuidv7(now)] : [null, null];
        const reason = refused?.by === 'scope' ? [refused.code, refused.message] : [null, null];
        const family = [depth, steps, pattern, chained ? 1 : 0];
        sql.insert.run(job.number, kind, state, url, key, host, ...family, lastModified, ...ended, ...reason);
        if (state === 'waiting') waiting += 1;
      }
      return waiting;
    },
    promote(job) {
      const slots = Math.min(job.limit - job.total, job.spares);
      if (slots <= 0) return 0;
      const promoted = Number(sql.promote.run(job.number, slots).changes);
      job.total += promoted;
      job.spares -= promoted;
      return promoted;
    },
    demote(job, most, after = 0) {
      const demoted = Number(sql.demote.run(job.number, after, most).changes);
      job.total -= demoted;
      job.spares += demoted;
      return demoted;
    },
    promoteKnown(job) {
      const slots = Math.min(job.limit - job.total, job.known);
      if (slots <= 0) return 0;
      const promoted = Number(sql.promoteKnown.run(job.number, slots).changes);
      job.total += promoted;
      job.known -= promoted;
      return promoted;
    },
  };
}

const prepareAll = (connection: Connection) => ({
  // Finds keys that are neither the key nor the final key of a task.
  unknown: connection.prepare<{ positions: string }>(
    `SELECT json_group_array(link.key) AS positions FROM json_each(?2) AS link
     WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE job = ?1 AND key = link.value)
       AND NOT EXISTS (SELECT 1 FROM tasks WHERE job = ?1 AND final_key = link.value)`,
  ),
  insert: connection.prepare(
    `INSERT INTO tasks (job, kind, state, url, key, host, depth, steps, pattern, chained, last_modified, ended_at, scrape_id,
       code, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  date: connection.prepare(
    `UPDATE tasks SET last_modified = ? WHERE job = ? AND key = ? AND state IN ('waiting', 'spare')`,
  ),
  promoteKnown: connection.prepare(
    `UPDATE tasks SET state = 'waiting', unlinked = 1 WHERE id IN (
       SELECT id FROM tasks WHERE job = ? AND state = 'known' ORDER BY id LIMIT ?)`,
  ),
  dropKnown: connection.prepare(
    `DELETE FROM tasks WHERE job = ? AND state = 'known' AND key IN (SELECT value FROM json_each(?))`,
  ),
  promote: connection.prepare(
    `UPDATE tasks SET state = 'waiting' WHERE id IN (
       SELECT id FROM tasks WHERE job = ? AND state = 'spare' ORDER BY id LIMIT ?)`,
  ),

  demote: connection.prepare(
    `UPDATE tasks SET state = 'spare' WHERE id IN (
       SELECT id FROM tasks WHERE job = ?1 AND state = 'waiting' AND id > ?2
         AND id NOT IN (SELECT id FROM tasks WHERE job = ?1 AND kind = 'kick-off') ORDER BY id DESC LIMIT ?3)`,
  ),
});
