// Collections: what a caller sends to make or fill one, and how it is shown.
import { z } from 'zod';
import { urlText } from '../bounds.ts';
import { DOCUMENT_FORMATS } from '../crawl/export.ts';
import { schedule } from '../monitor/monitor.ts';
import { type CrawlTarget, type ScrapeTarget, targetScrapeOptions, targets } from '../monitor/monitor-targets.ts';
import { wholeNumber } from '../query-fields.ts';
import { clientFields } from '../scrape/scrape.ts';
import type { ScrapeOptions } from '../scrape/scrape-options.ts';

const MAX_PAGES_AT_ONCE = 1_000;
const MAX_REMOVED_PAGES = 100;
const MAX_CURSOR_LENGTH = 64;
const NO_SEARCHES =
  'A collection has targets of the types scrape and crawl. Add the pages that a search finds with POST …/pages.';

/** Refuses what contradicts a collection: it reads pages anew, and keeps their last state itself. */
function checkOptions(options: ScrapeOptions, path: (string | number)[], context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [...path, field], message });
  if (options.maxAge !== 0 || options.minAge !== undefined)
    refuse('maxAge', 'A run reads pages anew. Leave out `maxAge` and `minAge`.');
  if (options.lockdown) refuse('lockdown', 'A run reads pages anew, which `lockdown` forbids. Leave it out.');
  if (options.formats.some(({ type }) => type === 'changeTracking'))
    refuse('formats', 'A collection tracks changes itself. Leave out `changeTracking`, and read its `changes`.');
}

const collectionTargets = targets
  .superRefine((list, context) => {
    for (const [index, target] of list.entries()) {
      if (target.type !== 'search') checkOptions(target.scrapeOptions, [index, 'scrapeOptions'], context);
      else context.addIssue({ code: 'custom', path: [index, 'type'], message: NO_SEARCHES });
    }
  })
  .describe('What a run reads: pages and sites, as in monitors. The formats markdown and chunks are always made.');

export const addedPageOptions = targetScrapeOptions
  .superRefine((options, context) => checkOptions(options, [], context))
  .describe('How pages are scraped that are added one by one.');

export const putCollectionRequest = z.object({
  targets: collectionTargets.default(() => []),
  scrapeOptions: addedPageOptions,
  schedule: schedule.optional().describe('When it runs by itself: `cron` or `text`. Absent: only when asked to.'),
  retentionDays: z
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe(
      'How many days `changes` names deleted pages, so how old a cursor may be; and how long runs can be read.',
    ),
  zeroDataRetention: z.boolean().default(false).describe('Refused: a collection consists of stored pages.'),
  ...clientFields,
});
export type PutCollectionRequest = z.output<typeof putCollectionRequest>;

/** A collection as it is stored. */
export interface CollectionDefinition {
  targets: (ScrapeTarget | CrawlTarget)[];
  scrapeOptions: ScrapeTarget['scrapeOptions'];
  schedule?: { cron: string; timezone: string };
  retentionDays: number;
  /** Domains that the key was restricted to that set the definition. */
  keyDomains?: string[];
  baseUrl: string;
}

export const addPagesRequest = z.object({
  urls: z
    .array(urlText('Write each URL as a text, for example "https://example.com/pricing".'), {
      error: 'Set `urls` to the pages to add, for example ["https://example.com/pricing"].',
    })
    .min(1, '`urls` must have at least one entry.')
    .max(MAX_PAGES_AT_ONCE, `\`urls\` must have at most ${MAX_PAGES_AT_ONCE} entries.`)
    .describe('The pages to add. Those that are members already stay as they are.'),
  run: z.boolean().default(true).describe('Reads the new pages at once, unless a run is under way, which reads them.'),
  ...clientFields,
});

const runSummary = z.object({
  pages: z.int().describe('Pages that were reached.'),
  added: z.int(),
  changed: z.int(),
  same: z.int().describe('Unchanged, so they give no line.'),
  deleted: z.int(),
  problems: z.int().describe('Members that were reached and could not be read. They stay as they were.'),
});
export type CollectionRunSummary = z.output<typeof runSummary>;

const runProblem = z.object({ url: z.string(), problem: z.string() });

/** The result of a run. */
export interface CollectionRunResult {
  summary: CollectionRunSummary;
  /** Why pages were not deleted that were not reached, or that do not exist any more: a sentence each. */
  kept: string[];
  problems: z.output<typeof runProblem>[];
}

