// POST /v2/index/search: request and response. Searches only the own index, for people who look at what is in it.
import { z } from 'zod';
import { searchedCollection } from '../collection/collection-name.ts';
import { foundChunk } from '../formats/chunk.ts';
import { hostnames } from '../hostname.ts';
import { optionalCountry } from '../scrape/location.ts';
import { domainAction } from '../team/domain-ranking.ts';
import { lang, MAX_QUERY_LENGTH, returns, tbs } from './search.ts';

const MAX_INDEX_LIMIT = 50;
const MAX_INDEX_OFFSET = 500;
const MAX_CHOICES = 20;

const language = z
  .string()
  .max(8)
  .regex(/^(?:[a-z]{2}|und)$/, 'Write a language as two lower-case letters, for example "de", or "und" for unknown.');
const kind = z
  .string()
  .max(10)
  .regex(/^[a-z0-9]{1,10}$/, 'Write a kind as in the facets, for example "page", "news" or "pdf".');

export const indexSearchRequest = z.object({
  query: z
    .string()
    // Characters outside the basic plane count once below and twice here.
    .max(2 * MAX_QUERY_LENGTH, `\`query\` must have at most ${MAX_QUERY_LENGTH} characters.`)
    .refine((text) => Array.from(text).length <= MAX_QUERY_LENGTH, {
      error: `\`query\` must have at most ${MAX_QUERY_LENGTH} characters.`,
    })
    .default('')
    .meta({ maxLength: MAX_QUERY_LENGTH })
    .describe('Words and operators, as in POST /v2/search. Without any, all pages are listed.'),
  typing: z
    .boolean()
    .default(false)
    .describe('The query is still being typed: its last word also finds words that begin with it.'),
  mode: z
    .enum(['hybrid', 'words', 'meaning'])
    .default('hybrid')
    .describe(
      'What pages are ranked by: their words, what they mean, or both. A query that is being typed is ranked by words unless `meaning` is asked for.',
    ),
  returns,
  collection: searchedCollection.describe('Only pages of this collection.'),
  includeDomains: hostnames.default(() => []).describe('Only pages of these hosts and their subdomains.'),
  languages: z
    .array(language)
    .max(MAX_CHOICES)
    .default(() => [])
    .describe('Only pages in these languages; `und` stands for pages whose language is unknown.'),
  kinds: z
    .array(kind)
    .max(MAX_CHOICES)
    .default(() => [])
    .describe('Only `page`, `news`, or files of a type, such as `pdf`.'),
  tbs: tbs.describe('Time and order, as in POST /v2/search: qdr:d, cdr:1,cd_min:MM/DD/YYYY, sbd:1 ...'),
  lang: lang.describe('Preferred language; without it English.'),
  country: optionalCountry.meta({ whenAbsent: 'US' }).describe('Preferred country.'),
  offset: z
    .int()
    .min(0)
    .max(MAX_INDEX_OFFSET)
    .default(0)
    .describe('How many of the best pages to skip; `nextOffset` of the previous answer.'),
  limit: z.int().min(1).max(MAX_INDEX_LIMIT).default(10).describe('Maximum number of pages.'),
  facets: z.boolean().default(true).describe('Whether to count hosts, languages, kinds and dates.'),
  explain: z.boolean().default(false).describe('Adds what the score of each page consists of.'),
});
export type IndexSearchRequest = z.output<typeof indexSearchRequest>;

const segment = z.lazy(() =>
  z.object({
    text: z.string(),
    isMatch: z.boolean().describe('Whether it is a word of the query.'),
  }),
);
const marked = z.array(segment);

const scorePart = z.lazy(() =>
  z.object({
    part: z
      .enum([
        'word',
        'allWords',
        'proximity',
        'meaning',
        'similarity',
        'quality',
        'links',
        'frontPage',
        'depth',
        'language',
        'country',
        'freshness',
        'siteName',
      ])
      .describe(
        '`word`: a word of the query. `allWords`: the page has all of them. `proximity`: they are close together. `meaning`: what the page is about is what the query is about. `similarity`: the page is like the site of `related:`. `quality`: of its main content. `links`: from other hosts. `frontPage` and `depth`: of its address. `language`, `country`: as preferred. `freshness`: its age. `siteName`: the query names its host.',
      ),
    value: z.number().describe('What it adds to the score. All values together are the score, except for rounding.'),
    word: z.string().optional().describe('The word.'),
    pages: z.int().optional().describe('How many pages have the word.'),
    occurrences: z
      .object({
        title: z.int().optional(),
        headings: z.int().optional(),
        body: z.int().optional(),
        url: z.int().optional(),
        anchors: z.int().optional().describe('In the texts of links that lead to the page.'),
      })
      .optional()
      .describe('How often the word occurs, by field. Headings are also part of the body.'),
  }),
);

