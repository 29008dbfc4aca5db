// POST /v2/search/{id}/feedback and POST /v2/feedback: a caller's rating of an answer.
import { z } from 'zod';
import { readUrl } from '../../urls/url.ts';
import { jsonObject, MAX_NAME_LENGTH, MAX_URL_LENGTH } from '../bounds.ts';
import { clientFields } from '../scrape/scrape.ts';

export const RATED_ENDPOINTS = ['search', 'scrape', 'parse', 'map'] as const;
export type RatedEndpoint = (typeof RATED_ENDPOINTS)[number];

/** Clients of the general call may list more than those of searches. */
const MAX_MISSING = 50;
const MAX_MISSING_IN_SEARCH = 20;

const webUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine(
    (text) => typeof readUrl(text) !== 'string',
    'This is not the URL of a page: only http and https can be read.',
  );

const missingContent = (most: number) =>
  z
    .array(
      z.object({
        topic: z.string().min(1).max(200).describe('What is missing.'),
        description: z.string().max(2_000).optional().describe('More about it.'),
      }),
    )
    .max(most)
    .default(() => []);

const opinion = {
  rating: z
    .enum(['good', 'partial', 'bad'], 'Rate it as "good", "partial" or "bad".')
    .describe('How good the answer was.'),
  valuableSources: z
    .array(
      z.object({
        url: webUrl.describe('The result.'),
        reason: z.string().max(2_000).optional().describe('Why it was useful.'),
      }),
    )
    .max(50)
    .default(() => [])
    .describe('Results that were useful.'),
  missingContent: missingContent(MAX_MISSING_IN_SEARCH).describe('What the answer lacks.'),
  querySuggestions: z.string().max(2_000).optional().describe('How to search better.'),
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
    missingContent: missingContent(MAX_MISSING).describe('What the answer lacks.'),
    endpoint: z
      .enum(RATED_ENDPOINTS, `\`endpoint\` must be one of: ${RATED_ENDPOINTS.join(', ')}.`)
      .describe('Which call is rated.'),
    jobId: z
      .string({ error: 'Set `jobId` to the ID of the request to rate.' })
      .max(MAX_NAME_LENGTH)
      .describe('ID of the request that is rated.'),
    issues: marks.optional().describe('What went wrong, in a few words each.'),
    tags: marks.optional().describe('Words of your own.'),
    note: z.string().max(4_000).optional().describe('Anything else.'),
    url: webUrl.optional().describe('The page that the rating is about.'),
    pageNumbers: z.array(z.int().min(1)).max(10_000).optional().describe('The pages of a document that it is about.'),
    metadata: jsonObject('metadata', { characters: 8 * 1024, depth: 32 })
      .optional()
      .describe('Anything else, as an object.'),
  })
  .superRefine((given, context) => {
    // The reasons are fields about searches.
    if (given.endpoint === 'search') checkReasons(given, context);
  });

export const feedbackResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    feedbackId: z.string(),
    creditsRefunded: z.int().describe('Always 0: ratings are not paid for on this server.'),
    creditsRefundedToday: z.int(),
    dailyRefundCap: z.int(),
    alreadySubmitted: z.boolean().optional(),
  }),
);

export type FeedbackResponse = z.output<typeof feedbackResponse>;
