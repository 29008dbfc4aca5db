// What becomes of a page that a job has found: it waits, or it is a spare beyond the limit, or there is no room for it.
import type { NewTask } from '../../ports/jobs/job-queue.ts';
import type { Job } from './job-record.ts';

/** Limits per job, so that a site with millions of links cannot fill the disk with pages that will never be fetched. */
const MAX_SPARES = 10_000;
const MAX_BLOCKED = 10_000;
const MAX_REFUSED = 10_000;
const MAX_KNOWN = 100_000;

export type NewTaskState = 'waiting' | 'spare' | 'known' | 'blocked' | 'refused';

/** The state of a new task, counted in the job; undefined if there is no room for it. `raiseLimit` makes room for it. */
export function newTaskState(
  job: Job,
  { kind, isKnown, refused }: Pick<NewTask, 'kind' | 'isKnown' | 'refused'>,
  raiseLimit: boolean,
): NewTaskState | undefined {
  if (refused?.by === 'robots') return job.blocked < MAX_BLOCKED ? bump(job, 'blocked', 'blocked') : undefined;
  if (refused) return job.refused < MAX_REFUSED ? bump(job, 'refused', 'refused') : undefined;
  if (kind === 'kick-off') return bump(job, 'kickOffs', 'waiting');
  if (isKnown) return job.known < MAX_KNOWN ? bump(job, 'known', 'known') : undefined;
  if (raiseLimit) job.limit += 1;
  if (job.total < job.limit) return bump(job, 'total', 'waiting');
  if (job.spares < MAX_SPARES) return bump(job, 'spares', 'spare');
  job.droppedLinks = 1;
  return undefined;
}

type Counter = 'blocked' | 'refused' | 'kickOffs' | 'total' | 'spares' | 'known';

function bump(job: Job, counter: Counter, state: NewTaskState): NewTaskState {
  job[counter] += 1;
  return state;
}
