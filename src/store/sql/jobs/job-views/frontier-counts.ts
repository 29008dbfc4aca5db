// How many pages of each host wait, run and have ended. Each state is counted in an index of its own, none in the table.
import type { HostPages, JobViews } from '../../../ports/jobs/job-views.ts';
import { createFrontierMemory, firstHosts, type HostCount, sumFrontier } from '../../../rules/jobs/frontier-sum.ts';
import type { Awaitable, Database } from '../../database.ts';

/** Pages that the database counts in about a millisecond. Measured time would depend on how busy it is. */
const PAGES_PER_MS = 2_000;

/** What the other processes that own some of these hosts have noted of them last. */
export type HostMemories = (hosts: string[]) => Awaitable<ReadonlyMap<string, string>>;

/** What was costly to count is answered again from memory for a while, in proportion to its cost. */
export function createFrontierCounts(
  database: Database,
  memoriesOfOthers: HostMemories,
  nowMs = () => performance.now(),
): JobViews['frontier'] {
  const memory = createFrontierMemory(nowMs);
  const count = async (id: string) => {
    const frontier = sumFrontier(await countByHost(database, id));
    const pages = Object.values(frontier.sum).reduce((all, some) => all + some, 0);
    memory.note(id, frontier, pages / PAGES_PER_MS);
    return frontier;
  };
  return async (id, maxHosts) => {
    const first = firstHosts(memory.recall(id) ?? (await count(id)), maxHosts);
    const memories = await memoriesOfOthers(first.hosts.map(({ host }) => host));
    const withMemory = (host: HostPages): HostPages =>
      memories.has(host.host) ? { ...host, memory: memories.get(host.host) } : host;
    return { ...first, hosts: first.hosts.map(withMemory) };
  };
}

async function countByHost(database: Database, id: string): Promise<HostCount[]> {
  const found = await database.one<{ number: number }>`SELECT number FROM jobs WHERE id = ${id}`;
  if (!found) return [];
  const job = found.number;
  // Kick-offs wait like pages. They are few, and found by their kind: the index of the state must not be used for it.
  return database.rows<HostCount>`
    SELECT host, 'waiting' AS state, count(*) AS count FROM tasks WHERE job = ${job} AND state = 'waiting' GROUP BY host
    UNION ALL
    SELECT host, 'running', count(*) FROM tasks WHERE job = ${job} AND state = 'running' AND kind = 'page' GROUP BY host
    UNION ALL
    SELECT host, 'waiting', count(*) FROM tasks WHERE job = ${job} AND state = 'paused' AND kind = 'page' GROUP BY host
    UNION ALL
    SELECT host, 'waiting', -count(*) FROM tasks WHERE job = ${job} AND kind = 'kick-off' AND state || '' = 'waiting'
      GROUP BY host
    UNION ALL
    SELECT host, state, count(*) FROM tasks WHERE job = ${job} AND kind = 'page' AND state IN ('done', 'failed', 'blocked')
      GROUP BY host, state`;
}
