// POST /v2/search: request and response.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { searchedCollection } from '../collection/collection-name.ts';
import { foundChunk } from '../formats/chunk.ts';
import { formats } from '../formats/formats.ts';
import { hostnames } from '../hostname.ts';
import { optionalText } from '../optional-text.ts';
import { document, documentMetadata } from '../scrape/document.ts';
import { optionalCountry } from '../scrape/location.ts';
import { clientFields } from '../scrape/scrape.ts';
import {
  applyDependentOptions,
  checkTogether,
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  scrapeOptionFields,
} from '../scrape/scrape-options.ts';
import { domainAction } from '../team/domain-ranking.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { CATEGORIES, type Category, SOURCES, type Source } from './search-query.ts';

export const MAX_QUERY_LENGTH = 500;
export const DEFAULT_SEARCH_LIMIT = 10;
export const MAX_SEARCH_LIMIT = 100;
const MAX_SEARCH_MS = 600_000;
/** Sources and categories. Newer clients may name some that this server does not know. */
const MAX_NAMED = 50;

export const tbs = optionalText(z.string().max(200));
const locationText = optionalText(z.string().max(500));
export const lang = optionalText(z.string().max(35));

const named = <Fields extends z.ZodRawShape>(known: readonly string[], fields: Fields) => {
  const name = nameText.meta({ examples: known });
  return z.union([name.transform((type) => ({ type })), z.object({ type: name.describe('Its name.'), ...fields })]);
};

interface SourceObject {
  type: Source;
  tbs?: string;
  location?: string;
  country?: string;
  lang?: string;
}

const sourceFields = {
  tbs: tbs.describe('As `tbs` of the request, for this source.'),
  location: locationText.describe('As `location` of the request, for this source.'),
  country: optionalCountry.describe('As `country` of the request, for this source.'),
  lang: lang.describe('As `lang` of the request, for this source.'),
};

/** Without a known source the web is searched: newer clients request sources that only other servers have. */
const sources = z
  .array(named(SOURCES, sourceFields))
  .max(MAX_NAMED)
  .transform((list) => {
    const isKnown = (source: { type: string }): source is SourceObject =>
      (SOURCES as readonly string[]).includes(source.type);
    const known = list.filter(isKnown);
    const unknown = list.filter((source) => !isKnown(source)).map(({ type }) => type);
    return { known, unknown: [...new Set(unknown)] };
  });

const categories = z
  .array(named(CATEGORIES, {}))
  .max(MAX_NAMED)
  .transform((list) => {
    const types = [...new Set(list.map(({ type }) => type))];
    const isKnown = (type: string): type is Category => (CATEGORIES as readonly string[]).includes(type);
    return { known: types.filter(isKnown), unknown: types.filter((type) => !isKnown(type)) };
  });

// Results are scraped only if formats are requested.
const resultScrapeOptions = z
  .object({
    ...scrapeOptionFields,
    formats: formats.default(() => []).describe('What to return of each result; nothing by default.'),
    timeout: scrapeOptionFields.timeout
      .unwrap()
      .max(MAX_TIMEOUT_MS)
      .optional()
      .meta({ whenAbsent: DEFAULT_TIMEOUT_MS })
      .describe('Milliseconds for a page.'),
  })
  .superRefine(checkTogether)
  .transform(applyDependentOptions);

export const returns = z
  .enum(['pages', 'chunks'])
  .default('pages')
  .describe('`chunks`: adds the chunks of the found pages that fit the query best, as `data.chunks`.');

