// POST /v2/search: what can be asked, and what comes back.
import { z } from 'zod';
import { formats } from './formats.ts';
import { country } from './location.ts';
import { clientFields } from './scrape.ts';
import { checkTogether, DEFAULT_TIMEOUT_MS, scrapeOptionFields, settle } from './scrape-options.ts';
import { CATEGORIES, type Category, SOURCES, type Source } from './search-query.ts';
import { threatProtection } from './threat-protection.ts';

export const MAX_QUERY_LENGTH = 500;
export const DEFAULT_SEARCH_LIMIT = 10;
export const MAX_SEARCH_LIMIT = 100;

const tbs = z.string().max(200);
const place = z.string().max(500);

const named = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.union([z.string().transform((type) => ({ type })), z.object({ type: z.string(), ...fields })]);

interface SourceObject {
  type: Source;
  tbs?: string;
  location?: string;
}

const WEB: SourceObject = { type: 'web' };

/** Newer clients ask for sources that only other servers have: those are passed over. */
const sources = z.array(named({ tbs: tbs.optional(), location: place.optional() })).transform((list) => {
  const known = list.filter((source): source is SourceObject => (SOURCES as readonly string[]).includes(source.type));
  return known.length > 0 ? known : [WEB];
});

const categories = z.array(named({})).transform((list) => {
  const types = [...new Set(list.map(({ type }) => type))];
  const isKnown = (type: string): type is Category => (CATEGORIES as readonly string[]).includes(type);
  return { known: types.filter(isKnown), unknown: types.filter((type) => !isKnown(type)) };
});

/** A host as it stands in a URL, and nothing around it. */
const hostname = z.string().transform((text, context) => {
  const name = text.trim().toLowerCase();
  const url = /^[^\s/:@?#\\*[\]]+$/.test(name) ? URL.parse(`http://${name}/`) : null;
  if (url && url.hostname !== '') return url.hostname.replace(/\.$/, '');
  context.addIssue({
    code: 'custom',
    message: `'${text.slice(0, 100)}' is not a hostname: write only the host, for example "example.com", without protocol, port or path.`,
  });
  return z.NEVER;
});
const hostnames = z.array(hostname).max(300);

// Nothing is scraped unless formats are asked for.
const resultScrapeOptions = z
  .object({ ...scrapeOptionFields, formats: formats.default(() => []) })
  .superRefine(checkTogether)
  .transform(settle);

export const searchRequest = z
  .object({
    query: z
      .string({ error: 'Give what to search for as `query`, for example { "query": "embedded databases" }.' })
      .refine((text) => text.trim() !== '', 'The query is empty.')
      .refine((text) => Array.from(text).length <= MAX_QUERY_LENGTH, {
        error: `The query must have at most ${MAX_QUERY_LENGTH} characters.`,
      })
      .describe(
        'May hold the operators "", -, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize: and larger:.',
      ),
    limit: z.int().min(1).max(MAX_SEARCH_LIMIT).default(DEFAULT_SEARCH_LIMIT).describe('Of each source.'),
    sources: sources.default(() => [WEB]).describe('web, news, images; as strings or as objects with `type`.'),
    categories: categories
      .default(() => ({ known: [], unknown: [] }))
      .describe('github, research, pdf: only results of one of these.'),
    country: country.optional().describe('Preferred country; US unless `location` names another.'),
    location: place.optional(),
    lang: z.string().max(35).optional().describe('The language to ask providers in, for example "de".'),
    tbs: tbs.optional().describe('qdr:h|d|w|m|y, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 sorts by date.'),
    includeDomains: hostnames.default(() => []),
    excludeDomains: hostnames.default(() => []),
    highlights: z.boolean().default(true).describe('The best passage for the query in place of the description.'),
    ignoreInvalidURLs: z.boolean().default(false).describe('Leaves out results that could not be scraped.'),
    scrapeOptions: resultScrapeOptions.default(() => resultScrapeOptions.parse({})),
    enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).default(() => []),
    zeroDataRetention: z.boolean().default(false).describe('The same as `zdr` in `enterprise`.'),
    threatProtection: threatProtection.optional(),
    safe: z.boolean().optional().describe('Asks providers to leave out what is not safe for work.'),
    timeout: z
      .int()
      .min(1)
      .max(600_000)
      .default(DEFAULT_TIMEOUT_MS)
      .describe('Milliseconds; 408 when there is no answer by then.'),
    explain: z
      .boolean()
      .default(false)
      .describe('Adds who gave each result, what was left out and why, and how long it took.'),
    ...clientFields,
  })
  .superRefine(({ includeDomains, excludeDomains }, context) => {
    if (includeDomains.length > 0 && excludeDomains.length > 0) {
      const message = 'Give includeDomains or excludeDomains, not both.';
      context.addIssue({ code: 'custom', path: ['excludeDomains'], message });
    }
  });

export type SearchRequest = z.output<typeof searchRequest>;

const given = z.object({ provider: z.string(), rank: z.int() });
const explained = { explain: z.object({ providers: z.array(given) }).optional() };

const webResult = z
  .object({
    url: z.string(),
    title: z.string(),
    description: z.string(),
    position: z.int(),
    category: z.enum(['github', 'research']).optional(),
    ...explained,
  })
  .catchall(z.unknown())
  .describe('With `scrapeOptions.formats`, the fields of a Document are beside these.');

const newsResult = z
  .object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    date: z.string().optional(),
    imageUrl: z.string().optional(),
    position: z.int(),
    ...explained,
  })
  .catchall(z.unknown());

const imageResult = z.object({
  title: z.string(),
  imageUrl: z.string(),
  imageWidth: z.int().optional(),
  imageHeight: z.int().optional(),
  url: z.string(),
  position: z.int(),
  ...explained,
});

const explanation = z.object({
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
  timing: z.record(z.string(), z.number()).describe('Milliseconds of each step.'),
});

export const searchResponse = z.object({
  success: z.literal(true),
  id: z.string(),
  creditsUsed: z.int(),
  warning: z.string().optional(),
  data: z.object({
    web: z.array(webResult).optional(),
    news: z.array(newsResult).optional(),
    images: z.array(imageResult).optional(),
  }),
  explain: explanation.optional(),
});

export type SearchExplanation = z.output<typeof explanation>;
