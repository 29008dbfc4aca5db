// The order in which the tasks of a job are claimed, by the only process of a data folder: it owns all hosts.
import type { ClaimedTask, ClaimRequest } from '../../ports/jobs/job-queue.ts';
import type { Tx } from '../../sql/database.ts';
import { claimedTask, TAKEN_COLUMNS, type TakenRow, type TakeTurns } from '../../sql/jobs/claims.ts';

/** Keeps a claim within a few milliseconds, however large the job. */
const HOSTS_PER_CLAIM = 1_000;

interface Turn {
  host: string;
  /** Free slots. */
  left: number;
}

export const takeTurns: TakeTurns = async (tx, job, request, after) => {
  const { slots, hostSlots, otherHostSlots } = request;
  const tasks: ClaimedTask[] = [];
  const fullHosts: string[] = [];
  let last = after;

  /** False if the host has no more to give. */
  const serve = async (turn: Turn): Promise<boolean> => {
    last = turn.host;
    if (turn.left <= 0) {
      if (await hasWaiting(tx, job, turn.host)) fullHosts.push(turn.host);
      return false;
    }
    const task = await takeOne(tx, job, turn.host, request);
    if (!task) return false;
    turn.left -= 1;
    tasks.push(claimedTask(task, request.jobId));
    return true;
  };

  const seen = new Set<string>();
  const turns: Turn[] = [];
  while (tasks.length < slots && seen.size < HOSTS_PER_CLAIM) {
    const host = (await nextHost(tx, job, last)) ?? (await nextHost(tx, job, ''));
    if (host === undefined || seen.has(host)) break;
    seen.add(host);
    const turn = { host, left: Object.hasOwn(hostSlots, host) ? hostSlots[host]! : otherHostSlots };
    if (await serve(turn)) turns.push(turn);
  }
  for (let inTurn = turns; tasks.length < slots && inTurn.length > 0; ) {
    const more: Turn[] = [];
    for (const turn of inTurn) if (tasks.length < slots && (await serve(turn))) more.push(turn);
    inTurn = more;
  }
  return { tasks, fullHosts, last };
};

async function nextHost(tx: Tx, job: number, after: string): Promise<string | undefined> {
  const next = await tx.one<{ host: string }>`
    SELECT host FROM tasks WHERE job = ${job} AND state = 'waiting' AND host > ${after} ORDER BY host LIMIT 1`;
  return next?.host;
}

const hasWaiting = (tx: Tx, job: number, host: string) =>
  tx.one`SELECT 1 FROM tasks WHERE job = ${job} AND state = 'waiting' AND host = ${host} LIMIT 1`;

async function takeOne(tx: Tx, job: number, host: string, { owner, leaseUntil }: ClaimRequest) {
  const next = await tx.one<TakenRow>`
    SELECT ${TAKEN_COLUMNS} FROM tasks WHERE job = ${job} AND state = 'waiting' AND host = ${host} ORDER BY id LIMIT 1`;
  if (!next) return undefined;
  const attempt = next.attempt + 1;
  await tx.run`
    UPDATE tasks SET state = 'running', owner = ${owner}, lease_until = ${leaseUntil}, attempt = ${attempt}
    WHERE id = ${next.id}`;
  return { ...next, attempt };
}
