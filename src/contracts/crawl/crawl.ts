// POST /v2/crawl, its list of active crawls, and its preview of options.
import { z } from 'zod';
import { archiveFields, checkArchiveOptions } from '../archive/archive-options.ts';
import { MAX_PROMPT_LENGTH, urlText } from '../bounds.ts';
import { optionalText, textList } from '../optional-text.ts';
import { retention } from '../retention.ts';
import { clientFields } from '../scrape/scrape.ts';
import { scrapeOptions } from '../scrape/scrape-options.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { webhook } from '../webhooks/webhook.ts';
import { pauseFields } from './job.ts';

export const DEFAULT_CRAWL_LIMIT = 10_000;
export const MAX_CRAWL_LIMIT = 1_000_000;
const MAX_EXPRESSIONS = 1_000;
const MAX_EXPRESSION_LENGTH = 1_000;

const expressions = textList(MAX_EXPRESSIONS, z.string().max(MAX_EXPRESSION_LENGTH));

/** Which pages belong to a crawl. */
export const scopeFields = {
  includePaths: expressions
    .default(() => [])
    .describe('Regular expressions (RE2 syntax) for the path; only pages that match one are crawled.'),
  excludePaths: expressions
    .default(() => [])
    .describe('Regular expressions (RE2 syntax) for the path; pages that match one are not crawled.'),
  regexOnFullURL: z
    .boolean()
    .default(false)
    .describe('Matches the expressions against the whole URL instead of the path.'),
  crawlEntireDomain: z
    .boolean()
    .default(false)
    .describe('Includes pages that are not below the path of the start page.'),
  allowSubdomains: z.boolean().default(false).describe('Includes pages of subdomains.'),
  allowExternalLinks: z.boolean().default(false).describe('Includes pages of other sites that are one link away.'),
};

/** How a site is crawled. Monitors that watch a site have the same options. */
export const crawlOptionFields = {
  ...scopeFields,
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .optional()
    .describe('Maximum number of links between a page and the start page or a sitemap entry.'),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .default('include')
    .describe('Whether pages of the sitemaps and of llms.txt are included, or only they are.'),
  ignoreQueryParameters: z
    .boolean()
    .default(false)
    .describe('Counts URLs that differ only in their query as one page.'),
  deduplicateSimilarURLs: z
    .boolean()
    .default(true)
    .describe('Counts spellings of one URL (www, index.html, a slash at the end) as one page.'),
  limit: z.int().min(1).max(MAX_CRAWL_LIMIT).default(DEFAULT_CRAWL_LIMIT).describe('Maximum number of pages.'),
  ignoreRobotsTxt: z.boolean().default(false).describe('Includes pages that robots.txt disallows.'),
  robotsUserAgent: optionalText(z.string().max(256)).describe('User agent name to match against robots.txt.'),
  delay: z
    .number()
    .gt(0)
    .max(60)
    .optional()
    .describe('Seconds between two pages, which are then fetched one at a time.'),
  maxConcurrency: z.int().min(1).optional().describe('Pages that are read at once.'),
};

export const crawlRequest = z
  .object({
    url: urlText('Set `url` to the page to start from, for example { "url": "https://example.com" }.').describe(
      'The page to start from.',
    ),
    prompt: optionalText(z.string().max(MAX_PROMPT_LENGTH)).describe(
      'What to crawl, in plain words. A language model turns it into options; options that you set yourself win.',
    ),
    ...crawlOptionFields,
    webhook: webhook.optional().describe('A URL, or an object with options, that is told about the job.'),
    archive: archiveFields.archive
      .unwrap()
      .optional()
      .describe('Keeps what was received for the pages, exactly; the same as in `scrapeOptions`.'),
    source: archiveFields.source,
    scrapeOptions: scrapeOptions
      .default(() => scrapeOptions.parse({}))
      .describe('How each page is read: the options of a scrape.'),
    threatProtection: threatProtection.optional().describe('Which URLs may be visited, besides the rules of the team.'),
    zeroDataRetention: z.boolean().default(false).describe('Stores as little as possible, for as short as possible.'),
    retention: retention.optional(),
    ...clientFields,
  })
  .superRefine(({ scrapeOptions: pages, archive = pages.archive, source = pages.source }, context) =>
    checkArchiveOptions({ ...pages, archive, source }, context),
  );

export type CrawlRequest = z.output<typeof crawlRequest>;

const { shape } = crawlRequest;

/** What a `prompt` can decide. Robots rules, headers, webhooks and formats are the caller's alone. */
export const generatedOptions = z
  .object({
    includePaths: shape.includePaths.removeDefault(),
    excludePaths: shape.excludePaths.removeDefault(),
    regexOnFullURL: shape.regexOnFullURL.removeDefault(),
    maxDiscoveryDepth: shape.maxDiscoveryDepth,
    crawlEntireDomain: shape.crawlEntireDomain.removeDefault(),
    allowSubdomains: shape.allowSubdomains.removeDefault(),
    allowExternalLinks: shape.allowExternalLinks.removeDefault(),
    sitemap: shape.sitemap.removeDefault(),
    ignoreQueryParameters: shape.ignoreQueryParameters.removeDefault(),
    deduplicateSimilarURLs: shape.deduplicateSimilarURLs.removeDefault(),
    // The Python client accepts whole seconds only.
    delay: shape.delay.unwrap().transform(Math.ceil),
    limit: shape.limit.removeDefault(),
  })
  .partial();

export type GeneratedOptions = z.output<typeof generatedOptions>;

const optionsByName = z.record(z.string(), z.unknown());

export const crawlResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    url: z.string().describe('URL of the crawl status.'),
    promptGeneratedOptions: optionsByName.optional().describe('The options that a model chose for the `prompt`.'),
    finalCrawlerOptions: optionsByName
      .optional()
      .describe('The options of the crawl: those of the request, then those of the model, then defaults.'),
  }),
);

export type CrawlResponse = z.output<typeof crawlResponse>;

export const activeCrawlsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    crawls: z.array(
      z.object({
        id: z.string(),
        teamId: z.string(),
        url: z.string(),
        created_at: z.string(),
        ...pauseFields,
        options: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
);

export type ActiveCrawlsResponse = z.output<typeof activeCrawlsResponse>;

export const crawlPreviewRequest = z.object({
  url: urlText('Set `url` to the page to start from.').describe('The page to start from.'),
  prompt: z
    .string({ error: 'Set `prompt` to a description of what to crawl.' })
    .min(1)
    .max(MAX_PROMPT_LENGTH)
    .describe('What to crawl, in plain words.'),
  zeroDataRetention: z.boolean().default(false).describe('Stores nothing of the pages that are read.'),
  ...clientFields,
});

export const crawlPreviewResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: optionsByName.describe('`url`, and the options that a model chose for the `prompt`.'),
    warning: z.string().optional(),
  }),
);

export type CrawlPreviewResponse = z.output<typeof crawlPreviewResponse>;
