// What lists show of jobs of all kinds, of the pages of a crawl or batch, and of its frontier: additions of Trawl.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { wholeNumber } from '../query-fields.ts';
import { pauseFields } from './job.ts';

/** A `check` is a check of a monitor, a `collection` a run of one. */
export const LISTED_KINDS = ['crawl', 'batch', 'agent', 'extract', 'check', 'collection'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

const LISTED_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** `active`: queued, running or paused. */
const STATUS_FILTERS = ['active', 'paused', 'completed', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const MAX_TARGET_LENGTH = 300;
const MAX_JOBS = 100;
const MAX_PAGES = 200;
const MAX_HOSTS = 200;

const oneOf = <const Values extends readonly [string, ...string[]]>(name: string, values: Values) =>
  nameText.pipe(z.enum(values, `\`${name}\` must be one of: ${values.join(', ')}.`));
const cursor = z.string().max(200, 'Invalid cursor.').optional().describe('The `cursor` of the page before.');
const nextCursor = z.string().nullable().describe('Send it to get the next page of the list. Null at the end.');

export const jobListQuery = z.object({
  kind: oneOf('kind', LISTED_KINDS).optional().describe('Only jobs of this kind.'),
  status: oneOf('status', STATUS_FILTERS)
    .optional()
    .describe('Only jobs of this status. `active`: those that wait, run or are paused.'),
  limit: wholeNumber('limit', 1, MAX_JOBS)
    .default(25)
    .describe(`Number of jobs to return: 1 to ${MAX_JOBS}; 25 by default.`),
  cursor,
});

const count = z.int().min(0);

const listedJob = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum(LISTED_KINDS),
    target: z
      .string()
      .nullable()
      .describe(
        'The start URL, the first URL, the prompt or the name of the monitor, cut. Null if it may not be stored.',
      ),
    monitorId: z.string().optional().describe('The monitor of a check.'),
    status: z.enum(LISTED_STATUSES).describe('A crawl or batch that runs or is paused is `running`.'),
    ...pauseFields,
    limit: count.optional().describe('The maximum number of pages of a crawl.'),
    total: count
      .optional()
      .describe('Pages of a crawl or batch that are done or waiting; failed ones are not counted.'),
    completed: count.optional().describe('Pages of a crawl or batch that were read.'),
    failed: count.optional().describe('Pages of a crawl or batch that could not be read.'),
    creditsUsed: count,
    storedBytes: count.optional().describe('What the documents of a crawl or batch take on the server, compressed.'),
    error: z.string().optional().describe('Why the whole job failed.'),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
    expiresAt: z.string().nullable().describe('When the results are deleted. Null until the job has ended.'),
  }),
);
export type ListedJobView = z.output<typeof listedJob>;

export const jobListResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(listedJob).describe('Newest first.'),
    stored: z
      .object({ jobs: count, bytes: count.describe('As `storedBytes` of the jobs, together.') })
      .optional()
      .describe(
        'All crawls and batches that the team has stored, of the kinds that are asked for and that the key may see. Absent for a key that is restricted to domains.',
      ),
    cursor: nextCursor,
  }),
);
export type JobListResponse = z.output<typeof jobListResponse>;

export const jobDetailsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: listedJob.unwrap().extend({
      request: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe(
          'What the job was started with, without options that have their default. Values of headers and what actions do stay hidden. Null if it may not be stored.',
        ),
      isWhole: z
        .boolean()
        .describe(
          'Whether `request` can be sent again as it is: nothing in it is hidden, and no URL of a batch is left out.',
        ),
    }),
  }),
);
export type JobDetailsResponse = z.output<typeof jobDetailsResponse>;

const PAGE_FILTERS = ['all', 'ok', 'failed'] as const;

export const jobPagesQuery = z.object({
  status: oneOf('status', PAGE_FILTERS).default('all').describe('Only pages that were read (`ok`), or that failed.'),
  limit: wholeNumber('limit', 1, MAX_PAGES)
    .default(50)
    .describe(`Number of pages to return: 1 to ${MAX_PAGES}; 50 by default.`),
  cursor,
});
export type JobPagesQuery = z.output<typeof jobPagesQuery>;

export const jobPagesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z
      .array(
        z.object({
          scrapeId: z.string().describe('GET /v2/scrape/{id} returns the document, except with zero data retention.'),
          url: z.string(),
          status: z.enum(['ok', 'failed']),
          endedAt: z.string(),
          statusCode: z.int().optional().describe('The HTTP status of a page that was read.'),
          title: z.string().optional(),
          creditsUsed: count.optional(),
          warning: z.string().optional(),
          code: z.string().optional().describe('The error code of a page that failed.'),
          error: z.string().optional().describe('Why the page failed.'),
        }),
      )
      .describe('In the order in which they ended, the last first.'),
    cursor: nextCursor,
  }),
);
export type JobPagesResponse = z.output<typeof jobPagesResponse>;

export const jobHostsQuery = z.object({
  limit: wholeNumber('limit', 1, MAX_HOSTS)
    .default(50)
    .describe(`Number of hosts to return: 1 to ${MAX_HOSTS}; 50 by default.`),
});

const hostCounts = {
  waiting: count.describe('Pages that wait for their turn, or for their next attempt.'),
  running: count.describe('Pages in progress.'),
  done: count,
  failed: count,
  blocked: count.describe('Pages that robots.txt forbids.'),
};

export const jobHostsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z
      .array(
        z.object({
          host: z.string(),
          ...hostCounts,
          slots: count.describe('How many requests the host gets at the same time, for all jobs together.'),
          crawlDelay: z.number().nullable().describe('Seconds between two requests that robots.txt asks for.'),
          pausedUntil: z.string().nullable().describe('The host has asked for a pause until then (429 or 503).'),
          refusals: count.describe('How often it has refused requests since its last good answer.'),
          averageMs: z
            .int()
            .nullable()
            .describe('How long it takes to answer, on average. Null before its first answer.'),
        }),
      )
      .describe('Those first that have the most pages waiting.'),
    hosts: count.describe('All hosts of the job, whether or not they are listed.'),
    total: z.object(hostCounts).describe('Pages of all hosts.'),
  }),
);
export type JobHostsResponse = z.output<typeof jobHostsResponse>;
