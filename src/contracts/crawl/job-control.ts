// Pausing, resuming, extending and retrying jobs: additions of Trawl to the public interface.
import { z } from 'zod';
import { MAX_CRAWL_LIMIT } from './crawl.ts';
import { JOB_STATUSES, pauseFields } from './job.ts';

const controlFields = {
  success: z.literal(true),
  id: z.string(),
  status: z.enum(JOB_STATUSES).describe('A paused job is `scraping`, as clients of the public interface expect.'),
  ...pauseFields,
  total: z.int().describe('Pages that are done or waiting; failed ones are not counted.'),
  completed: z.int(),
};

export const jobControlResponse = z.lazy(() => z.object(controlFields));

export const updateCrawlRequest = z.object({
  limit: z
    .int({ error: 'Set `limit` to the new maximum number of pages, for example { "limit": 500 }.' })
    .min(1)
    .max(MAX_CRAWL_LIMIT)
    .describe('The new maximum number of pages. A crawl that had stopped at the old one runs again.'),
});

export const updateCrawlResponse = z.lazy(() =>
  z.object({
    ...controlFields,
    limit: z.int().describe('The limit from now on.'),
    warning: z.string().optional(),
  }),
);

export const retryJobResponse = z.lazy(() =>
  z.object({
    ...controlFields,
    retried: z.int().describe('Failed pages that are queued again.'),
    warning: z.string().optional().describe('Why some failed pages are not queued again.'),
  }),
);

export type JobControlResponse = z.output<typeof jobControlResponse>;
export type UpdateCrawlResponse = z.output<typeof updateCrawlResponse>;
export type RetryJobResponse = z.output<typeof retryJobResponse>;
