// How many pages of each host wait, run and have ended. Each state is counted in an index of its own, none in the table.
import type { Connection } from '../../../../util/sqlite.ts';
import type { Frontier, JobViews } from '../../../job-views.ts';
import { createFrontierMemory, firstHosts, type HostCount, sumFrontier } from '../../../records/jobs/frontier-sum.ts';
import type { Served } from '../../served.ts';

interface Times {
  /** Milliseconds of this thread's processor. */
  cpuMs(): number;
  nowMs(): number;
}

const SYSTEM_TIMES: Times = {
  cpuMs: () => process.threadCpuUsage().user / 1_000,
  nowMs: () => performance.now(),
};

/** What was costly to count is answered again from memory for a while, in proportion to its cost. */
export function createFrontierCounts(
  connection: Connection,
  { cpuMs, nowMs }: Times = SYSTEM_TIMES,
): Served<JobViews>['frontier'] {
  const count = createCounts(connection);
  const memory = createFrontierMemory(nowMs);
  const countAndNote = (id: string): Frontier => {
    const began = cpuMs();
    const frontier = count(id);
    memory.note(id, frontier, cpuMs() - began);
    return frontier;
  };
  return (id, maxHosts) => firstHosts(memory.recall(id) ?? countAndNote(id), maxHosts);
}

/** Counts all hosts. */
function createCounts(connection: Connection): (id: string) => Frontier {
  const jobOf = connection.prepare<{ number: number }>('SELECT number FROM jobs WHERE id = ?');
  const counts = COUNTS.map((sql) => connection.prepare<HostCount>(sql));
  return (id) => {
    const job = jobOf.get(id);
    return sumFrontier(job ? counts.flatMap((each) => each.all(job.number)) : []);
  };
}

const COUNTS = [
  `SELECT host, 'waiting' AS state, count(*) AS count FROM tasks WHERE job = ? AND state = 'waiting' GROUP BY host`,
  // Few: their rows are read.
  `SELECT host, 'running' AS state, count(*) AS count FROM tasks WHERE job = ? AND state = 'running' AND kind = 'page'
   GROUP BY host`,
  `SELECT host, 'waiting' AS state, count(*) AS count FROM tasks WHERE job = ? AND state = 'paused' AND kind = 'page'
   GROUP BY host`,
  // Kick-offs wait like pages.
  `SELECT host, 'waiting' AS state, -count(*) AS count FROM tasks WHERE job = ? AND kind = 'kick-off' AND +state = 'waiting'
   GROUP BY host`,
  `SELECT host, state, count(*) AS count FROM tasks INDEXED BY ended_pages
   WHERE job = ? AND kind = 'page' AND state IN ('done', 'failed', 'blocked') GROUP BY host, state`,
];
