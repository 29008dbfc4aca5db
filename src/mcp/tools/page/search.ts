// firecrawl_search: the web, with the content of the results if it is asked for.
import { z } from 'zod';
import type { SentBody } from '../../../contracts/route-types.ts';
import { pageOfMany, restOfPages, withEssentials } from '../../answer/document-output.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { scrapeOptionsArgument, toScrapeOptions, withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';

const SOURCES = ['web', 'images', 'news', 'alexandria', 'exchange'] as const;
const hosts = () => optional(z.array(z.string()));

const result = z.looseObject({
  ...pageOfMany,
  url: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});

const IGNORED_FILTER = '`filter` was ignored: use the operators of `query` or `tbs` instead.';

export const search = tool({
  name: 'firecrawl_search',
  title: 'Search the web',
  description:
    'Searches the web, news or images. Each result has a title, a URL and the passage that fits the query best; read a page with firecrawl_scrape if that is not enough. ' +
    'With `scrapeOptions` the pages of the results are read at once, which makes long answers: keep `limit` small. ' +
    'Operators: "exact phrase", -word, site:, inurl:, intitle:, filetype:. To find a page of one known site, firecrawl_map is better.',
  input: z.object({
    query: required(z.string()),
    limit: optional(z.number().describe('Results per source, 1 to 100. Default: 10.')),
    tbs: optional(z.string().describe('Age: qdr:h, d, w, m or y; or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY.')),
    filter: optional(z.string().describe('Ignored.')),
    location: optional(z.string().describe('For example "Berlin,Germany".')),
    collection: optional(z.string().describe('The name of a collection: only its pages answer.')),
    includeDomains: hosts(),
    excludeDomains: hosts(),
    sources: optional(z.array(z.union([z.enum(SOURCES), z.looseObject({ type: z.enum(SOURCES) })]))),
    categories: optional(z.array(z.union([z.string(), z.looseObject({ type: z.string() })]))).describe(
      'github, research, pdf.',
    ),
    enterprise: optional(z.array(z.enum(['default', 'anon', 'zdr']))),
    highlights: optional(z.boolean()),
    returns: optional(z.enum(['pages', 'chunks'])).describe(
      'chunks: adds `data.chunks`, the pieces of the found pages that fit the query best.',
    ),
    scrapeOptions: scrapeOptionsArgument('Reads the pages of the results.'),
    toolDetail: optional(z.string().describe('Ignored.')),
    domainTools: optional(z.boolean().describe('Ignored.')),
  }),
  output: z.looseObject({
    success: z.boolean(),
    id: z.string().optional(),
    creditsUsed: z.number().optional(),
    warning: z.string().optional(),
    data: z
      .looseObject({
        web: z.array(result).optional(),
        news: z.array(result).optional(),
        images: z.array(z.looseObject({})).optional(),
        chunks: z.array(z.looseObject({})).optional(),
      })
      .optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  async run({ query, filter, scrapeOptions, toolDetail: _, domainTools: __, ...given }, { api, signal, maxAnswer }) {
    const { zeroDataRetention, ...options } = toScrapeOptions(scrapeOptions ?? {});
    const body = { ...withoutEmpty({ ...given, zeroDataRetention, scrapeOptions: options }), query };
    const found = await api.call('search', { body: body as SentBody<'search'>, signal });
    const warning = [found.warning, filter && IGNORED_FILTER].filter(Boolean).join(' ');
    return fitAnswer(
      { ...found, ...(warning !== '' && { warning }) },
      {
        maxAnswer,
        essentials: (answer) => ({ ...answer, data: essentialsOf(answer.data) }),
        linksTo: (shortened) => (zeroDataRetention ? [] : restOfPages(pagesOf(found.data), shortened)),
        advice: 'To get less, lower `limit`, or leave out `scrapeOptions` and scrape the pages that you need.',
      },
    );
  },
});

interface Results {
  web?: Result[] | undefined;
  news?: Result[] | undefined;
  images?: unknown[] | undefined;
}

interface Result {
  metadata?: { scrapeId?: string | undefined; url?: string | undefined } | undefined;
}

function essentialsOf<Data extends Results>(data: Data): Data {
  const { web, news } = data;
  return { ...data, ...(web && { web: web.map(withEssentials) }), ...(news && { news: news.map(withEssentials) }) };
}

const pagesOf = ({ web = [], news = [] }: Results) => [
  ...web.map(({ metadata }, index) => ({ path: `.data.web[${index}]`, metadata })),
  ...news.map(({ metadata }, index) => ({ path: `.data.news[${index}]`, metadata })),
];
