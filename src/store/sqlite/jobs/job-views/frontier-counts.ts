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

export function createFrontierCounts(connection: Connection): Served<JobViews>['frontier'] {
  const jobOf = connection.prepare<{ number: number }>('SELECT number FROM jobs WHERE id = ?');
  const counts = COUNTS.map((sql) => connection.prepare<Count>(sql));
  return (id, maxHosts) => {
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
    return { hosts: listed.slice(0, maxHosts), hostCount: listed.length, sum } satisfies Frontier;
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
