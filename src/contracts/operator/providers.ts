// Search providers, research sources and language models as the operator sees them, and what a test of one finds.
import { z } from 'zod';
import { MODEL_PURPOSES } from './model-purpose.ts';

const problemTime = z.lazy(() =>
  z.object({
    text: z.string().describe('What went wrong, in words. Never a key, an address or a query.'),
    at: z.string().describe('When.'),
  }),
);
const times = {
  pausedUntil: z.string().optional().describe('Set while it is not asked after failures.'),
  lastAnswerAt: z.string().optional().describe('When it answered last, since the start of the service.'),
};

const listedProvider = z.lazy(() =>
  z.object({
    name: z.string().describe('As in TRAWL_SEARCH_PROVIDERS.'),
    label: z.string().describe('Name for people.'),
    sources: z.array(z.string()).describe('What it searches: web, news, images.'),
    categories: z.array(z.string()).describe('It is asked only if one of these is requested. Empty: for every search.'),
    used: z.boolean().describe('Whether searches ask it, by the settings.'),
    obstacle: z.string().optional().describe('Why the settings do not allow to ask it.'),
    hasKey: z.boolean().describe('Whether a key is set for it. The key is never shown.'),
    hasUrl: z.boolean().describe('Whether an address is set for it.'),
    state: z
      .enum(['answers', 'failing', 'paused', 'unknown'])
      .describe('unknown: not asked since the start. failing: the last request failed, but it is asked again.'),
    requests: z.int().describe('Requests sent since the start.'),
    failures: z.int().describe('Searches that it did not answer, since the start.'),
    lastProblem: problemTime.optional(),
    ...times,
  }),
);

const listedModel = z.lazy(() =>
  z.object({
    purpose: z.enum(MODEL_PURPOSES).describe('What the model is used for.'),
    model: z.string().nullable().describe('As in the settings. Null: none is set.'),
    state: z
      .enum(['answers', 'fails', 'unknown', 'none'])
      .describe('unknown: it has not answered yet. none: none is set.'),
    lastProblem: problemTime.optional(),
    ...times,
  }),
);

export const listProvidersResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      providers: z.array(listedProvider).describe('Search providers and research sources, those in use first.'),
      models: z.array(listedModel).describe('Which language model answers, by purpose.'),
    }),
  }),
);

export const testResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      ok: z.boolean().describe('Whether it answered.'),
      ms: z.int().describe('How long that took.'),
      problem: z.string().optional().describe('Why it did not answer, in words.'),
      results: z.int().optional().describe('How many results a search provider returned.'),
    }),
  }),
);

export type ListProvidersResponse = z.output<typeof listProvidersResponse>;
export type TestResponse = z.output<typeof testResponse>;
