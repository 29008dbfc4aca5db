// What a monitor watches: single pages, a site, or the results of searches.
import { z } from 'zod';
import { urlText } from '../bounds.ts';
import { crawlOptionFields } from '../crawl/crawl.ts';
import { checkFormats, type Format, formatList } from '../formats/formats.ts';
import { hostname } from '../hostname.ts';
import { applyDependentOptions, checkTogether, scrapeOptionFields } from '../scrape/scrape-options.ts';

const MAX_TARGETS = 50;
const MAX_URLS = 1_000;
const MAX_QUERIES = 12;
const MAX_MONITOR_QUERY_LENGTH = 256;
const MAX_DOMAINS = 50;
const MAX_RESULTS = 50;

export const SEARCH_WINDOWS = ['5m', '15m', '1h', '6h', '24h', '7d'] as const;
export type SearchWindow = (typeof SEARCH_WINDOWS)[number];

const id = z
  .uuid('`id` must be a UUID. Leave it out for a new target.')
  .max(36)
  .toLowerCase()
  .optional()
  .describe('Send it with a PATCH, so that the next check compares with the pages that the target knows.');

// Versions of a page are compared by their Markdown, so it is always made.
const withMarkdown = (list: Format[]): Format[] =>
  list.some(({ type }) => type === 'markdown') ? list : [{ type: 'markdown' }, ...list];

const watchedOptions = z
  .object({
    ...scrapeOptionFields,
    formats: formatList
      .transform(withMarkdown)
      .superRefine(checkFormats)
      .default(() => [{ type: 'markdown' as const }])
      .describe('The format markdown is added if it is missing.'),
    maxAge: z
      .int()
      .min(0)
      .default(0)
      .describe('A check fetches every page again, unless this accepts a cached copy of that many milliseconds.'),
  })
  .superRefine(checkTogether)
  .transform(applyDependentOptions);

export const targetScrapeOptions = watchedOptions
  .default(() => watchedOptions.parse({}))
  .meta({ whenAbsent: {} })
  .describe('How each page is scraped.');
const crawlOptions = z.object(crawlOptionFields);
const watchedUrl = urlText('Write each URL as a text, for example "https://example.com/pricing".');

const scrapeTarget = z
  .object({
    id,
    type: z.literal('scrape'),
    urls: z.array(watchedUrl).min(1).max(MAX_URLS).optional().describe('The pages to watch.'),
    url: watchedUrl.optional().describe('The same as `urls` with one entry.'),
    scrapeOptions: targetScrapeOptions,
  })
  .transform(({ url, urls = [], ...target }, context) => {
    const all = [...new Set([...urls, ...(url === undefined ? [] : [url])])];
    if (all.length > 0) return { ...target, urls: all };
    context.addIssue({ code: 'custom', path: ['urls'], message: 'A scrape target needs `urls`: the pages to watch.' });
    return z.NEVER;
  });

const crawlTarget = z.object({
  id,
  type: z.literal('crawl'),
  url: urlText('A crawl target needs `url`: the page to start from.').describe('The page to start from.'),
  crawlOptions: crawlOptions
    .default(() => crawlOptions.parse({}))
    .meta({ whenAbsent: {} })
    .describe('Which pages of the site are read.'),
  scrapeOptions: targetScrapeOptions,
});

const domains = z
  .array(hostname)
  .max(MAX_DOMAINS)
  .default(() => []);

const searchTarget = z
  .object({
    id,
    type: z.literal('search'),
    queries: z
      .array(
        z
          .string()
          .max(MAX_MONITOR_QUERY_LENGTH)
          .refine((text) => text.trim() !== '', 'A query must not be empty.'),
        { error: 'A search target needs `queries`: the texts to search for.' },
      )
      .min(1, '`queries` must have at least one entry.')
      .max(MAX_QUERIES, `\`queries\` must have at most ${MAX_QUERIES} entries.`)
      .describe('The texts to search for.'),
    searchWindow: z.enum(SEARCH_WINDOWS).default('24h').describe('How old results may be.'),
    maxResults: z
      .int()
      .min(1)
      .max(MAX_RESULTS)
      .default(10)
      .describe('Maximum number of results of all queries together.'),
    includeDomains: domains.describe('Only results of these hosts.'),
    excludeDomains: domains.describe('No results of these hosts.'),
  })
  .superRefine(({ includeDomains, excludeDomains }, context) => {
    if (includeDomains.length === 0 || excludeDomains.length === 0) return;
    const message = 'Set `includeDomains` or `excludeDomains`, not both.';
    context.addIssue({ code: 'custom', path: ['excludeDomains'], message });
  });

export const targets = z
  .array(z.discriminatedUnion('type', [scrapeTarget, crawlTarget, searchTarget]), {
    error:
      'Set `targets` to what the monitor watches, for example [{ "type": "scrape", "urls": ["https://example.com"] }].',
  })
  .min(1, '`targets` must have at least one entry.')
  .max(MAX_TARGETS, `\`targets\` must have at most ${MAX_TARGETS} entries.`)
  .superRefine((list, context) => {
    const ids = list.flatMap((target) => target.id ?? []);
    if (new Set(ids).size === ids.length) return;
    context.addIssue({ code: 'custom', message: 'Two targets have the same `id`. Leave it out for a new target.' });
  })
  .describe('What the monitor watches: pages, a site, or searches.');

export type GivenTarget = z.output<typeof targets>[number];
type Stored<Type extends GivenTarget['type']> = Extract<GivenTarget, { type: Type }> & { id: string };

export type ScrapeTarget = Stored<'scrape'>;
export type CrawlTarget = Stored<'crawl'>;
export type SearchTarget = Stored<'search'>;
export type MonitorTarget = ScrapeTarget | CrawlTarget | SearchTarget;

/** The options of a target for which none are given. */
export const optionDefaults = () => ({ scrapeOptions: watchedOptions.parse({}), crawlOptions: crawlOptions.parse({}) });
