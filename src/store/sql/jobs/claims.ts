// Claims: which tasks a worker gets next, how long it owns them, and how they are returned. A claim waits for no job: a task
// that is locked is left for later.
import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { Claim, ClaimedTask, ClaimRequest, JobQueue } from '../../ports/jobs/job-queue.ts';
import { type BooleanColumn, type Database, sql, type Tx } from '../database.ts';
import type { JobRows } from './job-rows.ts';

const WOKEN_PER_CLAIM = 1_000;
const MAX_CURSORS = 1_000;

export type Claims = Pick<JobQueue, 'claim' | 'extend' | 'release' | 'load'>;

export interface TakenTasks {
  tasks: ClaimedTask[];
  /** Hosts with waiting tasks but no free slot. */
  fullHosts: Iterable<string>;
  /** As in Claim. */
  memories?: Record<string, string>;
  /** The host served last. */
  last: string;
  /** When it is worth to look again, apart from what becomes due. */
  againAt?: number[];
}

/** Takes waiting tasks of a job: one of each host in turn from the one after `after`, then another of each with free slots. */
export type TakeTurns = (tx: Tx, job: number, request: ClaimRequest, after: string) => Promise<TakenTasks>;

export function createClaims(database: Database, jobs: Pick<JobRows, 'find' | 'lock'>, takeTurns: TakeTurns): Claims {
  /** The host served last, per job. Losing one only restarts the round. */
  const cursors = createBoundedMap<number, string>({ maxEntries: MAX_CURSORS });

  return {
    async claim(request) {
      const { claim, job, last } = await database.transaction(async (tx) => {
        // The pace of a job is counted over all processes, so their claims take turns.
        const job = await (request.jobPace ? jobs.lock : jobs.find)(tx, request.jobId);
        if (job?.status !== 'scraping' || job.pausedAt !== null) return { claim: NOTHING };
        await Promise.all([takeOver(tx, job.number, request.now), wake(tx, job.number, request.now)]);
        const { slots, notBefore } = await withinPace(tx, job.number, request);
        if (notBefore !== undefined) return { claim: { ...NOTHING, nextAt: notBefore } };
        const taken = await takeTurns(tx, job.number, { ...request, slots }, cursors.get(job.number) ?? '');
        const isShort = taken.tasks.length < request.slots;
        const times = isShort ? [...(taken.againAt ?? []), ...(await nextDue(tx, job.number))] : [];
        return { claim: claimOf(taken, times), job: job.number, last: taken.last };
      });
      // After the commit, because a transaction may run twice.
      if (job !== undefined) cursors.set(job, last!);
      return claim;
    },
    async extend(owner, taskIds, leaseUntil) {
      const extended = await database.transaction(async (tx) => {
        const found = await tx.rows<{ id: number; isOwn: BooleanColumn | null }>`
          SELECT tasks.id, tasks.state = 'running' AND tasks.owner = ${owner} AND jobs.status = 'scraping' AS "isOwn"
          FROM tasks JOIN jobs ON number = job WHERE tasks.id = ANY(${taskIds}::bigint[])
          ORDER BY tasks.id FOR UPDATE OF tasks`;
        const ids = found.filter(({ isOwn }) => isOwn).map(({ id }) => id);
        await tx.run`UPDATE tasks SET lease_until = ${leaseUntil} WHERE id = ANY(${ids}::bigint[])`;
        return ids;
      });
      const own = new Set(extended);
      return taskIds.filter((id) => !own.has(id));
    },
    async release(owner, taskIds) {
      // A task returned unfinished does not count as an attempt. `+ 0` keeps SQLite from reading all tasks in this order.
      await database.run`
        UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = attempt - 1
        WHERE id IN (
          SELECT id FROM tasks WHERE state = 'running' AND owner = ${owner}
            ${taskIds ? sql`AND id = ANY(${taskIds}::bigint[])` : sql``} ORDER BY id + 0 FOR UPDATE)`;
    },
    async load(teamId) {
      const counted = await database.one<{ open: number; active: number; paused: number }>`
        SELECT coalesce(sum(open) FILTER (WHERE paused_at IS NULL), 0)::bigint AS open,
          coalesce(sum(running), 0)::bigint AS active,
          coalesce(sum(running) FILTER (WHERE paused_at IS NOT NULL), 0)::bigint AS paused
        FROM (
          SELECT paused_at, total - completed AS open, (SELECT count(*) FROM tasks
            WHERE tasks.job = jobs.number AND tasks.state = 'running' AND tasks.kind = 'page') AS running
          FROM jobs WHERE status = 'scraping' AND team_id = ${teamId}) AS unfinished`;
      const { open, active, paused } = counted!;
      return { active, waiting: open - (active - paused) };
    },
  };
}

