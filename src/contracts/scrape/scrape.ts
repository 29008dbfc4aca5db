// POST /v2/scrape and GET /v2/scrape/{id}.
import { z } from 'zod';
import { nameText, urlText } from '../bounds.ts';
import { document } from './document.ts';
import { explanation } from './explanation.ts';
import { applyDependentOptions, checkTogether, scrapeOptionFields } from './scrape-options.ts';

/** Fields that clients may add to any JSON body. */
export const clientFields = {
  origin: nameText.optional().describe('Which program sends the request.'),
  integration: nameText.optional().describe('Which integration sends the request.'),
};

export const explainOption = z
  .boolean()
  .default(false)
  .describe('Adds `explanation`: why the answer is as it is, with every attempt, the cache, the times and the cost.');

export const scrapeRequest = z
  .object({
    url: urlText('Set `url` to the page to scrape, for example { "url": "https://example.com" }.').describe(
      'The page to scrape.',
    ),
    ...scrapeOptionFields,
    zeroDataRetention: z.boolean().default(false).describe('Nothing about the request is stored or logged.'),
    explain: explainOption,
    ...clientFields,
  })
  .superRefine(checkTogether)
  .transform(applyDependentOptions);

export type ScrapeRequest = z.output<typeof scrapeRequest>;

export const scrapeResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: document.unwrap().extend({
      explanation: explanation
        .optional()
        .describe('Why the answer is as it is, for requests with `explain`. It is not stored.'),
    }),
    warning: z.string().optional(),
  }),
);

export type ScrapeResponse = z.output<typeof scrapeResponse>;
