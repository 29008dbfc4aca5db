// Claims: which tasks a worker gets next, how long it owns them, and how they are returned.
import { createBoundedMap } from '../../../util/bounded-map.ts';

import type { Connection } from '../../../util/sqlite.ts';
import type { Claim, ClaimedTask, ClaimRequest, JobQueue } from '../../job-queue.ts';
import type { Served } from '../served.ts';
import type { JobRows } from './job-rows.ts';

/** Limits that keep a claim within a few milliseconds, however large the job. */
const HOSTS_PER_CLAIM = 1_000;
const WOKEN_PER_CLAIM = 1_000;
const MAX_CURSORS = 1_000;

type Claiming = 'claim' | 'extend' | 'release' | 'load' | 'keepHosts' | 'leaveHosts';

export interface Claims extends Pick<Served<JobQueue>, Claiming> {
  /** Called at the start of the only process of a data folder: all earlier owners are dead. */
  releaseAll(): void;
}

export function createClaims(connection: Connection, jobs: Pick<JobRows, 'findById'>): Claims {
  const sql = prepareAll(connection);
  /** The host served last, per job. Losing one only restarts the round. */
  const cursors = createBoundedMap<number, string>({ maxEntries: MAX_CURSORS });

  const nextHost = (job: number, after: string): string | undefined =>
    (sql.nextHost.get(job, after) ?? sql.nextHost.get(job, ''))?.host;

  /** How many tasks the job may start now, or when it may start one again. */
  const withinPace = (job: number, { slots, jobPace, now }: ClaimRequest): { slots: number; notBefore?: number } => {
    if (!jobPace) return { slots };
    const { running } = sql.countRunning.get(job)!;
    const { endedAt } = sql.lastEnd.get(job)!;
    const notBefore = endedAt === null || jobPace.pauseMs === 0 ? now : endedAt + jobPace.pauseMs;
    return { slots: Math.min(slots, jobPace.concurrency - running), ...(notBefore > now && { notBefore }) };
  };

  /** One task of each host in turn, then another of each with free slots, until enough are claimed. */
  const takeTurns = (job: number, request: ClaimRequest): Pick<Claim, 'tasks' | 'fullHosts'> => {
    const { owner, jobId, slots, hostSlots, otherHostSlots, leaseUntil } = request;
    const tasks: ClaimedTask[] = [];
    const fullHosts: string[] = [];
    let last = cursors.get(job) ?? '';

    /** False if the host has no more to give. */
    const serve = (turn: { host: string; left: number }): boolean => {
      last = turn.host;
      if (turn.left <= 0) {
        if (sql.hasWaiting.get(job, turn.host)) fullHosts.push(turn.host);
        return false;
      }
      const task = sql.take.get(owner, leaseUntil, job, turn.host);
      if (!task) return false;
      turn.left -= 1;
      const { lastModified, unlinked, ...claimed } = task;
      const facts = {
        ...(lastModified !== null && { lastModified }),
        ...(unlinked === 1 && { isUnlinked: true as const }),
      };
      tasks.push({ ...claimed, jobId, ...facts });
      return true;
    };

    const seen = new Set<string>();
    let turns: { host: string; left: number }[] = [];
    while (tasks.length < slots && seen.size < HOSTS_PER_CLAIM) {
      const host = nextHost(job, last);
      if (host === undefined || seen.has(host)) break;
      seen.add(host);
      const turn = { host, left: Object.hasOwn(hostSlots, host) ? hostSlots[host]! : otherHostSlots };
      if (serve(turn)) turns.push(turn);
    }
    while (tasks.length < slots && turns.length > 0) {
      turns = turns.filter((turn) => tasks.length < slots && serve(turn));
    }
    cursors.set(job, last);
    return { tasks, fullHosts };
  };

  return {
    claim(request) {
      return connection.transaction(() => {
        const job = jobs.findById(request.jobId);
        if (job?.status !== 'scraping' || job.pausedAt !== null) return { tasks: [], fullHosts: [] };
        sql.takeOver.run(job.number, request.now);
        sql.wake.run(job.number, request.now);
        const { slots, notBefore } = withinPace(job.number, request);
        if (notBefore !== undefined) return { tasks: [], fullHosts: [], nextAt: notBefore };
        const claim = takeTurns(job.number, { ...request, slots });
        const nextAt = claim.tasks.length < request.slots ? sql.nextDue.get(job.number)!.at : null;
        return nextAt === null ? claim : { ...claim, nextAt };
      });
    },
    extend(owner, taskIds, leaseUntil) {
      return connection.transaction(() => {
        sql.extend.run(leaseUntil, owner, JSON.stringify(taskIds));
        const own = new Set(sql.own.all(owner).map(({ id }) => id));
        return taskIds.filter((id) => !own.has(id));
      });
    },
    release: (owner, taskIds) =>
      void (taskIds ? sql.releaseSome.run(owner, JSON.stringify(taskIds)) : sql.release.run(owner)),
    releaseAll: () => void sql.releaseAll.run(),
    load(teamId) {
      const { open } = sql.openPages.get(teamId)!;
      const { active, paused } = sql.activePages.get(teamId)!;
      return { active, waiting: open - (active - paused) };
    },
    // The only process of a data folder owns all hosts.
    keepHosts: () => [],
    leaveHosts: () => {},
  };
}

