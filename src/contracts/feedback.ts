// POST /v2/search/{id}/feedback and POST /v2/feedback: a caller's rating of an answer.
import { z } from 'zod';
import { jsonObject, MAX_NAME_LENGTH, MAX_URL_LENGTH } from './bounds.ts';
import { clientFields } from './scrape.ts';

export const RATED_ENDPOINTS = ['search', 'scrape', 'parse', 'map'] as const;
export type RatedEndpoint = (typeof RATED_ENDPOINTS)[number];

/** Clients of the general call may list more than those of searches. */
const MAX_MISSING = 50;
const MAX_MISSING_IN_SEARCH = 20;

const missingContent = (most: number) =>
  z
    .array(z.object({ topic: z.string().min(1).max(200), description: z.string().max(2_000).optional() }))
    .max(most)
    .default(() => []);

const opinion = {
  rating: z.enum(['good', 'partial', 'bad'], 'Rate it as "good", "partial" or "bad".'),
  valuableSources: z
    .array(z.object({ url: z.string().max(MAX_URL_LENGTH), reason: z.string().max(2_000).optional() }))
    .max(50)
    .default(() => []),
  missingContent: missingContent(MAX_MISSING_IN_SEARCH),
  querySuggestions: z.string().max(2_000).optional(),
  ...clientFields,
};

interface Opinion {
  rating: 'good' | 'partial' | 'bad';
  valuableSources: unknown[];
  missingContent: unknown[];
  querySuggestions?: string;
}

/** A rating needs a reason: without one it cannot be acted on. */
function checkReasons(given: Opinion, context: z.RefinementCtx): void {
  const { rating, valuableSources, missingContent, querySuggestions } = given;
  const has = { sources: valuableSources.length > 0, missing: missingContent.length > 0 };
  const message =
    rating === 'good' && !has.sources
      ? 'A good rating needs `valuableSources`.'
      : rating === 'partial' && !has.sources && !has.missing
        ? 'A partial rating needs `valuableSources` or `missingContent`.'
        : rating === 'bad' && !has.missing && !querySuggestions
          ? 'A bad rating needs `missingContent` or `querySuggestions`.'
          : undefined;
  if (message) context.addIssue({ code: 'custom', path: ['rating'], message });
}

export const searchFeedbackRequest = z.object(opinion).superRefine(checkReasons);

const marks = z
  .array(
    z
      .string()
      .max(80)
      .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Use only lower-case letters, digits, - and _.'),
  )
  .max(20);

export const feedbackRequest = z
  .object({
    ...opinion,
    missingContent: missingContent(MAX_MISSING),
    endpoint: z.enum(RATED_ENDPOINTS, `\`endpoint\` must be one of: ${RATED_ENDPOINTS.join(', ')}.`),
    jobId: z.string({ error: 'Set `jobId` to the ID of the request to rate.' }).max(MAX_NAME_LENGTH),
    issues: marks.optional(),
    tags: marks.optional(),
    note: z.string().max(4_000).optional(),
    url: z.string().max(MAX_URL_LENGTH).optional(),
    pageNumbers: z.array(z.int().min(1)).max(10_000).optional(),
    metadata: jsonObject('metadata', { characters: 8 * 1024, depth: 32 }).optional(),
  })
  .superRefine((given, context) => {
    // The reasons are fields about searches.
    if (given.endpoint === 'search') checkReasons(given, context);
  });

export type SearchFeedbackRequest = z.output<typeof searchFeedbackRequest>;
export type FeedbackRequest = z.output<typeof feedbackRequest>;

export const feedbackResponse = z.object({
  success: z.literal(true),
  feedbackId: z.string(),
  creditsRefunded: z.int().describe('Always 0: ratings are not paid for on this server.'),
  creditsRefundedToday: z.int(),
  dailyRefundCap: z.int(),
  alreadySubmitted: z.boolean().optional(),
});

export type FeedbackResponse = z.output<typeof feedbackResponse>;
