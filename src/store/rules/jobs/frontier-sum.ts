// Adds up how many pages of each host wait, run and have ended, and remembers what was costly to count.
import type { FrontierView, HostPages, PageCountsByState } from '../../ports/jobs/job-views.ts';

export interface HostCount {
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

export function sumFrontier(counts: readonly HostCount[]): FrontierView {
  const hosts = new Map<string, HostPages>();
  const sum = { ...NOTHING };
  for (const { host, state, count } of counts) {
    const pages = hosts.get(host) ?? { host, ...NOTHING };
    pages[state] += count;
    sum[state] += count;
    hosts.set(host, pages);
  }
  // A host that only has a kick-off has no pages yet.
  const listed = [...hosts.values()].filter(hasPages).sort(byWaiting);
  return { hosts: listed.slice(0, MAX_HOSTS), hostCount: listed.length, sum };
}

const hasPages = ({ waiting, running, done, failed, blocked }: HostPages): boolean =>
  waiting + running + done + failed + blocked > 0;

const byWaiting = (a: HostPages, b: HostPages): number =>
  b.waiting - a.waiting || b.running - a.running || b.done - a.done || (a.host < b.host ? -1 : 1);

export interface FrontierMemory {
  /** The last answer, for a while that is in proportion to its cost. */
  recall(id: string): FrontierView | undefined;
  note(id: string, frontier: FrontierView, tookMs: number): void;
}

export function createFrontierMemory(nowMs: () => number): FrontierMemory {
  const remembered = new Map<string, { frontier: FrontierView; until: number }>();
  return {
    recall(id) {
      const known = remembered.get(id);
      return known && nowMs() < known.until ? known.frontier : undefined;
    },
    note(id, frontier, tookMs) {
      remembered.delete(id);
      if (tookMs < COSTLY_MS) return;
      remembered.set(id, { frontier, until: nowMs() + tookMs * SHARE });
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    },
  };
}

export const firstHosts = (frontier: FrontierView, maxHosts: number): FrontierView => ({
  ...frontier,
  hosts: frontier.hosts.slice(0, maxHosts),
});
