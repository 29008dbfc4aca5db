// POST /v2/scrape and GET /v2/scrape/{id}.
import { z } from 'zod';
import { nameText, urlText } from './bounds.ts';
import { document } from './document.ts';
import { applyDependentOptions, checkTogether, scrapeOptionFields } from './scrape-options.ts';

/** Fields that clients may add to any JSON body. */
export const clientFields = {
  origin: nameText.optional().describe('Which program sends the request.'),
  integration: nameText.optional().describe('Which integration sends the request.'),
};

export const scrapeRequest = z
  .object({
    url: urlText('Set `url` to the page to scrape, for example { "url": "https://example.com" }.').describe(
      'The page to scrape.',
    ),
    ...scrapeOptionFields,
    zeroDataRetention: z.boolean().default(false).describe('Nothing about the request is stored or logged.'),
    ...clientFields,
  })
  .superRefine(checkTogether)
  .transform(applyDependentOptions);

export type ScrapeRequest = z.output<typeof scrapeRequest>;

export const scrapeResponse = z.object({
  success: z.literal(true),
  data: document,
  warning: z.string().optional(),
});

export type ScrapeResponse = z.output<typeof scrapeResponse>;
