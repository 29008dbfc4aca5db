// POST /v2/batch/scrape: many pages with the same options, which sit next to `urls` in the body.
import { z } from 'zod';
import { MAX_URL_LENGTH, nameText } from '../bounds.ts';
import { retention } from '../retention.ts';
import { clientFields } from '../scrape/scrape.ts';
import { applyDependentOptions, checkTogether, scrapeOptionFields } from '../scrape/scrape-options.ts';
import { webhook } from '../webhooks/webhook.ts';

export const MAX_BATCH_URLS = 100_000;
/** Above that of a URL, so that a URL that is a little too long is skipped like other unusable ones. */
const MAX_ENTRY_LENGTH = 4 * MAX_URL_LENGTH;

export const batchRequest = z
  .object({
    urls: z
      .array(z.string().max(MAX_ENTRY_LENGTH), { error: 'Set `urls` to the list of pages to scrape, as strings.' })
      .min(1, '`urls` must have at least one entry.')
      .max(MAX_BATCH_URLS)
      .describe('The pages to scrape.'),
    ...scrapeOptionFields,
    webhook: webhook.optional().describe('Where to send events.'),
    appendToId: nameText.optional().describe('Adds the pages to this batch instead of starting a new one.'),
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Skips unusable URLs and lists them in `invalidURLs`; false refuses the whole request.'),
    maxConcurrency: z.int().min(1).optional().describe('Maximum number of pages that are read at the same time.'),
    zeroDataRetention: z.boolean().default(false).describe('Deletes the pages one hour after the end.'),
    retention: retention.optional(),
    ...clientFields,
  })
  .superRefine(checkTogether)
  .transform(applyDependentOptions);

export type BatchRequest = z.output<typeof batchRequest>;

export const batchResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    url: z.string().describe('URL of the batch status.'),
    invalidURLs: z.array(z.string()).optional(),
  }),
);

export type BatchResponse = z.output<typeof batchResponse>;
