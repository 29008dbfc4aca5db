// firecrawl_scrape: one page.
import { z } from 'zod';
import { documentFields, restOfPages, withEssentials } from '../../answer/document-output.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';
import { optional } from '../../input/lenient.ts';
import { scrapeFields, toScrapeOptions } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';
import { isResource, resourcePage } from './resource-page.ts';

const NO_CATALOGUE =
  'This server has no catalogue of data providers, so `alexandria` cannot be used. Set `url` to scrape a page, or use firecrawl_search to find one.';
const NO_URL = 'Set `url` to the page to scrape, for example { "url": "https://example.com" }.';

/** Arguments for data providers, which only the hosted service has. */
const catalogueFields = {
  requestId: optional(z.string().describe('Ignored.')),
  alexandria: optional(z.unknown().describe('Not available here.')),
  toolDetail: optional(z.string().describe('Ignored.')),
  domainTools: optional(z.boolean().describe('Ignored.')),
};

export const scrape = tool({
  name: 'firecrawl_scrape',
  title: 'Scrape a page',
  description:
    'Reads one page whose URL you know: as Markdown, or as HTML, links, screenshot, summary, an answer to a question, or JSON for a schema. ' +
    'To find pages use firecrawl_search; for many pages of a site firecrawl_crawl; for local files firecrawl_parse. ' +
    'Pages may come from a cache; maxAge 0 fetches them now. ' +
    'For single facts ask for JSON instead of the whole page: {"url": "...", "formats": ["json"], "jsonOptions": {"prompt": "The price", "schema": {...}}}.',
  input: z.object({
    url: optional(z.string().describe('Required. Also a trawl:// URI of an answer, for the rest of it.')),
    ...scrapeFields,
    timeout: optional(z.number().describe('Milliseconds.')),
    ...catalogueFields,
  }),
  output: z.looseObject(documentFields),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ url, requestId: _, alexandria, toolDetail: __, domainTools: ___, timeout, ...given }, context) {
    if (url === undefined) throw invalidArgument(alexandria === undefined ? NO_URL : NO_CATALOGUE);
    if (isResource(url)) return resourcePage(url, context);
    const body = { ...toScrapeOptions(given), url, ...(timeout !== undefined && { timeout }) };
    const { data, warning } = await context.api.call('scrape', { body, signal: context.signal });
    return fitAnswer(withWarning(data, warning), {
      maxAnswer: context.maxAnswer,
      essentials: withEssentials,
      linksTo: (shortened) => (given.zeroDataRetention ? [] : restOfPages([{ ...data, path: '' }], shortened)),
      advice: 'To get less, ask for other formats, such as json or query.',
    });
  },
});

/** The page itself, as clients of this tool know it, and not as the member of an answer. */
function withWarning<Page extends { warning?: string | undefined }>(page: Page, warning: string | undefined): Page {
  return warning === undefined ? page : { ...page, warning: page.warning ? `${page.warning} ${warning}` : warning };
}