type TakenRow = Omit<ClaimedTask, 'jobId' | 'lastModified' | 'isUnlinked'> & {
  lastModified: number | null;
  unlinked: 0 | 1;
};

const WAITING = `state = 'waiting', owner = NULL, lease_until = NULL`;

const prepareAll = (connection: Connection) => ({
  nextHost: connection.prepare<{ host: string }>(
    `SELECT host FROM tasks WHERE job = ? AND state = 'waiting' AND host > ? ORDER BY host LIMIT 1`,
  ),
  hasWaiting: connection.prepare(`SELECT 1 FROM tasks WHERE job = ? AND state = 'waiting' AND host = ? LIMIT 1`),
  take: connection.prepare<TakenRow>(
    `UPDATE tasks SET state = 'running', owner = ?, lease_until = ?, attempt = attempt + 1
     WHERE id = (SELECT id FROM tasks WHERE job = ? AND state = 'waiting' AND host = ? ORDER BY id LIMIT 1)
     RETURNING id, kind, url, key, host, depth, steps, pattern, attempt, last_modified AS lastModified, unlinked`,
  ),
  takeOver: connection.prepare(
    `UPDATE tasks SET ${WAITING} WHERE id IN (
       SELECT id FROM tasks WHERE job = ? AND state = 'running' AND lease_until <= ? LIMIT ${WOKEN_PER_CLAIM})`,
  ),
  wake: connection.prepare(
    `UPDATE tasks SET state = 'waiting', due_at = NULL WHERE id IN (
       SELECT id FROM tasks WHERE job = ? AND state = 'paused' AND due_at <= ? LIMIT ${WOKEN_PER_CLAIM})`,
  ),
  nextDue: connection.prepare<{ at: number | null }>(
    `SELECT min(at) AS at FROM (
       SELECT min(due_at) AS at FROM tasks WHERE job = ?1 AND state = 'paused' UNION ALL
       SELECT min(lease_until) FROM tasks WHERE job = ?1 AND state = 'running')`,
  ),
  extend: connection.prepare(
    `UPDATE tasks SET lease_until = ? WHERE state = 'running' AND owner = ? AND id IN (SELECT value FROM json_each(?))`,
  ),
  own: connection.prepare<{ id: number }>(
    `SELECT tasks.id FROM tasks JOIN jobs ON number = job
     WHERE state = 'running' AND owner = ? AND status = 'scraping'`,
  ),
  // A task returned unfinished does not count as an attempt.
  release: connection.prepare(
    `UPDATE tasks SET ${WAITING}, attempt = attempt - 1 WHERE state = 'running' AND owner = ?`,
  ),
  releaseSome: connection.prepare(
    `UPDATE tasks SET ${WAITING}, attempt = attempt - 1
     WHERE state = 'running' AND owner = ? AND id IN (SELECT value FROM json_each(?))`,
  ),
  countRunning: connection.prepare<{ running: number }>(
    `SELECT count(*) AS running FROM tasks WHERE job = ? AND state = 'running'`,
  ),
  lastEnd: connection.prepare<{ endedAt: number | null }>('SELECT max(ended_at) AS endedAt FROM tasks WHERE job = ?'),
  releaseAll: connection.prepare(`UPDATE tasks SET ${WAITING} WHERE state = 'running'`),
  openPages: connection.prepare<{ open: number }>(
    `SELECT coalesce(sum(total - completed), 0) AS open FROM jobs
     WHERE status = 'scraping' AND team_id = ? AND paused_at IS NULL`,
  ),
  activePages: connection.prepare<{ active: number; paused: number }>(
    `SELECT count(*) AS active, count(paused_at) AS paused FROM tasks JOIN jobs ON number = job
     WHERE state = 'running' AND tasks.kind = 'page' AND status = 'scraping' AND team_id = ?`,
  ),
});
