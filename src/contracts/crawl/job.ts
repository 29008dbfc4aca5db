// What crawls and batches share on the wire: status, cancellation, errors.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { document } from '../scrape/document.ts';

export const JOB_STATUSES = ['scraping', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Documents per status page, unless the caller sets `limit`. */
export const STATUS_PAGE_DOCUMENTS = 100;
export const STATUS_PAGE_MAX_DOCUMENTS = 1_000;
export const STATUS_PAGE_MAX_BYTES = 10 * 1024 * 1024;

const paginationError = `Invalid pagination: \`skip\` must be a whole number from 0, \`limit\` one from 1 to ${STATUS_PAGE_MAX_DOCUMENTS}.`;
const wholeNumber = (min: number, max: number) =>
  nameText
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, paginationError)
    .transform(Number);

export const jobStatusQuery = z.object({
  skip: wholeNumber(0, 999_999_999).optional().describe('Number of documents to skip; a whole number from 0.'),
  limit: wholeNumber(1, STATUS_PAGE_MAX_DOCUMENTS)
    .optional()
    .describe(`Number of documents to return, 1 to ${STATUS_PAGE_MAX_DOCUMENTS}; ${STATUS_PAGE_DOCUMENTS} by default.`),
});

/** Not part of the public interface: its clients know only the statuses above, so a paused job is still `scraping`. */
export const pauseFields = {
  paused: z.literal(true).optional().describe('No further page is begun until the job is resumed.'),
  pausedAt: z.string().optional(),
};

export const jobStatusResponse = z.lazy(() =>
  z.object({
    success: z.boolean().describe('False only if the whole job failed.'),
    status: z.enum(JOB_STATUSES),
    ...pauseFields,
    total: z.int().describe('Pages that are done or waiting; failed ones are not counted.'),
    completed: z.int(),
    failed: z.int().describe('Pages that could not be read so far; an addition of Trawl.'),
    creditsUsed: z.int(),
    createdAt: z.string(),
    expiresAt: z.string().describe('When the results are deleted.'),
    completedAt: z.string().optional(),
    duration: z.number().optional().describe('Seconds from start to end.'),
    error: z.string().optional(),
    warning: z.string().optional(),
    next: z.string().optional().describe('URL of the next page of documents.'),
    data: z.array(document).describe('Documents in order of completion.'),
  }),
);

export const cancelResponse = z.lazy(() => z.object({ success: z.literal(true), status: z.literal('cancelled') }));

export const jobErrorsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    errors: z.array(
      z.object({
        id: z.string(),
        timestamp: z.string(),
        url: z.string(),
        code: z.string(),
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()).describe('URLs that robots.txt forbids.'),
  }),
);

export type CancelResponse = z.output<typeof cancelResponse>;
export type JobErrorsResponse = z.output<typeof jobErrorsResponse>;
/** A job status without its documents, which are appended as text. */
export type JobStatusHead = Omit<z.output<typeof jobStatusResponse>, 'data'>;