export const searchRequest = z
  .object({
    query: z
      .string({ error: 'Set `query` to the text to search for, for example { "query": "embedded databases" }.' })
      // Characters outside the basic plane count once below and twice here.
      .max(2 * MAX_QUERY_LENGTH, `\`query\` must have at most ${MAX_QUERY_LENGTH} characters.`)
      .refine((text) => text.trim() !== '', '`query` must not be empty.')
      .refine((text) => Array.from(text).length <= MAX_QUERY_LENGTH, {
        error: `\`query\` must have at most ${MAX_QUERY_LENGTH} characters.`,
      })
      .meta({ maxLength: MAX_QUERY_LENGTH })
      .describe(
        'May contain the operators "", -, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize: and larger:.',
      ),
    limit: z
      .int()
      .min(1)
      .max(MAX_SEARCH_LIMIT)
      .default(DEFAULT_SEARCH_LIMIT)
      .describe('Maximum number of results per source.'),
    sources: sources
      .default(() => ({ known: [], unknown: [] }))
      .meta({ whenAbsent: [{ type: 'web' }] })
      .describe('web, news, images; as strings or as objects with `type`.'),
    categories: categories
      .default(() => ({ known: [], unknown: [] }))
      .meta({ whenAbsent: [] })
      .describe('Limits results to these categories: github, research, pdf.'),
    country: optionalCountry
      .meta({ whenAbsent: 'US' })
      .describe('Preferred country. Default: the country in `location`, else US.'),
    location: locationText.describe('A place in words, for example Berlin, Germany.'),
    lang: lang.describe('Preferred language, for example "de". A country does not imply one.'),
    tbs: tbs.describe('qdr:h|d|w|m|y, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 sorts by date.'),
    includeDomains: hostnames.default(() => []).describe('Only results of these hosts and their subdomains.'),
    excludeDomains: hostnames.default(() => []).describe('No results of these hosts and their subdomains.'),
    collection: searchedCollection,
    highlights: z
      .boolean()
      .default(true)
      .describe('Replaces the description with the passage that fits the query best.'),
    returns,
    ignoreInvalidURLs: z.boolean().default(false).describe('Leaves out results that cannot be scraped.'),
    scrapeOptions: resultScrapeOptions
      .default(() => resultScrapeOptions.parse({}))
      .meta({ whenAbsent: {} })
      .describe('How results are scraped. They are if this has `formats`.'),
    asyncScraping: z
      .boolean()
      .default(false)
      .describe(
        'Answers at once, with `scrapeIds` instead of the scraped content. Each is read by GET /v2/scrape/{id}.',
      ),
    enterprise: z
      .array(z.enum(['default', 'anon', 'zdr']))
      .max(10)
      .default(() => [])
      .describe('`anon`: neither the query nor who sent it is stored; `zdr`: nothing is stored, logged or indexed.'),
    zeroDataRetention: z.boolean().default(false).describe('The same as `zdr` in `enterprise`.'),
    threatProtection: threatProtection.optional(),
    safe: z.boolean().optional().describe('Asks providers to filter adult content.'),
    timeout: z
      .int()
      .min(1)
      .default(DEFAULT_TIMEOUT_MS)
      .transform((ms) => Math.min(ms, MAX_SEARCH_MS))
      .describe('Milliseconds; answers 408 if the search takes longer. More than ten minutes count as ten.'),
    explain: z
      .boolean()
      .default(false)
      .describe('Adds which provider returned each result, what was dropped and why, and how long each step took.'),
    ...clientFields,
  })
  .superRefine(({ includeDomains, excludeDomains }, context) => {
    if (includeDomains.length > 0 && excludeDomains.length > 0) {
      const message = 'Set `includeDomains` or `excludeDomains`, not both.';
      context.addIssue({ code: 'custom', path: ['excludeDomains'], message });
    }
  });

export type SearchRequest = z.output<typeof searchRequest>;

const given = z.object({ provider: z.string(), rank: z.int() });
const more = {
  tlsVerified: z
    .literal(false)
    .optional()
    .describe('The index knows the page only from a connection with an invalid certificate.'),
  explain: z
    .object({
      providers: z.array(given),
      parts: z
        .array(z.object({ part: z.enum(['ranks', 'meaning']), value: z.number() }))
        .optional()
        .describe(
          'What results are ordered by, if they were also ranked by meaning. `ranks`: where the providers put it. `meaning`: how near title and description are to the query.',
        ),
      ranking: domainAction.optional(),
    })
    .optional(),
};

/** With `scrapeOptions.formats`, a result has the fields of a Document. After a failed scrape it has only metadata. */
const scraped = () => ({
  ...document.unwrap().partial().shape,
  metadata: documentMetadata.unwrap().partial().optional(),
});

export const webResult = z.lazy(() =>
  z.object({
    ...scraped(),
    url: z.string(),
    title: z.string(),
    description: z.string(),
    position: z.int(),
    category: z.enum(['github', 'research']).optional(),
    ...more,
  }),
);

export const newsResult = z.lazy(() =>
  z.object({
    ...scraped(),
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    date: z.string().optional(),
    imageUrl: z.string().optional(),
    position: z.int(),
    ...more,
  }),
);

export const imageResult = z.lazy(() =>
  z.object({
    title: z.string(),
    imageUrl: z.string(),
    imageWidth: z.int().optional(),
    imageHeight: z.int().optional(),
    url: z.string(),
    position: z.int(),
    ...more,
  }),
);

const explanation = z.lazy(() =>
  z.object({
    providers: z.array(
      z.object({
        source: z.enum(SOURCES),
        provider: z.string(),
        state: z.enum(['answered', 'failed', 'timed-out', 'resting']),
        results: z.int(),
        requests: z.int(),
        ms: z.number(),
        problem: z.string().optional(),
      }),
    ),
    dropped: z.array(
      z.object({ source: z.enum(SOURCES), provider: z.string(), rank: z.int(), url: z.string(), reason: z.string() }),
    ),
    blocked: z.int().optional().describe('How many results the threat policy, or the domains of the key, removed.'),
    timing: z.record(z.string(), z.number()).describe('Milliseconds per step.'),
  }),
);

/** With `asyncScraping`: the IDs of the scrapes, in the order of the results. Images are not scraped. */
const scrapeIds = z.lazy(() =>
  z.object({
    web: z.array(z.string()).optional(),
    news: z.array(z.string()).optional(),
  }),
);

export const searchResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    creditsUsed: z.int(),
    suggestion: z
      .string()
      .optional()
      .describe('Another query that finds clearly more pages of the own index, if a word looks like a typing mistake.'),
    warning: z.string().optional(),
    scrapeIds: scrapeIds.optional(),
    data: z.object({
      web: z.array(webResult).optional(),
      news: z.array(newsResult).optional(),
      images: z.array(imageResult).optional(),
      chunks: z.array(foundChunk).optional().describe('The best chunks of all results, with `returns`.'),
    }),
    explain: explanation.optional(),
  }),
);

export type ScrapeIds = z.output<typeof scrapeIds>;
export type SearchExplanation = z.output<typeof explanation>;