export const collectionView = z.lazy(() =>
  z.object({
    name: z.string(),
    targets: z.array(z.record(z.string(), z.unknown())).describe('Options that have their default are left out.'),
    scrapeOptions: z.record(z.string(), z.unknown()),
    schedule: z.object({ cron: z.string(), timezone: z.string() }).nullable(),
    retentionDays: z.int(),
    pages: z.int().describe('How many pages are in it.'),
    cursor: z.string().describe('The newest change: what `changes` sends from here on is what changes from now on.'),
    nextRunAt: z.string().nullable(),
    lastRunAt: z.string().nullable().describe('When its last run began.'),
    currentRunId: z.string().nullable().describe('The run that waits or runs now.'),
    lastRun: z
      .object({
        id: z.string(),
        status: z.string(),
        finishedAt: z.string(),
        error: z.string().nullable(),
        summary: runSummary.nullable(),
        kept: z.array(z.string()).describe('Why pages were not deleted: a limit, an error, robots.txt, a login wall.'),
        problems: z.array(runProblem).describe('The first pages that could not be read.'),
      })
      .nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);
export type CollectionView = z.output<typeof collectionView>;

const answer = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });
export const collectionResponse = z.lazy(() => answer(collectionView));
export const listCollectionsResponse = z.lazy(() => answer(z.array(collectionView)));
export const deleteCollectionResponse = z.lazy(() => z.object({ success: z.literal(true) }));
export const runCollectionResponse = z.lazy(() => z.object({ success: z.literal(true), id: z.string() }));
export const addPagesResponse = z.lazy(() =>
  answer(
    z.object({
      added: z.int().describe('How many were no members before.'),
      runId: z.string().nullable().describe('The run that reads them. Null if none was asked for or needed.'),
    }),
  ),
);

export const removePagesQuery = z.object({
  url: z
    .array(z.string().max(16_384), { error: 'Say which pages to take out: `url`, which can be repeated.' })
    .max(MAX_REMOVED_PAGES, `At most ${MAX_REMOVED_PAGES} pages can be taken out at once.`)
    .describe('A page as the collection lists it: its URL, or the name of an uploaded file. Repeat it for several.'),
});
export const removePagesResponse = z.lazy(() =>
  answer(z.object({ removed: z.int().describe('How many were members.') })),
);

export const membersQuery = z.object({
  limit: wholeNumber('limit', 1, 1_000).default(100).describe('1 to 1000; 100 by default.'),
  after: z.string().max(16_384).optional().describe('`next` of the page before.'),
});
export const membersResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(
      z.object({
        id: z.string(),
        url: z.string().describe('Of an upload, the name of the file.'),
        state: z.enum(['waiting', 'present']).describe('`waiting`: it was added, and never read.'),
        source: z.enum(['target', 'page', 'upload']).describe('What made it a member.'),
        hash: z.string().optional(),
        scrapeId: z.string().optional().describe('GET /v2/scrape/{id} returns its content.'),
        chunks: z.int().describe('How many chunks it has.'),
        changedAt: z.string().optional(),
        problem: z.string().optional().describe('Why the last run that reached it could not read it.'),
      }),
    ),
    next: z.string().optional().describe('Send it as `after`. Absent on the last page.'),
  }),
);

export const changesQuery = z.object({
  since: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .describe('The `cursor` of the last line that was worked on. Absent: everything that is there.'),
  last: wholeNumber('last', 1, 1_000).optional().describe('Instead of `since`: at most the last so many changes.'),
  limit: wholeNumber('limit', 1, 100_000_000).optional().describe('At most so many lines.'),
});

/** A line of `changes`. */
export const changeLine = z.lazy(() =>
  z.object({
    op: z.enum(['upsert', 'delete']),
    cursor: z.string().describe('The next `since`, once the line was worked on.'),
    id: z.string().describe('The same as long as the URL is.'),
    url: z.string().describe('Of an upload, the name of the file.'),
    finalUrl: z.string().optional().describe('Where it led, if that is elsewhere.'),
    hash: z.string().describe('Of its text: the same hash, the same text.'),
    chunkIds: z.array(z.string()).describe('The chunks of the page; of a deleted one, those that it had.'),
    scrapeId: z.string().optional().describe('GET /v2/scrape/{id} returns the content.'),
    changedAt: z.string(),
  }),
);
export type ChangeLine = z.output<typeof changeLine>;

/** Header of `changes` and of an export: the cursor of the newest change that it can hold. */
export const CURSOR_HEADER = 'x-trawl-cursor';

export const collectionExportQuery = z.object({
  format: z.enum(DOCUMENT_FORMATS).default('jsonl').describe('As in the export of a crawl.'),
});