const hit = z.lazy(() =>
  z.object({
    url: z.string(),
    title: z.string(),
    host: z.string(),
    language: z.string().describe('Two letters; `und` if unknown.'),
    kind: z.string().describe('`page`, `news`, or the type of a file.'),
    fileType: z.string().describe('As a file extension.'),
    date: z.string().describe('When the page was published; if it does not say, when it was first fetched.'),
    isPublished: z.boolean().describe('Whether the page states its date.'),
    tlsVerified: z.literal(false).optional().describe('Fetched over a connection with an invalid certificate.'),
    marked: z.object({
      title: marked,
      passages: z
        .array(marked)
        .describe('The passages that fit best. Without words in the query, how the page begins.'),
    }),
    score: z.number().optional().describe('Absent if the pages are ordered by date.'),
    explain: z
      .object({
        parts: z.array(scorePart),
        isMovedDown: z
          .boolean()
          .describe('Ranks behind pages with a lower score, because three pages of its host come before it.'),
        ranking: domainAction.optional(),
      })
      .optional(),
  }),
);

const facet = z.array(z.object({ value: z.string(), pages: z.int() }));
const totalIs = z
  .enum(['exact', 'about', 'atLeast'])
  .describe('`about`: some of the pages may repeat others. `atLeast`: counting ended there.');

export const indexSearchResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      hits: z.array(hit),
      chunks: z.array(foundChunk).optional().describe('The best chunks of the hits, with `returns`.'),
      total: z.int(),
      totalIs,
      nextOffset: z.int().optional().describe('Present if there are more.'),
      isManual: z.boolean().describe('Only chapters of the manual of this service were found.'),
      blocked: z.int().optional().describe('How many pages the threat policy, or the domains of the key, removed.'),
      facets: z
        .object({
          hosts: facet,
          languages: facet,
          kinds: facet,
          dates: facet.describe('Of the last day, week, month and year; `value` can be sent as `tbs`.'),
        })
        .optional()
        .describe('The most frequent values. Each list is counted as if it had no filter itself.'),
      query: z.object({
        text: z.string().describe('The query without invisible characters and superfluous spaces.'),
        order: z
          .enum(['words', 'meaning', 'date', 'rank', 'similarity'])
          .describe('What the pages are ordered by. `rank` is the part of the score that does not depend on words.'),
        conditions: z
          .array(
            z.object({
              kind: z.string(),
              negated: z.boolean(),
              text: z.string().describe('As typed.'),
              start: z.int().describe('Where it begins in `text`, in UTF-16 code units.'),
              end: z.int(),
              isIgnored: z.boolean().describe('It applies to images only.'),
            }),
          )
          .describe('The operators, phrases and exclusions of the query.'),
        words: z.array(
          z.object({
            text: z.string(),
            terms: z.array(z.string()).describe('The forms that were looked for.'),
            completions: z.array(z.string()).optional().describe('Terms that begin with a word that is being typed.'),
            pages: z.int().describe('How many pages have it.'),
            isIgnored: z.boolean().describe('A word that is too common to look for beside others.'),
          }),
        ),
      }),
      relaxed: z
        .array(
          z.object({
            condition: z.string().describe('The text of a condition, or the name of a field of the request.'),
            isFilter: z.boolean().describe('Whether it is a field of the request.'),
            query: z.string().describe('The query without it.'),
            total: z.int(),
            totalIs,
          }),
        )
        .optional()
        .describe('If nothing was found: how many pages there are without each of the conditions, the most first.'),
      suggestion: z
        .string()
        .optional()
        .describe('Another query that finds clearly more, if a word of this one looks like a typing mistake.'),
      ms: z.number().describe('How long the search took.'),
    }),
  }),
);
export type IndexSearchResponse = z.output<typeof indexSearchResponse>;
