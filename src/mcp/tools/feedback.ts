// Ratings of answers.
import { z } from 'zod';
import type { SentBody } from '../../contracts/route-types.ts';
import { RATED_ENDPOINTS } from '../../contracts/search/feedback.ts';
import { optional, required } from '../input/lenient.ts';
import { tool } from '../tool.ts';
import { output } from './output.ts';

const RATES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const text = () => optional(z.string());
const texts = () => optional(z.array(z.string()));

const opinion = {
  rating: required(z.enum(['good', 'partial', 'bad'])),
  valuableSources: optional(z.array(z.looseObject({ url: z.string(), reason: text() }))),
  missingContent: optional(z.array(z.looseObject({ topic: z.string(), description: text() }))),
  querySuggestions: text(),
};

const rated = output({ feedbackId: z.string().optional() });

export const searchFeedback = tool({
  name: 'firecrawl_search_feedback',
  title: 'Rate a search',
  description:
    'Rates a search by its id. good needs valuableSources, partial these or missingContent, bad missingContent or querySuggestions.',
  input: z.object({ searchId: required(z.string()), ...opinion }),
  output: rated,
  annotations: RATES,
  run: async ({ searchId: id, ...body }, { api, signal }) => ({
    structured: await api.call('searchFeedback', { params: { id }, body, signal }),
  }),
});

export const feedback = tool({
  name: 'firecrawl_feedback',
  title: 'Rate an answer',
  description:
    'Rates a search, scrape, parse or map by the id of its answer. issues and tags are short codes such as missing_content.',
  input: z.object({
    endpoint: required(z.enum(RATED_ENDPOINTS)),
    jobId: text(),
    ...opinion,
    issues: texts(),
    tags: texts(),
    note: text(),
    url: text(),
    pageNumbers: optional(z.array(z.int())),
    metadata: optional(z.record(z.string(), z.unknown())),
  }),
  output: rated,
  annotations: RATES,
  run: async (body, { api, signal }) => ({
    structured: await api.call('feedback', { body: body as SentBody<'feedback'>, signal }),
  }),
});
