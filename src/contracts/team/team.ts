// What a team can ask about itself: what it has used, its recent requests, and how busy it is. Clients use these requests
// to test a key.
import { z } from 'zod';
import { nameText } from '../bounds.ts';

/** What can be billed, by the names that the list of recent requests uses. */
const BILLED_OPERATIONS = [
  'scrape',
  'parse',
  'batch_scrape',
  'crawl',
  'map',
  'search',
  'research',
  'browser',
  'interact',
  'extract',
  'agent',
  'monitor',
  'collection',
] as const;
export type BilledOperation = (typeof BILLED_OPERATIONS)[number];
/** Tokens of language models are counted call by call, apart from the request that needs them. */
export type CountedOperation = BilledOperation | 'model';

/** The credits of a team without a budget: clients need a number, and JSON has no infinity. */
export const PLAN_CREDITS = 99_999_999;
export const TOKENS_PER_CREDIT = 15;

const billingPeriod = { billingPeriodStart: z.string(), billingPeriodEnd: z.string() };

export const creditUsageResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({ remainingCredits: z.int(), planCredits: z.int(), ...billingPeriod }),
  }),
);

export const tokenUsageResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({ remainingTokens: z.int(), planTokens: z.int(), ...billingPeriod }),
  }),
);

const TIME_RANGES = ['day', 'week', 'month'] as const;
export type HistoryRange = (typeof TIME_RANGES)[number];

const byApiKey = nameText
  .optional()
  .transform((text) => text === 'true')
  .describe('`true` lists each API key separately.');

export const creditHistoryQuery = z
  .object({
    byApiKey,
    timeRange: nameText
      .refine((text) => TIME_RANGES.some((range) => range === text), 'timeRange must be day, week, or month.')
      .transform((text) => text as HistoryRange)
      .optional()
      .describe(
        '`day` lists the last 24 hours, `week` and `month` the last 7 and 30 days. Without it, months are listed.',
      ),
  })
  .refine((query) => !query.byApiKey || query.timeRange === undefined, 'byApiKey cannot be combined with timeRange.');

export const tokenHistoryQuery = z.object({ byApiKey });

const period = {
  startDate: z.string(),
  endDate: z.string().nullable().describe('Null for the current month.'),
  apiKey: z.string().optional().describe('Prefix of the key, with `byApiKey`. Absent for requests without a key.'),
};

export const creditHistoryResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    window: z
      .object({
        timeRange: z.enum(TIME_RANGES),
        binSize: z.enum(['hour', 'day']),
        startDate: z.string(),
        endDate: z.string(),
      })
      .optional()
      .describe('Present with `timeRange`.'),
    periods: z.array(
      z.object({ ...period, creditsUsed: z.int(), totalCredits: z.int().describe('The same as `creditsUsed`.') }),
    ),
  }),
);

export const tokenHistoryResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    periods: z.array(
      z.object({ ...period, tokensUsed: z.int(), totalTokens: z.int().describe('The same as `tokensUsed`.') }),
    ),
  }),
);

/** Includes names of the public interface that this server does not use yet; filtering by them finds nothing. */
const ACTIVITY_ENDPOINTS = [...BILLED_OPERATIONS, ...(['deep_research', 'llmstxt', 'alexandria'] as const)];
const MAX_ACTIVITY = 100;
const DEFAULT_ACTIVITY = 50;

export const activityQuery = z.object({
  endpoint: z.enum(ACTIVITY_ENDPOINTS).optional().describe('Only requests of this kind.'),
  limit: nameText
    .refine(
      (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ACTIVITY,
      `\`limit\` must be a whole number from 1 to ${MAX_ACTIVITY}.`,
    )
    .transform(Number)
    .default(DEFAULT_ACTIVITY)
    .describe(`Number of requests to return, 1 to ${MAX_ACTIVITY}.`),
  cursor: z.string().max(200, 'Invalid cursor.').optional().describe('The `cursor` of the page before.'),
});

export const activityResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(
      z.object({
        id: z.string(),
        endpoint: z.enum(BILLED_OPERATIONS),
        api_version: z.literal('v2'),
        created_at: z.string(),
        target: z.string().nullable().describe('URL, query or file name. Null if that was not stored.'),
      }),
    ),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
);

export const queueStatusResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.string().nullable(),
  }),
);

export const concurrencyResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    concurrency: z.int(),
    maxConcurrency: z.int(),
  }),
);

export type CreditUsageResponse = z.output<typeof creditUsageResponse>;
export type TokenUsageResponse = z.output<typeof tokenUsageResponse>;
export type CreditHistoryResponse = z.output<typeof creditHistoryResponse>;
export type TokenHistoryResponse = z.output<typeof tokenHistoryResponse>;
export type ActivityResponse = z.output<typeof activityResponse>;
export type QueueStatusResponse = z.output<typeof queueStatusResponse>;
export type ConcurrencyResponse = z.output<typeof concurrencyResponse>;
