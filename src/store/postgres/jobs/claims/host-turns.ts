// The order in which the tasks of a job are claimed: one of each host in turn, then another of each with free slots.
import type { ClaimRequest } from '../../../ports/jobs/job-queue.ts';
import type { Sql } from '../../database/database.ts';

/** Limits a claim to some milliseconds, however many hosts are full or belong to other processes. */
const HOSTS_PER_CLAIM = 1_000;

export interface TurnQuery extends Pick<ClaimRequest, 'slots' | 'hostSlots' | 'otherHostSlots' | 'now'> {
  job: number;
  /** The host served last. */
  after: string;
  /** Whose hosts, besides free ones. */
  process: string;
  /** Tasks that this claim has already taken, by host. */
  taken: ReadonlyMap<string, number>;
}

interface Candidate {
  id: number;
  host: string;
}

export interface HostTurns {
  candidates: Candidate[];
  /** Hosts with waiting tasks but no free slot. */
  fullHosts: string[];
  /** The host served last. */
  last: string;
  /** When the first lease of another process ends on a host that was left out. */
  leaseEnds: number | undefined;
  /** There are more hosts than one claim looks at. */
  isCut: boolean;
}

interface VisitedHost {
  host: string;
  owner: string | null;
  leaseUntil: number | null;
}

interface Turn {
  host: string;
  /** Free slots. */
  left: number;
  /** Waiting tasks: as many as could get a turn, and one more. */
  ids: number[];
}

/** Reads without locks: those who take the candidates check again. */
export async function findTurns(sql: Sql, query: TurnQuery): Promise<HostTurns> {
  const { slots, after } = query;
  const walk = await walkHosts(sql, query);
  const usable = walk.turns.filter(({ left }) => left > 0);
  await readTasks(sql, query.job, usable, slots - usable.length + 1);
  return { ...alternate(walk.turns, slots, after), leaseEnds: walk.leaseEnds, isCut: walk.isCut };
}

/** Visits hosts with waiting tasks in their order, from the one after the last, until enough of them have free slots. */
async function walkHosts(
  sql: Sql,
  query: TurnQuery,
): Promise<Pick<HostTurns, 'leaseEnds' | 'isCut'> & { turns: Turn[] }> {
  const { job, slots, after, now, process } = query;
  const turns: Turn[] = [];
  const leases: number[] = [];
  let usable = 0;
  let visited = 0;
  let batch = Math.min(HOSTS_PER_CLAIM, slots + 10);
  // From the last host to the end, then from the beginning to the last host.
  for (let [from, until] = [after, END]; ; ) {
    const hosts = await nextHosts(sql, job, { from, until, limit: batch });
    for (const { host, owner, leaseUntil } of hosts) {
      visited += 1;
      if (owner !== null && owner !== process && leaseUntil! > now) {
        leases.push(leaseUntil!);
        continue;
      }
      const left = freeSlots(query, host);
      turns.push({ host, left, ids: [] });
      if (left > 0) usable += 1;
      if (usable === slots) break;
    }
    const leaseEnds = leases.length > 0 ? Math.min(...leases) : undefined;
    if (usable === slots) return { turns, leaseEnds, isCut: false };
    if (hosts.length === batch) [from, batch] = [hosts.at(-1)!.host, HOSTS_PER_BATCH];
    else if (until === END && after !== '') [from, until] = ['', after];
    else return { turns, leaseEnds, isCut: false };
    if (visited >= HOSTS_PER_CLAIM) return { turns, leaseEnds, isCut: true };
  }
}

const HOSTS_PER_BATCH = 200;
/** After every host name: no UTF-8 text contains U+10FFFF as a character. */
const END = '\u{10ffff}';

const freeSlots = ({ hostSlots, otherHostSlots, taken }: TurnQuery, host: string): number =>
  (Object.hasOwn(hostSlots, host) ? hostSlots[host]! : otherHostSlots) - (taken.get(host) ?? 0);

/** A loose index scan: one step in the index for each host, however many tasks it has. */
const nextHosts = (sql: Sql, job: number, { from, until, limit }: { from: string; until: string; limit: number }) =>
  sql<VisitedHost[]>`
    WITH RECURSIVE walk (host, at) AS (
      (SELECT host, 1 FROM tasks
        WHERE job = ${job} AND state = 'waiting' AND host > ${from} AND host <= ${until} ORDER BY host LIMIT 1)
      UNION ALL
      SELECT (SELECT host FROM tasks
        WHERE job = ${job} AND state = 'waiting' AND host > walk.host AND host <= ${until} ORDER BY host LIMIT 1), at + 1
      FROM walk WHERE walk.host IS NOT NULL AND at < ${limit}
    )
    SELECT walk.host, held.owner, held.lease_until AS "leaseUntil"
    FROM walk LEFT JOIN LATERAL (SELECT owner, lease_until FROM host_owners WHERE host = walk.host LIMIT 1) AS held ON true
    WHERE walk.host IS NOT NULL ORDER BY at`;

async function readTasks(sql: Sql, job: number, turns: Turn[], mostOfHost: number): Promise<void> {
  if (turns.length === 0) return;
  const limits = turns.map(({ left }) => Math.min(left, mostOfHost) + 1);
  const rows = await sql<{ at: number; ids: number[] }[]>`
    SELECT at, ARRAY(SELECT id FROM tasks WHERE job = ${job} AND state = 'waiting' AND host = turn.host COLLATE "C"
      ORDER BY id LIMIT turn.most) AS ids
    FROM unnest(${turns.map(({ host }) => host)}::text[], ${limits}::bigint[]) WITH ORDINALITY AS turn (host, most, at)`;
  for (const { at, ids } of rows) turns[at - 1]!.ids = ids;
}

function alternate(turns: Turn[], slots: number, after: string): Pick<HostTurns, 'candidates' | 'fullHosts' | 'last'> {
  const candidates: Candidate[] = [];
  const fullHosts: string[] = [];
  let last = after;

  /** False if the host has no more to give. */
  const serve = (turn: Turn): boolean => {
    last = turn.host;
    const id = turn.left > 0 ? turn.ids.shift() : undefined;
    if (id === undefined) return false;
    turn.left -= 1;
    candidates.push({ id, host: turn.host });
    return true;
  };

  let inTurn = turns;
  const isFull = (turn: Turn, isFirstRound: boolean) => turn.left <= 0 && (isFirstRound || turn.ids.length > 0);
  for (let isFirstRound = true; inTurn.length > 0 && candidates.length < slots; isFirstRound = false) {
    inTurn = inTurn.filter((turn) => {
      if (candidates.length >= slots) return false;
      if (isFull(turn, isFirstRound)) fullHosts.push(turn.host);
      return serve(turn);
    });
  }
  return { candidates, fullHosts, last };
}
