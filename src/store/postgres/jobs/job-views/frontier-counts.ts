// How many pages of each host wait, run and have ended. Each state is counted in an index of its own, none in the table.
import type { HostPages, JobViews } from '../../../job-views.ts';
import { createFrontierMemory, firstHosts, type HostCount, sumFrontier } from '../../../records/jobs/frontier-sum.ts';
import type { Sql } from '../../database/database.ts';
import type { HostOwners } from '../claims/host-owners.ts';

/** The database counts about so many in a millisecond. The time itself would say how busy it is, not what counting costs. */
const PAGES_PER_MS = 2_000;

/** What was costly to count is answered again from memory for a while, in proportion to its cost. */
export function createFrontierCounts(sql: Sql, memoriesOfOthers: HostOwners['memoriesOfOthers']): JobViews['frontier'] {
  const memory = createFrontierMemory(() => performance.now());
  const count = async (id: string) => {
    const frontier = sumFrontier(await countByHost(sql, id));
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

const countByHost = (sql: Sql, id: string) => sql<HostCount[]>`
  WITH counted AS (SELECT number FROM jobs WHERE id = ${id})
  SELECT host, 'waiting' AS state, count(*) AS count FROM counted JOIN tasks ON job = number AND state = 'waiting'
    GROUP BY host
  UNION ALL
  SELECT host, 'running', count(*) FROM counted JOIN tasks ON job = number AND state = 'running' AND kind = 'page'
    GROUP BY host
  UNION ALL
  SELECT host, 'waiting', count(*) FROM counted JOIN tasks ON job = number AND state = 'paused' AND kind = 'page'
    GROUP BY host
  UNION ALL -- Kick-offs wait like pages.
  SELECT host, 'waiting', -count(*) FROM counted JOIN tasks ON job = number AND kind = 'kick-off' AND state = 'waiting'
    GROUP BY host
  UNION ALL
  SELECT host, state, count(*) FROM counted JOIN tasks ON job = number
    AND kind = 'page' AND state IN ('done', 'failed', 'blocked') GROUP BY host, state`;
