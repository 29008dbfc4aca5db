// How busy a team is.
import type { ConcurrencyResponse, QueueStatusResponse } from '../../contracts/team/team.ts';
import type { JobQueue } from '../../store/ports/jobs/job-queue.ts';
import type { ScrapeStore } from '../../store/ports/pages/scrape-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { ReadLoad } from './concurrency/team-load.ts';

interface ConcurrencyCheckDeps {
  readLoad: ReadLoad;
}

interface QueueStatusDeps extends ConcurrencyCheckDeps {
  scrapes: Pick<ScrapeStore, 'lastSuccessAt'>;
  queue: Pick<JobQueue, 'load'>;
}

/** Counts direct scrapes and pages of jobs. */
export async function queueStatus(
  { scrapes, queue, readLoad }: QueueStatusDeps,
  { caller: { team } }: Call<'queueStatus'>,
): Promise<QueueStatusResponse> {
  const [last, pages, load] = await Promise.all([scrapes.lastSuccessAt(team.id), queue.load(team.id), readLoad(team)]);
  const { active, waiting: requests, max } = load;
  const waiting = requests + pages.waiting;
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: max,
    mostRecentSuccess: last === null ? null : iso(last),
  };
}

export async function concurrencyCheck(
  { readLoad }: ConcurrencyCheckDeps,
  { caller: { team } }: Call<'concurrencyCheck'>,
): Promise<ConcurrencyResponse> {
  const { active, max } = await readLoad(team);
  return { success: true, concurrency: active, maxConcurrency: max };
}
