// firecrawl_scrape: one page.
import { z } from 'zod';
import { documentFields, restOfPages, withEssentials } from '../../answer/document-output.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';
import { optional } from '../../input/lenient.ts';
import { scrapeFields, toScrapeOptions } from '../../input/scrape-arguments.ts';
import { findResource } from '../../resources/resources.ts';
import { type ToolAnswer, type ToolContext, tool } from '../../tool.ts';

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

/** A text becomes longer as JSON, in most cases by less than this. */
const JSON_GROWTH = 4 / 3;
/** A text that is JSON itself has many quotes, each of which becomes two characters. */
const DENSE_GROWTH = 2.1;

const isResource = (url: string): boolean => url.startsWith('trawl://');

/** A resource as a page: assistants that cannot read resources scrape the URIs that answers link to. */
export async function resourcePage(uri: string, context: ToolContext): Promise<ToolAnswer> {
  const { api, signal, maxAnswer } = context;
  const found = findResource(uri);
  if (!found) throw invalidArgument(`There is no resource ${uri.slice(0, 200)}. Use a URI that an answer linked to.`);
  const pageOf = async (growth: number) => {
    const texts = await found.kind.read(found.variables, { api, signal, maxAnswer: Math.floor(maxAnswer / growth) });
    return { markdown: texts.map(({ text }) => text).join('\n\n'), metadata: { url: uri } };
  };
  const page = await pageOf(JSON_GROWTH);
  // What is read has to fit, because it ends with the URI of the next part.
  const isWhole = JSON.stringify(page).length <= maxAnswer;
  return fitAnswer(isWhole ? page : await pageOf(DENSE_GROWTH), { maxAnswer });
}
