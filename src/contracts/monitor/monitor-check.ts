// Checks of monitors: what each of them found, page by page.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { restlessLines } from '../formats/page-changes.ts';
import { wholeNumber } from '../query-fields.ts';

export const CHECK_STATUSES = [
  'queued',
  'running',
  'completed',
  'failed',
  'partial',
  'skipped_overlap',
  'skipped_no_credits',
] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

export const PAGE_STATUSES = ['same', 'new', 'changed', 'removed', 'error'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  nameText.pipe(z.enum(values, `\`status\` must be one of: ${values.join(', ')}.`));

export const listChecksQuery = z.object({
  limit: wholeNumber('limit', 1, 100).default(25).describe('1 to 100; 25 by default.'),
  offset: wholeNumber('offset', 0, 999_999_999).default(0).describe('How many to skip.'),
  status: oneOf(CHECK_STATUSES).optional().describe('Only checks of this status.'),
});

export const checkQuery = z.object({
  limit: wholeNumber('limit', 1, 100).default(25).describe('Pages to return: 1 to 100; 25 by default.'),
  skip: wholeNumber('skip', 0, 999_999_999).default(0).describe('How many pages to skip.'),
  status: oneOf(PAGE_STATUSES).optional().describe('Only pages of this status.'),
});

const count = z.int().min(0);

export const checkSummary = z.lazy(() =>
  z.object({
    totalPages: count,
    same: count,
    changed: count,
    new: count,
    removed: count,
    error: count,
  }),
);
export type CheckSummary = z.output<typeof checkSummary>;

const judging = {
  judgeDegraded: z.boolean().optional().describe('True if changes or results were judged by rules, without a model.'),
  degradedReason: z.string().nullable().optional(),
};

export const targetResult = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      targetId: z.string(),
      type: z.literal('scrape'),
      expectedJobs: z.array(z.string()).optional(),
      ...judging,
    }),
    z.object({ targetId: z.string(), type: z.literal('crawl'), crawlId: z.string().optional(), ...judging }),
    z.object({
      targetId: z.string(),
      type: z.literal('search'),
      searchCompleted: z.boolean().optional(),
      resultCount: count.optional(),
      matches: count.optional().describe('Results that the goal asks for and that no earlier check has reported.'),
      summary: z.string().optional(),
      ...judging,
      searchCredits: count.optional(),
      judgeCredits: count.optional(),
      resultsJudged: count.optional(),
    }),
  ]),
);
export type TargetResult = z.output<typeof targetResult>;

export const checkView = z.lazy(() =>
  z.object({
    id: z.string(),
    monitorId: z.string(),
    status: z.enum(CHECK_STATUSES),
    trigger: z.enum(['scheduled', 'manual']),
    scheduledFor: z.string().nullable(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    estimatedCredits: count,
    reservedCredits: count.nullable(),
    actualCredits: count.nullable().describe('Null until the check has ended.'),
    billingStatus: z.enum(['not_applicable', 'reserved', 'confirmed', 'released', 'failed']),
    summary: checkSummary,
    targetResults: z.array(targetResult),
    notificationStatus: z.unknown(),
    error: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);
export type CheckView = z.output<typeof checkView>;

const judgment = z.lazy(() =>
  z.object({
    meaningful: z.boolean(),
    confidence: z.enum(['high', 'medium', 'low']),
    reason: z.string(),
    meaningfulChanges: z.array(
      z.object({
        type: z.enum(['added', 'removed', 'changed']),
        before: z.string().nullable(),
        after: z.string().nullable(),
        reason: z.string(),
      }),
    ),
  }),
);

/** Everything that a page shows beside its state. */
const pageDetails = z.lazy(() =>
  z.object({
    metadata: z.record(z.string(), z.unknown()).nullable(),
    diff: z
      .object({
        text: z.string().optional().describe('A unified diff of the Markdown.'),
        json: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'The same as a tree (`files`), or with the format json `previous` and `current` of each changed path.',
          ),
        cut: z.literal(true).optional().describe('The diff does not show everything that has changed.'),
      })
      .nullable()
      .describe('Null if the page has not changed.'),
    snapshot: z
      .object({ json: z.record(z.string(), z.unknown()).optional() })
      .nullable()
      .describe('What the format json has extracted this time.'),
    judgment: judgment.nullable(),
    restless: restlessLines.optional(),
  }),
);
export type CheckedPageDetails = z.output<typeof pageDetails>;

const checkPage = z.lazy(() =>
  z.object({
    id: z.string(),
    targetId: z.string(),
    url: z.string(),
    status: z.enum(PAGE_STATUSES),
    previousScrapeId: z.string().nullable(),
    currentScrapeId: z.string().nullable(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    ...pageDetails.unwrap().shape,
    createdAt: z.string(),
  }),
);
export type CheckPage = z.output<typeof checkPage>;

export const runMonitorResponse = z.lazy(() => z.object({ success: z.literal(true), id: z.string(), data: checkView }));
export const listChecksResponse = z.lazy(() => z.object({ success: z.literal(true), data: z.array(checkView) }));

const next = z.string().optional().describe('URL of the next pages. Absent at the end.');
export const checkResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    next,
    data: checkView.unwrap().extend({ pages: z.array(checkPage), next }),
  }),
);
export type CheckResponse = z.output<typeof checkResponse>;

/** What a check leaves as its result. */
export interface CheckResult {
  summary: CheckSummary;
  targetResults: TargetResult[];
  /** What became of the e-mails; absent if none were wanted. */
  notificationStatus?: unknown;
}
