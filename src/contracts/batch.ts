// POST /v2/batch/scrape: many pages with the same options, which stand beside `urls`.
import { z } from 'zod';
import { clientFields } from './scrape.ts';
import { checkTogether, scrapeOptionFields, settle } from './scrape-options.ts';
import { webhook } from './webhook.ts';

export const MAX_BATCH_URLS = 100_000;

export const batchRequest = z
  .object({
    urls: z
      .array(z.string(), { error: 'Give the pages to scrape as `urls`, a list of strings.' })
      .min(1, 'Give at least one URL in `urls`.')
      .max(MAX_BATCH_URLS),
    ...scrapeOptionFields,
    webhook: webhook.optional(),
    appendToId: z.string().optional().describe('Adds the pages to this batch instead of starting one.'),
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Leaves out what is no usable URL and lists it in `invalidURLs`; false refuses the whole request.'),
    maxConcurrency: z.int().min(1).optional(),
    zeroDataRetention: z.boolean().default(false),
    ...clientFields,
  })
  .superRefine(checkTogether)
  .transform(settle);

export type BatchRequest = z.output<typeof batchRequest>;

export const batchResponse = z.object({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe('Where the status of the batch is.'),
  invalidURLs: z.array(z.string()).optional(),
});

export type BatchResponse = z.output<typeof batchResponse>;
