// Takes waiting tasks of a job, while other processes take others.
import type { ClaimedTask, ClaimRequest } from '../../../ports/jobs/job-queue.ts';
import type { Tx } from '../../../sql/database.ts';
import {
  claimedTask,
  TAKEN_COLUMNS,
  type TakenRow,
  type TakenTasks,
  type TakeTurns,
} from '../../../sql/jobs/claims.ts';
import type { PostgresTx } from '../../database/queries.ts';
import type { HostOwners } from './host-owners.ts';
import { findTurns, type HostTurns } from './host-turns.ts';

/** Others may take the same hosts or tasks at the same time. Then a claim looks again, now ... */
const MAX_ROUNDS = 8;
/** ... or somewhat later. */
const LOOK_AGAIN_MS = 250;

interface Taken extends TakenTasks {
  fullHosts: Set<string>;
  memories: Record<string, string>;
  againAt: number[];
}

export function createTakeTurns(hosts: Pick<HostOwners, 'take' | 'process'>): TakeTurns {
  /** Returns how many of the candidates this claim got. */
  async function takeCandidates(
    tx: Tx,
    { candidates }: HostTurns,
    request: ClaimRequest,
    taken: Taken,
  ): Promise<number> {
    if (candidates.length === 0) return 0;
    const names = [...new Set(candidates.map(({ host }) => host))];
    const { owned, memories } = await hosts.take((tx as PostgresTx).sql, names, request);
    Object.assign(taken.memories, memories);
    const ids = candidates.filter(({ host }) => owned.has(host)).map(({ id }) => id);
    const tasks = await startTasks(tx, ids, request);
    taken.tasks.push(...tasks);
    return tasks.length;
  }

  return async (tx, job, request, after) => {
    const { slots, now } = request;
    const taken: Taken = { tasks: [], fullHosts: new Set(), memories: {}, last: after, againAt: [] };
    for (let round = 1; slots > 0; round++) {
      const query = { job, ...request, slots: slots - taken.tasks.length, after: taken.last, process: hosts.process };
      const turns = await findTurns((tx as PostgresTx).sql, { ...query, taken: countByHost(taken.tasks) });
      const got = await takeCandidates(tx, turns, request, taken);
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
  };
}

function countByHost(tasks: ClaimedTask[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of tasks) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}

/**
 * Those that still wait and that nobody has locked, in the order of their ids in the list. The state is looked at last: with it, a
 * planner without statistics would read all waiting tasks.
 */
async function startTasks(tx: Tx, ids: number[], { owner, jobId, leaseUntil }: ClaimRequest): Promise<ClaimedTask[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<TakenRow>`
    WITH free AS MATERIALIZED (
      SELECT id, state FROM tasks WHERE id = ANY(${ids}::bigint[]) FOR UPDATE SKIP LOCKED)
    UPDATE tasks SET state = 'running', owner = ${owner}, lease_until = ${leaseUntil}, attempt = attempt + 1
    FROM free WHERE tasks.id = free.id AND free.state = 'waiting'
    RETURNING ${TAKEN_COLUMNS}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => (byId.has(id) ? [claimedTask(byId.get(id)!, jobId)] : []));
}
