// POST /v2/answer: request, response, and the events of `stream: true`.
import { z } from 'zod';
import { searchRequest } from '../search/search.ts';

const {
  collection,
  query,
  country,
  location,
  lang,
  tbs,
  includeDomains,
  excludeDomains,
  enterprise,
  zeroDataRetention,
} = searchRequest.shape;
const { scrapeOptions, threatProtection, timeout, origin, integration } = searchRequest.shape;

/** As many results are found, whatever `limit` is: the next ones take the place of those that cannot be read. */
export const MAX_ANSWER_PAGES = 10;
const DEFAULT_PAGES = 5;

export const answerRequest = z
  .object({
    query: query.describe('The question, in whole words. It may contain the operators of a search.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_ANSWER_PAGES)
      .default(DEFAULT_PAGES)
      .describe('How many of the found pages are read.'),
    stream: z
      .boolean()
      .default(false)
      .describe(
        'Answers with server-sent events: `progress` while pages are found and read, then `answer` or `error`.',
      ),
    ...{ collection, country, location, lang, tbs, includeDomains, excludeDomains },
    scrapeOptions: scrapeOptions
      .refine(({ formats }) => formats.length === 0, {
        error: 'An answer is made from the text of the pages. Leave out `formats`, or use POST /v2/search.',
        path: ['formats'],
      })
      .describe('How the pages are read, without `formats`.'),
    ...{ enterprise, zeroDataRetention, threatProtection, timeout, origin, integration },
  })
  .superRefine((request, context) => {
    if (request.includeDomains.length > 0 && request.excludeDomains.length > 0) {
      const message = 'Set `includeDomains` or `excludeDomains`, not both.';
      context.addIssue({ code: 'custom', path: ['excludeDomains'], message });
    }
  });
export type AnswerRequest = z.output<typeof answerRequest>;

export const answerResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    creditsUsed: z.int(),
    warning: z
      .string()
      .optional()
      .describe('Pages that could not be read or that disagree, and what was left out of the answer.'),
    data: z.object({
      answer: z
        .string()
        .nullable()
        .describe('At most a paragraph. `[1]` is the number of a citation. Null if the pages do not say it.'),
      citations: z
        .array(
          z.object({
            url: z.string(),
            title: z.string().optional(),
            chunkId: z.string().describe('The id in the format `chunks` of this page, with its defaults.'),
            text: z.string().describe('The passage, verbatim from the Markdown of the page.'),
          }),
        )
        .describe('In the order of their numbers.'),
      pages: z
        .array(z.object({ url: z.string(), title: z.string().optional() }))
        .describe('The pages that were read, the best first.'),
    }),
  }),
);
export type AnswerResponse = z.output<typeof answerResponse>;

/** What `progress` tells: how many pages were found, each page when it was read or not, and that the answer is being made. */
export type AnswerProgress =
  | { step: 'found'; pages: number }
  | { step: 'read'; url: string }
  | { step: 'failed'; url: string; error: string }
  | { step: 'answering'; pages: number };
