// Lists jobs and runs of a team, newest first: two sorted lists of the store, merged.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import {
  type JobListResponse,
  LISTED_KINDS,
  type ListedJobView,
  type ListedKind,
  type StatusFilter,
} from '../../../contracts/crawl/job-list.ts';
import { mayList } from '../../../policy/keys/key-reach.ts';
import type { JobKind, JobStore } from '../../../store/ports/jobs/job-store.ts';
import type { ListPosition } from '../../../store/ports/jobs/job-views.ts';
import type { RunKind, RunStatus, RunStore } from '../../../store/ports/runs/run-store.ts';
import type { Clock } from '../../../util/clock.ts';
import { isUuid } from '../../../util/ids.ts';
import type { Call } from '../../call.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { JOB_KINDS, maySee, RUN_KINDS, showJob, showRun } from './listed-job.ts';

interface ListJobsDeps {
  jobs: Pick<JobStore, 'list' | 'stored'>;
  runs: Pick<RunStore, 'recent'>;
  clock: Pick<Clock, 'now'>;
}

interface Filter {
  jobs?: { statuses: JobStatus[]; isPaused?: boolean };
  runs?: RunStatus[];
}

/** What each filter means for jobs and for runs. Absent: none of them can have this status. */
const FILTERS: Readonly<Record<StatusFilter, Filter>> = {
  active: { jobs: { statuses: ['scraping'] }, runs: ['queued', 'running'] },
  paused: { jobs: { statuses: ['scraping'], isPaused: true } },
  completed: { jobs: { statuses: ['completed'] }, runs: ['completed'] },
  partial: { runs: ['partial'] },
  failed: { jobs: { statuses: ['failed'] }, runs: ['failed'] },
  cancelled: { jobs: { statuses: ['cancelled'] }, runs: ['cancelled'] },
  skipped: { runs: ['skipped_overlap', 'skipped_no_credits'] },
};

export async function listJobs(
  { jobs, runs, clock }: ListJobsDeps,
  { caller, query }: Call<'listJobs'>,
): Promise<JobListResponse> {
  const { kind, status, limit, cursor } = query;
  const { team, limits } = caller;
  const kinds = LISTED_KINDS.filter((each) => (kind === undefined || each === kind) && maySee(limits, each));
  const filter: Filter | undefined = status && FILTERS[status];
  const after = cursor === undefined ? undefined : positionOf(cursor);
  // One more than is returned shows whether there are more.
  const part = { after, limit: limit + 1 };
  const now = clock.now();
  const [jobKinds, runKinds] = [jobKindsOf(kinds), runKindsOf(kinds)];
  const [foundJobs, foundRuns, stored] = await Promise.all([
    jobKinds.length > 0 && (!filter || filter.jobs)
      ? jobs.list(team.id, { kinds: jobKinds, ...filter?.jobs, ...part }, now)
      : [],
    runKinds.length > 0 && (!filter || filter.runs)
      ? runs.recent(team.id, { kinds: runKinds, statuses: filter?.runs, ...part }, now)
      : [],
    // The sizes of jobs that the key may not see would show in it.
    limits?.domains?.length ? undefined : jobs.stored(team.id, jobKinds, now),
  ]);
  const found = [
    ...foundJobs.map((job) => ({ ...placeOf(job), shown: showJob(job) })),
    ...foundRuns.map((run) => ({ ...placeOf(run), shown: showRun(run) })),
  ].sort(newestFirst);
  const returned = found.slice(0, limit);
  const last = returned.at(-1);
  return {
    success: true,
    data: returned.map(({ shown }): ListedJobView => shown).filter(({ target }) => mayList(caller, target)),
    ...(stored && { stored }),
    cursor: last && found.length > limit ? writeCursor(last.at, last.id) : null,
  };
}

const jobKindsOf = (kinds: readonly ListedKind[]): JobKind[] =>
  kinds.map((kind) => JOB_KINDS[kind]).filter((kind) => kind !== undefined);
const runKindsOf = (kinds: readonly ListedKind[]): RunKind[] =>
  RUN_KINDS.filter((kind) => (kinds as readonly string[]).includes(kind));

const placeOf = ({ createdAt, id }: { createdAt: number; id: string }): ListPosition => ({ at: createdAt, id });

const newestFirst = (a: ListPosition, b: ListPosition): number => b.at - a.at || (a.id < b.id ? 1 : -1);

function positionOf(cursor: string): ListPosition {
  const { at, name } = readCursor(cursor, isUuid);
  return { at, id: name };
}
