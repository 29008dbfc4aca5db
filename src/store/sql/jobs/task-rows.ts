// Adds tasks to a job: each page once, within the job's limit. Excess pages become spares.
import { uuidv7 } from '../../../util/ids.ts';
import type { NewTask } from '../../ports/jobs/job-queue.ts';
import type { Job } from '../../rules/jobs/job-record.ts';
import type { Tx } from '../database.ts';
import { indexed } from '../indexed-text.ts';
import type { CrawlTraps, LinkWatch } from './crawl-traps.ts';

/** Limits per job, so that a site with millions of links cannot fill the disk with pages that will never be fetched. */
const MAX_SPARES = 10_000;
const MAX_BLOCKED = 10_000;
const MAX_REFUSED = 10_000;
const MAX_KNOWN = 100_000;

type NewTaskState = 'waiting' | 'spare' | 'known' | 'blocked' | 'refused';

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
  add(tx: Tx, job: Job, tasks: readonly NewTask[], now: number, options?: AddOptions): Promise<number>;
  /** Turns spares into waiting tasks while the limit allows, oldest first. */
  promote(tx: Tx, job: Job): Promise<number>;
  /** Turns waiting pages into spares, those found last first: at most `most`, and only those after this task. Returns their number. */
  demote(tx: Tx, job: Job, most: number, after?: number): Promise<number>;
  /** Turns pages that only an earlier crawl has found into waiting tasks while the limit allows, oldest first. */
  promoteKnown(tx: Tx, job: Job): Promise<number>;
}

