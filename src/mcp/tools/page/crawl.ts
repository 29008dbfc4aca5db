// firecrawl_crawl: the pages of a site.
import { z } from 'zod';
import type { SentBody } from '../../../contracts/route-types.ts';
import { orCancel } from '../../../runtime/wait-for-job.ts';
import { optional, required } from '../../input/lenient.ts';
import { scrapeOptionsArgument, toScrapeOptions, withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';
import { crawlAnswer, crawlOutput, waitForCrawl } from './crawl-answer.ts';

const flag = () => optional(z.boolean());
const count = () => optional(z.number());
const paths = () => optional(z.array(z.string()).describe('Regular expressions for the path.'));

export const crawl = tool({
  name: 'firecrawl_crawl',
  title: 'Crawl a site',
  description:
    'Reads many pages of a site, starting at `url` and following its links and sitemaps. Always set `limit`: answers are long. ' +
    'Waits up to 45 seconds; a crawl that takes longer goes on, and firecrawl_check_crawl_status returns its pages. Cancelling this call cancels the crawl. ' +
    'For a few known pages use firecrawl_scrape, to list URLs only firecrawl_map.',
  input: z.object({
    url: required(z.string()),
    prompt: optional(z.string().describe('What to crawl, in words, instead of the options below.')),
    includePaths: paths(),
    excludePaths: paths(),
    maxDiscoveryDepth: count(),
    sitemap: optional(z.enum(['skip', 'include', 'only'])),
    limit: optional(z.number().describe('Most pages. Default: 10000.')),
    allowExternalLinks: flag(),
    allowSubdomains: flag(),
    crawlEntireDomain: optional(z.boolean().describe('Also pages that are not below the path of `url`.')),
    delay: optional(z.number().describe('Seconds between pages.')),
    maxConcurrency: count(),
    webhook: optional(z.union([z.string(), z.looseObject({ url: z.string() })])),
    webhookHeaders: optional(z.record(z.string(), z.string())),
    deduplicateSimilarURLs: flag(),
    ignoreQueryParameters: flag(),
    scrapeOptions: scrapeOptionsArgument('How each page is read.'),
  }),
  output: crawlOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ url, webhook, webhookHeaders, scrapeOptions, ...given }, context) {
    const { api, signal } = context;
    const { zeroDataRetention, ...options } = toScrapeOptions(scrapeOptions ?? {});
    const target = typeof webhook === 'string' ? { url: webhook } : webhook;
    const body = withoutEmpty({
      ...given,
      zeroDataRetention,
      scrapeOptions: options,
      webhook: target && { headers: webhookHeaders ?? {}, ...target },
    });
    const { id } = await api.call('crawl', { body: { ...body, url } as SentBody<'crawl'>, signal });
    return orCancel(
      signal,
      async () => {
        await waitForCrawl(id, context);
        return crawlAnswer(id, 0, context);
      },
      (ending) => api.call('cancelCrawl', { params: { id }, signal: ending }),
    );
  },
});
