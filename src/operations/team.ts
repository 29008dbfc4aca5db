// What a team asks about itself: credits of the running month, and how busy it is.
import type { ConcurrencyResponse, CreditUsageResponse, QueueStatusResponse } from '../contracts/team.ts';
import { PLAN_CREDITS } from '../contracts/team.ts';
import type { ScrapeStore } from '../store/scrapes.ts';
import type { TeamStore } from '../store/teams.ts';
import { type Clock, iso } from '../util/clock.ts';
import type { Concurrency } from './concurrency.ts';
import type { Caller } from './context.ts';

export interface TeamDeps {
  teams: TeamStore;
  scrapes: ScrapeStore;
  concurrency: Concurrency;
  clock: Clock;
}

export async function creditUsage({ teams, clock }: TeamDeps, { team }: Caller): Promise<CreditUsageResponse> {
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

export async function queueStatus({ scrapes, concurrency }: TeamDeps, { team }: Caller): Promise<QueueStatusResponse> {
  const { active, waiting } = concurrency.load(team.id);
  const last = await scrapes.lastSuccessAt(team.id);
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: concurrency.max,
    mostRecentSuccess: last === null ? null : iso(last),
  };
}

export async function concurrencyCheck({ concurrency }: TeamDeps, { team }: Caller): Promise<ConcurrencyResponse> {
  return { success: true, concurrency: concurrency.load(team.id).active, maxConcurrency: concurrency.max };
}