/** How many tasks the job may start now, or when it may start one again. */
async function withinPace(
  tx: Tx,
  job: number,
  { slots, jobPace, now }: ClaimRequest,
): Promise<{ slots: number; notBefore?: number }> {
  if (!jobPace) return { slots };
  const found = await tx.one<{ running: number; pageEnded: number | null; kickOffEnded: number | null }>`
    SELECT (SELECT count(*) FROM tasks WHERE job = ${job} AND state = 'running') AS running,
      (SELECT max(ended_at) FROM tasks
        WHERE job = ${job} AND kind = 'page' AND state IN ('done', 'failed', 'blocked')) AS "pageEnded",
      (SELECT max(ended_at) FROM tasks WHERE job = ${job} AND kind = 'kick-off') AS "kickOffEnded"`;
  const { running, pageEnded, kickOffEnded } = found!;
  const endedAt = Math.max(pageEnded ?? 0, kickOffEnded ?? 0);
  const notBefore = endedAt === 0 || jobPace.pauseMs === 0 ? now : endedAt + jobPace.pauseMs;
  return { slots: Math.max(0, Math.min(slots, jobPace.concurrency - running)), ...(notBefore > now && { notBefore }) };
}

const NOTHING: Claim = { tasks: [], fullHosts: [] };

function claimOf({ tasks, fullHosts, memories = {} }: TakenTasks, times: number[]): Claim {
  return {
    tasks,
    fullHosts: [...fullHosts],
    ...(times.length > 0 && { nextAt: Math.min(...times) }),
    ...(Object.keys(memories).length > 0 && { hostMemories: memories }),
  };
}

/** A task as the statement returns it that takes it. */
export type TakenRow = Omit<ClaimedTask, 'jobId' | 'lastModified' | 'isUnlinked'> & {
  lastModified: number | null;
  unlinked: BooleanColumn;
};

export const TAKEN_COLUMNS = sql`
  tasks.id, kind, url, coalesce(full_key, key) AS key, host, depth, steps, pattern, attempt, last_modified AS "lastModified",
  unlinked`;

export const claimedTask = ({ lastModified, unlinked, ...task }: TakenRow, jobId: string): ClaimedTask => ({
  ...task,
  jobId,
  ...(lastModified !== null && { lastModified }),
  ...(unlinked && { isUnlinked: true as const }),
});

async function takeOver(tx: Tx, job: number, now: number): Promise<void> {
  const lost = await tx.rows<{ id: number }>`
    SELECT id FROM tasks WHERE job = ${job} AND state = 'running' AND lease_until <= ${now}
    LIMIT ${WOKEN_PER_CLAIM} FOR UPDATE SKIP LOCKED`;
  await waitAgain(tx, lost);
}

async function wake(tx: Tx, job: number, now: number): Promise<void> {
  const due = await tx.rows<{ id: number }>`
    SELECT id FROM tasks WHERE job = ${job} AND state = 'paused' AND due_at <= ${now}
    LIMIT ${WOKEN_PER_CLAIM} FOR UPDATE SKIP LOCKED`;
  await waitAgain(tx, due);
}

/** There are rarely any, and looking for them costs less than an update that changes nothing. */
async function waitAgain(tx: Tx, tasks: readonly { id: number }[]): Promise<void> {
  if (tasks.length === 0) return;
  await tx.run`
    UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, due_at = NULL
    WHERE id = ANY(${tasks.map(({ id }) => id)}::bigint[])`;
}

/** When the next paused task is due, and when the next lease of a task ends. */
async function nextDue(tx: Tx, job: number): Promise<number[]> {
  const next = await tx.one<{ due: number | null; ends: number | null }>`
    SELECT (SELECT min(due_at) FROM tasks WHERE job = ${job} AND state = 'paused') AS due,
      (SELECT min(lease_until) FROM tasks WHERE job = ${job} AND state = 'running') AS ends`;
  return [next!.due, next!.ends].filter((at) => at !== null);
}
