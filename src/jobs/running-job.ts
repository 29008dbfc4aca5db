// A job while it runs in this process, and the order in which jobs get free places: who has the fewest comes first.
import type { JobView } from '../store/job-store.ts';

/** How a job wants to be run. */
export interface Pace {
  /** Pages at the same time. */
  concurrency: number;
  /** From the end of a page to the start of the next. */
  pauseMs: number;
}

export interface RunningJob {
  view: JobView;
  pace: Pace;
  /** Tasks in flight, each with the means to end it. */
  tasks: Map<number, AbortController>;
  /** It may have a task to claim. */
  isReady: boolean;
  /** No claim before this time. */
  notBefore: number;
  /** Hosts that had tasks but no place when it last claimed. */
  fullHosts: Set<string>;
}

export const newRunningJob = (view: JobView, pace: Pace): RunningJob => ({
  view,
  pace,
  tasks: new Map(),
  isReady: true,
  notBefore: 0,
  fullHosts: new Set(),
});

/** First the team with the fewest pages in flight, then its job with the fewest; older jobs before younger ones. */
export function inFairOrder(jobs: Iterable<RunningJob>, now: number): RunningJob[] {
  const all = [...jobs];
  const pagesByTeam = new Map<string, number>();
  for (const { view, tasks } of all) pagesByTeam.set(view.teamId, (pagesByTeam.get(view.teamId) ?? 0) + tasks.size);
  return all
    .filter((job) => job.isReady && job.notBefore <= now && job.tasks.size < job.pace.concurrency)
    .sort(
      (a, b) =>
        pagesByTeam.get(a.view.teamId)! - pagesByTeam.get(b.view.teamId)! ||
        a.tasks.size - b.tasks.size ||
        a.view.createdAt - b.view.createdAt,
    );
}
