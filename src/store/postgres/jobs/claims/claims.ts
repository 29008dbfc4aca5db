// Claims: which tasks a worker gets next, how long it owns them, and how they are returned. A claim waits for no job: a task
// that is locked is left for later.
import { createBoundedMap } from '../../../../util/bounded-map.ts';
import type { Claim, ClaimedTask, ClaimRequest, JobQueue } from '../../../job-queue.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { JobRows } from '../job-rows.ts';
import type { HostOwners } from './host-owners.ts';
import { findTurns, type Turns } from './host-turns.ts';

const WOKEN_PER_CLAIM = 1_000;
const MAX_CURSORS = 1_000;
/** Others may take the same hosts or tasks at the same time. Then a claim looks again, now ... */
const MAX_ROUNDS = 8;
/** ... or somewhat later. */
const LOOK_AGAIN_MS = 250;

export type Claims = Pick<JobQueue, 'claim' | 'extend' | 'release' | 'load'>;

interface Taken {
  tasks: ClaimedTask[];
  fullHosts: Set<string>;
  memories: Record<string, string>;
  last: string;
  /** When it is worth to look again, apart from what becomes due. */
  againAt: number[];
}

export function createClaims(
  { sql: pool, transaction }: Database,
  jobs: Pick<JobRows, 'find' | 'lock'>,
  hosts: Pick<HostOwners, 'take' | 'process'>,
): Claims {
  /** The host served last, per job. Losing one only restarts the round. */
  const cursors = createBoundedMap<number, string>({ maxEntries: MAX_CURSORS });

  async function takeTurns(sql: Sql, job: number, request: ClaimRequest): Promise<Taken> {
    const { slots, now } = request;
    const taken: Taken = { tasks: [], fullHosts: new Set(), memories: {}, last: cursors.get(job) ?? '', againAt: [] };
    for (let round = 1; slots > 0; round++) {
      const query = { job, ...request, slots: slots - taken.tasks.length, after: taken.last, process: hosts.process };
      const turns = await findTurns(sql, { ...query, taken: countByHost(taken.tasks) });
      const got = await takeCandidates(sql, turns, request, taken);
      taken.last = turns.last;
      for (const host of turns.fullHosts) taken.fullHosts.add(host);
      if (taken.tasks.length >= slots) return taken;
      const isContested = got < turns.candidates.length;
      if (isContested && round < MAX_ROUNDS) continue;
      if (turns.leaseEnds !== undefined) taken.againAt.push(turns.leaseEnds);
      if (turns.isCut || isContested) taken.againAt.push(now + LOOK_AGAIN_MS);
      return taken;
    }
    return taken;
  }

  /** Returns how many of the candidates this claim got. */
  async function takeCandidates(sql: Sql, { candidates }: Turns, request: ClaimRequest, taken: Taken): Promise<number> {
    if (candidates.length === 0) return 0;
    const { owned, memories } = await hosts.take(sql, [...new Set(candidates.map(({ host }) => host))], request);
    Object.assign(taken.memories, memories);
    const ids = candidates.filter(({ host }) => owned.has(host)).map(({ id }) => id);
    const tasks = await startTasks(sql, ids, request);
    taken.tasks.push(...tasks);
    return tasks.length;
  }

  return {
    async claim(request) {
      const { claim, job, last } = await transaction(async (sql) => {
        // The pace of a job is counted over all processes, so their claims take turns.
        const job = await (request.jobPace ? jobs.lock : jobs.find)(sql, request.jobId);
        if (job?.status !== 'scraping' || job.pausedAt !== null) return { claim: NOTHING };
        await Promise.all([takeOver(sql, job.number, request.now), wake(sql, job.number, request.now)]);
        const { slots, notBefore } = await withinPace(sql, job.number, request);
        if (notBefore !== undefined) return { claim: { ...NOTHING, nextAt: notBefore } };
        const taken = await takeTurns(sql, job.number, { ...request, slots });
        const isShort = taken.tasks.length < request.slots;
        const times = isShort ? [...taken.againAt, ...(await nextDue(sql, job.number))] : [];
        return { claim: claimOf(taken, times), job: job.number, last: taken.last };
      });
      // After the commit, because a transaction may run twice.
      if (job !== undefined) cursors.set(job, last!);
      return claim;
    },
    async extend(owner, taskIds, leaseUntil) {
      const extended = await transaction(async (sql) => {
        const found = await sql<{ id: number; isOwn: boolean }[]>`
          SELECT tasks.id, tasks.state = 'running' AND tasks.owner = ${owner} AND jobs.status = 'scraping' AS "isOwn"
          FROM tasks JOIN jobs ON number = job WHERE tasks.id = ANY(${taskIds}::bigint[])
          ORDER BY tasks.id FOR UPDATE OF tasks`;
        const ids = found.filter(({ isOwn }) => isOwn).map(({ id }) => id);
        await sql`UPDATE tasks SET lease_until = ${leaseUntil} WHERE id = ANY(${ids}::bigint[])`;
        return ids;
      });
      const own = new Set(extended);
      return taskIds.filter((id) => !own.has(id));
    },
    async release(owner, taskIds) {
      const which = taskIds ? pool`id = ANY(${taskIds}::bigint[])` : pool`true`;
      // A task returned unfinished does not count as an attempt.
      await pool`
        UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL, attempt = attempt - 1
        WHERE id IN (
          SELECT id FROM tasks WHERE state = 'running' AND owner = ${owner} AND ${which} ORDER BY id FOR UPDATE)`;
    },
    async load(teamId) {
      const [counted] = await pool<{ open: number; active: number; paused: number }[]>`
        SELECT coalesce(sum(total - completed) FILTER (WHERE paused_at IS NULL), 0)::bigint AS open,
          coalesce(sum(running), 0)::bigint AS active,
          coalesce(sum(running) FILTER (WHERE paused_at IS NOT NULL), 0)::bigint AS paused
        FROM jobs CROSS JOIN LATERAL (
          SELECT count(*) AS running FROM tasks WHERE job = number AND state = 'running' AND tasks.kind = 'page') AS pages
        WHERE status = 'scraping' AND team_id = ${teamId}`;
      const { open, active, paused } = counted!;
      return { active, waiting: open - (active - paused) };
    },
  };
}

