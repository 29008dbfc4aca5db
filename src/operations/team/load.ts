// How busy a team is.
import type { ConcurrencyResponse, QueueStatusResponse } from '../../contracts/team.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { ScrapeStore } from '../../store/scrape-store.ts';
import { iso } from '../../util/clock.ts';
import type { Caller } from '../caller.ts';
import type { Concurrency } from './concurrency/concurrency.ts';

export interface QueueStatusDeps {
  scrapes: Pick<ScrapeStore, 'lastSuccessAt'>;
  queue: Pick<JobQueue, 'load'>;
  concurrency: Pick<Concurrency, 'load' | 'max'>;
}

export interface ConcurrencyCheckDeps {
  concurrency: Pick<Concurrency, 'load' | 'max'>;
}

export type LoadDeps = QueueStatusDeps & ConcurrencyCheckDeps;

/** Counts direct scrapes and pages of jobs. */
export async function queueStatus(
  { scrapes, queue, concurrency }: QueueStatusDeps,
  { team }: Caller,
): Promise<QueueStatusResponse> {
  const [last, pages] = await Promise.all([scrapes.lastSuccessAt(team.id), queue.load(team.id)]);
  const { active, waiting: requests } = concurrency.load(team.id);
  const waiting = requests + pages.waiting;
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: concurrency.max(team),
    mostRecentSuccess: last === null ? null : iso(last),
  };
}

export async function concurrencyCheck(
  { concurrency }: ConcurrencyCheckDeps,
  { team }: Caller,
): Promise<ConcurrencyResponse> {
  return { success: true, concurrency: concurrency.load(team.id).active, maxConcurrency: concurrency.max(team) };
}