export function createTaskRows(traps: Pick<CrawlTraps, 'closedAmong'>): TaskRows {
  return {
    async add(tx, job, tasks, now, { watch, mentions = [], raiseLimit = false } = {}) {
      const keys = tasks.map(({ key }) => indexed(key));
      await Promise.all([dateKnown(tx, job, tasks, keys), relink(tx, job, tasks, keys, mentions)]);
      const found = await newAmong(tx, job, tasks, keys);
      if (found.length === 0) return 0;
      const [closed] = await Promise.all([
        traps.closedAmong(tx, job.number, new Set(found.map(({ task }) => task.pattern))),
        watch?.prepare(
          tx,
          found.map(({ task }) => task),
        ),
      ]);
      const added = found.flatMap(({ key, task }) => {
        const state = closed.has(task.pattern) ? undefined : newTaskState(job, task, raiseLimit);
        if (!state) return [];
        watch?.see(task);
        return [rowOf(job, key, task, state, now)];
      });
      await tx.insert('tasks', added);
      return added.filter(({ state }) => state === 'waiting').length;
    },
    async promote(tx, job) {
      const slots = Math.min(job.limit - job.total, job.spares);
      if (slots <= 0) return 0;
      const promoted = await tx.run`
        UPDATE tasks SET state = 'waiting' WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'spare' ORDER BY id LIMIT ${slots})`;
      job.total += promoted;
      job.spares -= promoted;
      return promoted;
    },
    async demote(tx, job, most, after = 0) {
      // Claims do not wait for the lock of the job, so a waiting task may be running by now.
      const demoted = await tx.run`
        UPDATE tasks SET state = 'spare' WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'waiting' AND id > ${after}
            AND id NOT IN (SELECT id FROM tasks WHERE job = ${job.number} AND kind = 'kick-off')
          ORDER BY id DESC LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
      job.total -= demoted;
      job.spares += demoted;
      return demoted;
    },
    async promoteKnown(tx, job) {
      const slots = Math.min(job.limit - job.total, job.known);
      if (slots <= 0) return 0;
      const promoted = await tx.run`
        UPDATE tasks SET state = 'waiting', unlinked = true WHERE id IN (
          SELECT id FROM tasks WHERE job = ${job.number} AND state = 'known' ORDER BY id LIMIT ${slots})`;
      job.total += promoted;
      job.known -= promoted;
      return promoted;
    },
  };
}

/** A sitemap may date pages that a link has already led to. */
async function dateKnown(tx: Tx, job: Job, tasks: readonly NewTask[], keys: readonly string[]): Promise<void> {
  const dates = new Map<string, number>();
  for (const [at, { lastModified }] of tasks.entries())
    if (lastModified !== undefined) dates.set(keys[at]!, lastModified);
  if (dates.size === 0) return;
  const known = await tx.rows<{ id: number; key: string; lastModified: number | null }>`
    SELECT id, key, last_modified AS "lastModified" FROM tasks
    WHERE job = ${job.number} AND key = ANY(${[...dates.keys()]}::text[])`;
  const changed = known.filter(({ key, lastModified }) => lastModified !== dates.get(key));
  await Promise.all(
    changed.map(
      ({ id, key }) => tx.run`
        UPDATE tasks SET last_modified = ${dates.get(key)} WHERE id = ${id} AND state IN ('waiting', 'spare')`,
    ),
  );
}

/** A page that a link leads to is added like any other, whatever an earlier crawl knows about it. */
async function relink(
  tx: Tx,
  job: Job,
  tasks: readonly NewTask[],
  keys: readonly string[],
  mentions: readonly string[],
): Promise<void> {
  if (job.known === 0) return;
  const linked = [...mentions.map(indexed), ...keys.filter((_, at) => !tasks[at]!.isKnown)];
  const dropped = await tx.run`
    WITH linked AS MATERIALIZED (
      SELECT id, state FROM tasks WHERE job = ${job.number} AND key = ANY(${linked}::text[]))
    DELETE FROM tasks WHERE id IN (SELECT id FROM linked WHERE state = 'known')`;
  job.known -= dropped;
}

/**
 * Those whose keys are neither the key nor the final key of a task, each once. One query, since nearly all links are known. Each
 * key is looked up in the index: with NOT EXISTS, a planner without statistics would read all tasks of the job.
 */
async function newAmong(
  tx: Tx,
  { number: job }: Job,
  tasks: readonly NewTask[],
  keys: readonly string[],
): Promise<{ key: string; task: NewTask }[]> {
  if (keys.length === 0) return [];
  const rows = await tx.rows<{ key: string }>`
    SELECT link.key FROM unnest(${keys}::text[]) AS link (key)
    WHERE (SELECT 1 FROM tasks WHERE job = ${job} AND tasks.key = link.key COLLATE "C" LIMIT 1) IS NULL
      AND (SELECT 1 FROM tasks WHERE job = ${job} AND final_key = link.key COLLATE "C" LIMIT 1) IS NULL`;
  if (rows.length === 0) return [];
  const unknown = new Set(rows.map(({ key }) => key));
  return tasks.flatMap((task, at) => (unknown.delete(keys[at]!) ? [{ key: keys[at]!, task }] : []));
}

/** The state of a new task, counted in the job; undefined if there is no room for it. `raiseLimit` makes room for it. */
function newTaskState(
  job: Job,
  { kind, isKnown, refused }: Pick<NewTask, 'kind' | 'isKnown' | 'refused'>,
  raiseLimit: boolean,
): NewTaskState | undefined {
  if (refused?.by === 'robots') return job.blocked < MAX_BLOCKED ? bump(job, 'blocked', 'blocked') : undefined;
  if (refused) return job.refused < MAX_REFUSED ? bump(job, 'refused', 'refused') : undefined;
  if (kind === 'kick-off') return bump(job, 'kickOffs', 'waiting');
  if (isKnown) return job.known < MAX_KNOWN ? bump(job, 'known', 'known') : undefined;
  if (raiseLimit) job.limit += 1;
  if (job.total < job.limit) return bump(job, 'total', 'waiting');
  if (job.spares < MAX_SPARES) return bump(job, 'spares', 'spare');
  job.droppedLinks = 1;
  return undefined;
}

type Counter = 'blocked' | 'refused' | 'kickOffs' | 'total' | 'spares' | 'known';

function bump(job: Job, counter: Counter, state: NewTaskState): NewTaskState {
  job[counter] += 1;
  return state;
}

function rowOf(job: Job, key: string, task: NewTask, state: NewTaskState, now: number) {
  const { kind, url, host, depth, steps, pattern, chained, lastModified, refused } = task;
  const reason = refused?.by === 'scope' ? refused : undefined;
  return {
    job: job.number,
    kind,
    state,
    url,
    key,
    full_key: key === task.key ? null : task.key,
    host: indexed(host),
    depth,
    steps,
    pattern: indexed(pattern),
    chained,
    last_modified: lastModified ?? null,
    ended_at: refused ? now : null,
    scrape_id: refused ? uuidv7(now) : null,
    code: reason?.code ?? null,
    message: reason?.message ?? null,
  };
}
