// firecrawl_answer: a question answered from the pages that a search finds. An addition of this server.
import { z } from 'zod';
import type { SentBody } from '../../../contracts/route-types.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { scrapeOptionsArgument, toScrapeOptions, withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';
import { output } from '../output.ts';

const hosts = () => optional(z.array(z.string()));

export const answer = tool({
  name: 'firecrawl_answer',
  title: 'Answer a question from the web',
  description:
    'Searches, reads the best pages, and answers one question in at most a paragraph, with numbered citations and the passages verbatim. ' +
    '`answer` is null if the pages do not say it: then try other words, or firecrawl_agent.',
  input: z.object({
    query: required(z.string().describe('One question, in whole words.')),
    limit: optional(z.number().describe('Pages to read, 1 to 10. Default: 5.')),
    lang: optional(z.string()),
    country: optional(z.string()),
    tbs: optional(z.string().describe('Age: qdr:h, d, w, m or y.')),
    collection: optional(z.string().describe('The name of a collection: only its pages answer.')),
    includeDomains: hosts(),
    excludeDomains: hosts(),
    scrapeOptions: scrapeOptionsArgument('How pages are read, without `formats`.'),
  }),
  output: output({
    id: z.string().optional(),
    creditsUsed: z.number().optional(),
    warning: z.string().optional(),
    data: z
      .looseObject({
        answer: z.string().nullish(),
        citations: z.array(z.looseObject({ url: z.string().optional(), text: z.string().optional() })).optional(),
        pages: z.array(z.looseObject({ url: z.string().optional() })).optional(),
      })
      .optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  async run({ query, scrapeOptions, ...given }, { api, signal, maxAnswer }) {
    const { zeroDataRetention, ...options } = toScrapeOptions(scrapeOptions ?? {});
    const body = { ...withoutEmpty({ ...given, zeroDataRetention, scrapeOptions: options }), query };
    return fitAnswer(await api.call('answer', { body: body as SentBody<'answer'>, signal }), { maxAnswer });
  },
});
