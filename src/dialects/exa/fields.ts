// What clients of Exa send. Fields that are not listed are ignored.
import { z } from 'zod';
import { jsonObject, MAX_URL_LENGTH, nameText, urlText } from '../../contracts/bounds.ts';

const MAX_QUERY = 20_000;
const MAX_RESULTS = 100;
const MAX_TEXT = 1_000_000;
const MAX_WORDS = 200;

const domains = z
  .array(z.string().max(MAX_URL_LENGTH))
  .max(1_200)
  .default([])
  .describe('Domains with their subdomains.');
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T.{0,40})?$/, 'Write dates as YYYY-MM-DD, with or without a time.')
  .optional();
const words = z.array(z.string().trim().min(1).max(MAX_WORDS)).max(5).default([]);
const length = z.int().min(1).max(MAX_TEXT).optional();
const query = z.string().max(10_000).optional();

const contents = {
  text: z
    .union([z.boolean(), z.object({ maxCharacters: length, includeHtmlTags: z.boolean().default(false) })])
    .optional()
    .describe('The Markdown of each page, at a credit each.'),
  highlights: z
    .union([
      z.boolean(),
      z.object({ query, maxCharacters: length, highlightsPerUrl: z.int().min(1).max(20).default(3) }),
    ])
    .optional()
    .describe('The passages that fit, at 4 credits a page.'),
  summary: z
    .union([
      z.boolean(),
      z.object({ query, schema: jsonObject('schema', { characters: 65_536, depth: 64 }).optional() }),
    ])
    .optional()
    .describe('A summary; with `query`, what the page says about it, at 4 credits a page.'),
  livecrawl: nameText.optional().describe('`always`: without the cache; `never`: only from it.'),
  livecrawlTimeout: z.int().min(1).max(300_000).optional().describe('Milliseconds for a page.'),
  maxAgeHours: z.number().min(-1).max(87_600).optional().describe('0: without the cache; -1: only from it.'),
  extras: z
    .object({ links: z.int().min(0).max(1_000).default(0), imageLinks: z.int().min(0).max(1_000).default(0) })
    .optional(),
  context: z.unknown().optional().describe('Adds the texts of all results as one.'),
  subpages: z.unknown().optional().describe('Ignored.'),
};

const contentsFields = z.object(contents);

const conditions = {
  numResults: z.int().min(1).max(MAX_RESULTS).default(10),
  includeDomains: domains,
  excludeDomains: domains,
  startPublishedDate: day,
  endPublishedDate: day,
  includeText: words.describe('Words that results have, in this order.'),
  excludeText: words,
  category: nameText.optional().describe('news, research paper, publication, pdf or github; others are ignored.'),
  userLocation: z
    .union([nameText, z.object({ country: nameText.optional() })])
    .optional()
    .describe('Two-letter code.'),
  moderation: z.boolean().default(false),
  contents: contentsFields
    .optional()
    .describe('What to read of each result; also beside it, as older clients send it.'),
  ...contents,
};

const text = z.string({ error: 'Set `query` to the text to search for.' }).max(MAX_QUERY);
const isStream = z.boolean().default(false).describe('Not served.');

export const searchFields = z.object({ query: text.describe('What to search for.'), ...conditions, stream: isStream });

export const similarFields = z.object({
  url: urlText('Set `url` to the page to find others like it.').describe('A page of the site to find others like it.'),
  excludeSourceDomain: z.boolean().default(false),
  ...conditions,
});

const urls = z.array(urlText('Set `urls` to the pages to read.')).max(MAX_RESULTS);

export const readFields = z.object({
  urls: urls.optional().describe(`Up to ${MAX_RESULTS} pages.`),
  ids: urls.optional().describe('The same, by the name that results have.'),
  ...contents,
});

export const answerFields = z.object({
  query: text.describe('What to answer.'),
  text: z.boolean().default(false).describe('Adds the text of the citations.'),
  stream: isStream,
});

export type Contents = z.output<typeof contentsFields>;
export type SearchConditions = Omit<z.output<typeof similarFields>, 'url' | 'excludeSourceDomain'>;
