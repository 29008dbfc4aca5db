// What a team can ask about itself: credits of the current month, and how busy it is.
import type { ConcurrencyResponse, CreditUsageResponse, QueueStatusResponse } from '../../contracts/team.ts';
import { PLAN_CREDITS } from '../../contracts/team.ts';
import type { Worker } from '../../jobs/worker.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { ScrapeStore } from '../../store/scrape-store.ts';
import type { TeamStore } from '../../store/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Caller } from '../caller.ts';
import type { Concurrency } from './concurrency.ts';

export interface CreditUsageDeps {
  teams: Pick<TeamStore, 'creditsSince'>;
  clock: Pick<Clock, 'now'>;
}

export interface QueueStatusDeps {
  scrapes: Pick<ScrapeStore, 'lastSuccessAt'>;
  queue: Pick<JobQueue, 'load'>;
  concurrency: Pick<Concurrency, 'load' | 'max'>;
}

export interface ConcurrencyCheckDeps {
  worker: Pick<Worker, 'active'>;
  concurrency: Pick<Concurrency, 'load' | 'max'>;
}

export type TeamDeps = CreditUsageDeps & QueueStatusDeps & ConcurrencyCheckDeps;

export async function creditUsage({ teams, clock }: CreditUsageDeps, { team }: Caller): Promise<CreditUsageResponse> {
  const today = new Date(clock.now());
  const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
  const used = await teams.creditsSince(team.id, start);
  return {
    success: true,
    data: {
      remainingCredits: Math.max(0, PLAN_CREDITS - used),
      planCredits: PLAN_CREDITS,
      billingPeriodStart: iso(start),
      billingPeriodEnd: iso(end),
    },
  };
}

/** Counts direct scrapes and pages of jobs. */
export async function queueStatus(
  { scrapes, queue, concurrency }: QueueStatusDeps,
  { team }: Caller,
): Promise<QueueStatusResponse> {
  const [last, pages] = await Promise.all([scrapes.lastSuccessAt(team.id), queue.load(team.id)]);
  const direct = concurrency.load(team.id);
  const active = direct.active + pages.active;
  const waiting = direct.waiting + pages.waiting;
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: concurrency.max,
    mostRecentSuccess: last === null ? null : iso(last),
  };
}

export async function concurrencyCheck(
  { concurrency, worker }: ConcurrencyCheckDeps,
  { team }: Caller,
): Promise<ConcurrencyResponse> {
  const active = concurrency.load(team.id).active + worker.active(team.id);
  return { success: true, concurrency: active, maxConcurrency: concurrency.max };
}
