// Why a scrape was answered as it was: cache, attempts, verdict, content, times and cost. Made only for requests with
// `explain`, and never stored.
import { z } from 'zod';

const CACHE_STATES = ['hit', 'confirmed', 'miss', 'bypassed'] as const;

/** What a browser does with a page, in this order; a step may be missing or repeated. */
const BROWSER_STEPS = [
  'slot',
  'navigate',
  'settle',
  'wait',
  'banners',
  'scroll',
  'actions',
  'screenshot',
  'styles',
  'read',
] as const;
export type BrowserStep = (typeof BROWSER_STEPS)[number];

export const STAGES = ['queue', 'cache', 'fetch', 'parse', 'formats', 'changes', 'store'] as const;
export type Stage = (typeof STAGES)[number];

export const CHARGES = [
  'page',
  'enhancedPage',
  'lockdownHit',
  'lockdownMiss',
  'furtherPdfPages',
  'redaction',
  'zeroDataRetention',
  'media',
  'extraction',
  'answer',
  'highlights',
  'models',
  'threatScans',
  'unknownHost',
] as const;

export interface ChargedItem {
  item: (typeof CHARGES)[number];
  credits: number;
}

const engine = z.string().describe('`http`, `chrome-http`, `browser`, `manual` (pages of this server) or `upload`.');
const proxy = z.enum(['basic', 'stealth']).describe('Class of the proxy.');
const ms = z.int().describe('Milliseconds.');

const response = z.lazy(() =>
  z.object({
    url: z.string().describe('The requested URL; a long one is cut.'),
    status: z.int().describe('The HTTP status that came back.'),
  }),
);

const browserWork = z.lazy(() =>
  z.object({
    requests: z.int().describe('Requests that the page made.'),
    blocked: z.int().describe('Requests for ads and trackers that were blocked.'),
    steps: z.array(z.object({ step: z.enum(BROWSER_STEPS), ms })).describe('What the browser did, in order.'),
  }),
);

const attempt = z.lazy(() =>
  z.object({
    engine,
    proxy,
    outcome: z
      .string()
      .describe(
        '`ok`, or why it was not enough: `shell`, `challenge`, `forbidden`, `busy`, `turned-away`, `dropped`, `failed`, `unavailable`, or `unfinished` if the time was over.',
      ),
    ms,
    responses: z.array(response).describe('Redirects and repeated requests in order; the last one is the page.'),
    contentType: z.string().optional().describe('The declared type of the page.'),
    bytes: z.int().optional().describe('Size of the page, decompressed.'),
    transformMs: z.int().optional().describe('Milliseconds of `ms` that went into reading the page.'),
    verdict: z
      .object({ kind: z.string(), reason: z.string() })
      .optional()
      .describe('What the page was taken for; `reason` is empty for content.'),
    error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why no page came.'),
    browser: browserWork.optional().describe('What the browser did.'),
  }),
);

export const explanation = z.lazy(() =>
  z.object({
    totalMs: z.int().describe('Milliseconds from the request to its answer.'),
    stages: z.array(z.object({ stage: z.enum(STAGES), ms })).describe('Where the time went.'),
    cache: z
      .object({
        state: z
          .enum(CACHE_STATES)
          .describe('`confirmed`: there was an older copy, and the site said that it is still good.'),
        reason: z.string().describe('Why, in a sentence.'),
        cachedAt: z.string().optional().describe('When the copy was fetched.'),
        isStored: z.boolean().describe('Whether the page that was read is in the cache now.'),
      })
      .optional()
      .describe('Missing if the request ended before the cache was asked.'),
    plan: z
      .object({
        reason: z.string().describe('Why the first attempt is the first.'),
        attempts: z.array(
          z.object({
            engine,
            proxy,
            after: z
              .array(z.string())
              .optional()
              .describe('Made only if the attempt before ended in one of these ways.'),
          }),
        ),
      })
      .optional()
      .describe('What would have been tried, in this order. Missing if nothing had to be fetched.'),
    attempts: z
      .array(attempt)
      .describe('What was tried, in this order. Empty for a page of the cache and for uploads.'),
    verdict: z
      .object({ kind: z.string(), reason: z.string() })
      .optional()
      .describe('What the page was taken for: `content`, or what stands in its place.'),
    content: z
      .object({
        selection: z
          .enum(['main-content', 'selectors', 'whole-page', 'whole-file', 'document'])
          .describe('Which part was read: the main content, `includeTags`, everything, or a file by its parser.'),
        reason: z.string().describe('Why, in a sentence.'),
        quality: z.number().optional().describe('Predicted quality of the main content, 0 to 1.'),
        siblings: z.int().optional().describe('How many other pages of the site informed the choice.'),
        template: z
          .array(z.string())
          .optional()
          .describe(
            'The first texts that were left out and stand on other pages of the site, too. Missing if the answer was cached.',
          ),
      })
      .optional()
      .describe('Which part of the page the answer contains.'),
    reader: z
      .object({ windows: z.int().describe('Windows of the text that it read, about 35 ms of processor time each.') })
      .optional()
      .describe(
        'What our own reader did for formats that were made without a language model. Missing if it was not asked.',
      ),
    threatProtection: z
      .enum(['off', 'passed', 'refused'])
      .describe('Whether rules about URLs applied to this request, and what came of it.'),
    cost: z
      .object({
        credits: z.int().describe('What is charged.'),
        items: z.array(z.object({ item: z.enum(CHARGES), credits: z.int() })).describe('What it consists of.'),
      })
      .describe('What the request costs.'),
  }),
);

export type Explanation = z.output<typeof explanation>;
export type ExplainedAttempt = Explanation['attempts'][number];