/** How many tasks the job may start now, or when it may start one again. */
async function withinPace(
  sql: Sql,
  job: number,
  { slots, jobPace, now }: ClaimRequest,
): Promise<{ slots: number; notBefore?: number }> {
  if (!jobPace) return { slots };
  const [found] = await sql<{ running: number; endedAt: number | null }[]>`
    SELECT (SELECT count(*) FROM tasks WHERE job = ${job} AND state = 'running') AS running,
      greatest((SELECT max(ended_at) FROM tasks
          WHERE job = ${job} AND kind = 'page' AND state IN ('done', 'failed', 'blocked')),
        (SELECT max(ended_at) FROM tasks WHERE job = ${job} AND kind = 'kick-off')) AS "endedAt"`;
  const { running, endedAt } = found!;
  const notBefore = endedAt === null || jobPace.pauseMs === 0 ? now : endedAt + jobPace.pauseMs;
  return { slots: Math.max(0, Math.min(slots, jobPace.concurrency - running)), ...(notBefore > now && { notBefore }) };
}

const NOTHING: Claim = { tasks: [], fullHosts: [] };

function claimOf({ tasks, fullHosts, memories }: Taken, times: number[]): Claim {
  return {
    tasks,
    fullHosts: [...fullHosts],
    ...(times.length > 0 && { nextAt: Math.min(...times) }),
    ...(Object.keys(memories).length > 0 && { hostMemories: memories }),
  };
}

function countByHost(tasks: ClaimedTask[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of tasks) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}

type StartedRow = Omit<ClaimedTask, 'jobId' | 'lastModified' | 'isUnlinked'> & {
  lastModified: number | null;
  unlinked: boolean;
};

/**
 * Those that still wait and that nobody has locked, in the order of their ids in the list. The state is looked at last: with it, a
 * planner without statistics would read all waiting tasks.
 */
async function startTasks(sql: Sql, ids: number[], { owner, jobId, leaseUntil }: ClaimRequest): Promise<ClaimedTask[]> {
  if (ids.length === 0) return [];
  const rows = await sql<StartedRow[]>`
    WITH free AS MATERIALIZED (
      SELECT id, state FROM tasks WHERE id = ANY(${ids}::bigint[]) FOR UPDATE SKIP LOCKED)
    UPDATE tasks SET state = 'running', owner = ${owner}, lease_until = ${leaseUntil}, attempt = attempt + 1
    FROM free WHERE tasks.id = free.id AND free.state = 'waiting'
    RETURNING tasks.id, kind, url, coalesce(full_key, key) AS key, host, depth, steps, pattern, attempt,
      last_modified AS "lastModified", unlinked`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { lastModified, unlinked, ...task } = row;
    const facts = { ...(lastModified !== null && { lastModified }), ...(unlinked && { isUnlinked: true as const }) };
    return [{ ...task, jobId, ...facts }];
  });
}

const takeOver = (sql: Sql, job: number, now: number) => sql`
  UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id IN (
    SELECT id FROM tasks WHERE job = ${job} AND state = 'running' AND lease_until <= ${now}
    LIMIT ${WOKEN_PER_CLAIM} FOR UPDATE SKIP LOCKED)`;

const wake = (sql: Sql, job: number, now: number) => sql`
  UPDATE tasks SET state = 'waiting', due_at = NULL WHERE id IN (
    SELECT id FROM tasks WHERE job = ${job} AND state = 'paused' AND due_at <= ${now}
    LIMIT ${WOKEN_PER_CLAIM} FOR UPDATE SKIP LOCKED)`;

/** When the next paused task is due, and when the next lease of a task ends. */
async function nextDue(sql: Sql, job: number): Promise<number[]> {
  const [row] = await sql<{ due: number | null; ends: number | null }[]>`
    SELECT (SELECT min(due_at) FROM tasks WHERE job = ${job} AND state = 'paused') AS due,
      (SELECT min(lease_until) FROM tasks WHERE job = ${job} AND state = 'running') AS ends`;
  return [row!.due, row!.ends].filter((at) => at !== null);
}
