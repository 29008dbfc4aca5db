// The in-memory state of a running job, and the fair order in which jobs get free slots.
import type { JobView } from '../store/ports/jobs/job-store.ts';

export interface Pace {
  /** Maximum number of pages in flight. */
  concurrency: number;
  /** Time between the end of a page and the start of the next. */
  pauseMs: number;
  /** The caller has asked for it, so it holds for all processes together. */
  isPromised?: boolean;
}

/** A task in flight. */
export interface HeldTask {
  readonly host: string;
  /** Aborts it. */
  readonly ending: AbortController;
  /** As far as this process knows. */
  leaseUntil: number;
  /** It has an outcome, which waits to be written. */
  isWriting: boolean;
}

export interface RunningJob {
  view: JobView;
  pace: Pace;
  /** Tasks in flight, including those whose outcome waits to be written. */
  tasks: Map<number, HeldTask>;
  /** Slots that they hold. */
  slots: number;
  /** There may be tasks to claim. */
  isReady: boolean;
  /** No claim before this time. */
  notBefore: number;
  /** Hosts that had tasks but no free slot at the last claim. */
  fullHosts: Set<string>;
}

export const newRunningJob = (view: JobView, pace: Pace): RunningJob => ({
  view,
  pace,
  tasks: new Map(),
  slots: 0,
  isReady: true,
  notBefore: 0,
  fullHosts: new Set(),
});

/** Teams with the fewest pages in flight first, then their jobs with the fewest, then older jobs. */
export function inFairOrder(jobs: Iterable<RunningJob>, now: number): RunningJob[] {
  const all = [...jobs];
  const pagesByTeam = new Map<string, number>();
  for (const { view, slots } of all) pagesByTeam.set(view.teamId, (pagesByTeam.get(view.teamId) ?? 0) + slots);
  return all
    .filter((job) => job.isReady && job.notBefore <= now && job.slots < job.pace.concurrency)
    .sort(
      (a, b) =>
        pagesByTeam.get(a.view.teamId)! - pagesByTeam.get(b.view.teamId)! ||
        a.slots - b.slots ||
        a.view.createdAt - b.view.createdAt,
    );
}
