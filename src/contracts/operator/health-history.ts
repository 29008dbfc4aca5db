// GET /v2/health/history: how the service did during the last hour, for charts.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { processQuery, serviceProcess } from './service-process.ts';

/** Every column of a sample with its meaning. */
const COLUMNS = {
  requests: 'Requests a second.',
  refused: 'Requests a second that were answered with a status of 400 to 499.',
  failed: 'Requests a second that were answered with a status of 500 or more.',
  pages: 'Pages read a second, from the web or from the cache.',
  failedPages: 'Pages a second that could not be read.',
  scrapeP50: 'Half of the scrapes took at most this many seconds.',
  scrapeP95: '95 of 100 scrapes took at most this many seconds.',
  searchP50: 'Half of the searches took at most this many seconds.',
  searchP95: '95 of 100 searches took at most this many seconds.',
  otherP50: 'Half of all other requests took at most this many seconds.',
  otherP95: '95 of 100 other requests took at most this many seconds.',
  waitingPages: 'Pages of unfinished jobs that wait.',
  runningPages: 'Pages of unfinished jobs that are being read.',
  unfinishedJobs: 'Crawls and batches that have not ended.',
  unfinishedRuns: 'Agents, extractions and checks of monitors that have not ended.',
  rssBytes: 'Memory of the service.',
  heapBytes: 'The part of it that JavaScript objects use.',
  browserBytes: 'Private memory of all browsers.',
  cpu: 'Processor cores that the service used, without its browsers; 1 is one core.',
  loopDelay: 'How late timers were, in seconds: 99 of 100 were less, over one to two minutes.',
  browsers: 'Browser programs for scrapes.',
  sessions: 'Open browser sessions.',
  browserPages: 'Pages open in the browsers for scrapes.',
} as const;

export type HistoryColumn = keyof typeof COLUMNS;
export const HISTORY_COLUMNS = Object.keys(COLUMNS) as HistoryColumn[];

const figures = z.array(z.number().nullable());
const series = () =>
  Object.fromEntries(Object.entries(COLUMNS).map(([name, meaning]) => [name, figures.describe(meaning)])) as Record<
    HistoryColumn,
    typeof figures
  >;

export const healthHistoryQuery = processQuery.extend({
  since: nameText
    .regex(/^\d{1,15}$/, '`since` must be a time in milliseconds since 1970.')
    .transform(Number)
    .default(0)
    .describe('Only samples that are younger, in milliseconds since 1970: the last entry of `at`. Default: all.'),
});

export const healthHistoryResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      process: serviceProcess.describe('Whose figures these are. The queue is that of all processes.'),
      everyMs: z.int().describe('How often a sample is taken.'),
      keptMs: z.int().describe('For how long samples are kept. They are not stored: a restart begins anew.'),
      now: z.int().describe('The time of the service, in milliseconds since 1970.'),
      at: z.array(z.int()).describe('When each sample was taken, in milliseconds since 1970, the oldest first.'),
      series: z
        .object(series())
        .describe('Each list is as long as `at`. Null: not known, for example without requests.'),
    }),
  }),
);

export type HealthHistoryResponse = z.output<typeof healthHistoryResponse>;
