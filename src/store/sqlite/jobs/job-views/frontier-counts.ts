// How many pages of each host wait, run and have ended. Each state is counted in an index of its own, none in the table.
import type { Connection } from '../../../../util/sqlite.ts';
import type { Frontier, HostPages, JobViews, PageCountsByState } from '../../../job-views.ts';
import type { Served } from '../../served.ts';

interface Count {
  host: string;
  state: keyof PageCountsByState;
  count: number;
}

const NOTHING: PageCountsByState = { waiting: 0, running: 0, done: 0, failed: 0, blocked: 0 };

/** Counting a million pages takes a third of a second, and pages of the console ask again and again. */
const COSTLY_MS = 20;
/** The store spends no more than one part in this many on counting the same job. */
const SHARE = 20;
const MAX_REMEMBERED = 20;
/** No answer lists more. */
const MAX_HOSTS = 200;

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
  const remembered = new Map<string, { frontier: Frontier; until: number }>();
  return (id, maxHosts) => {
    const known = remembered.get(id);
    const isFresh = known !== undefined && nowMs() < known.until;
    const began = cpuMs();
    const frontier = isFresh ? known.frontier : count(id);
    const took = cpuMs() - began;
    if (!isFresh) remembered.delete(id);
    if (!isFresh && took >= COSTLY_MS) {
      remembered.set(id, { frontier, until: nowMs() + took * SHARE });
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    }
    return { ...frontier, hosts: frontier.hosts.slice(0, maxHosts) };
  };
}

/** Counts all hosts. */
function createCounts(connection: Connection): (id: string) => Frontier {
  const jobOf = connection.prepare<{ number: number }>('SELECT number FROM jobs WHERE id = ?');
  const counts = COUNTS.map((sql) => connection.prepare<Count>(sql));
  return (id) => {
    const job = jobOf.get(id);
    const hosts = new Map<string, HostPages>();
    const sum = { ...NOTHING };
    for (const { host, state, count } of job ? counts.flatMap((each) => each.all(job.number)) : []) {
      const pages = hosts.get(host) ?? { host, ...NOTHING };
      pages[state] += count;
      sum[state] += count;
      hosts.set(host, pages);
    }
    // A host that only has a kick-off has no pages yet.
    const listed = [...hosts.values()].filter(hasPages).sort(byWaiting);
    return { hosts: listed.slice(0, MAX_HOSTS), hostCount: listed.length, sum };
  };
}

const hasPages = ({ waiting, running, done, failed, blocked }: HostPages): boolean =>
  waiting + running + done + failed + blocked > 0;

const byWaiting = (a: HostPages, b: HostPages): number =>
  b.waiting - a.waiting || b.running - a.running || b.done - a.done || (a.host < b.host ? -1 : 1);

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
