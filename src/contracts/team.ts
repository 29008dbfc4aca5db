// What a team can ask about itself. Clients use these requests to test a key.
import { z } from 'zod';

/** No request is refused for lack of credits, but clients need a number, and JSON has no infinity. */
export const PLAN_CREDITS = 99_999_999;

export const creditUsageResponse = z.object({
  success: z.literal(true),
  data: z.object({
    remainingCredits: z.int(),
    planCredits: z.int(),
    billingPeriodStart: z.string(),
    billingPeriodEnd: z.string(),
  }),
});

export const queueStatusResponse = z.object({
  success: z.literal(true),
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: z.string().nullable(),
});

export const concurrencyResponse = z.object({
  success: z.literal(true),
  concurrency: z.int(),
  maxConcurrency: z.int(),
});

export type CreditUsageResponse = z.output<typeof creditUsageResponse>;
export type QueueStatusResponse = z.output<typeof queueStatusResponse>;
export type ConcurrencyResponse = z.output<typeof concurrencyResponse>;
