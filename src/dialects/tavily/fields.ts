// What clients of Tavily send. Fields that are not listed are ignored.
import { z } from 'zod';
import { MAX_URL_LENGTH, nameText, urlText } from '../../contracts/bounds.ts';

const MAX_QUERY = 20_000;
/** As many as Tavily takes. */
export const MAX_EXTRACTED = 20;
const MAX_EXPRESSIONS = 100;
/** Its answer holds all pages at once. */
export const MAX_CRAWLED = 500;

const flag = z.boolean().default(false);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T.{0,40})?$/, 'Write dates as YYYY-MM-DD.')
  .optional();
const domains = (max: number) =>
  z.array(z.string().max(MAX_URL_LENGTH)).max(max).default([]).describe('Domains with their subdomains.');
const depth = z.enum(['basic', 'advanced', 'fast', 'ultra-fast']).default('basic');
const format = z.enum(['markdown', 'text']).default('markdown').describe('Both give Markdown.');
const chunks = (max: number) => z.int().min(1).max(max);
const favicon = flag.describe('Adds `favicon` to pages that were read.');
const usage = flag.describe('Adds `usage.credits`.');

export const searchFields = z.object({
  query: z.string({ error: 'Set `query` to the text to search for.' }).max(MAX_QUERY).describe('What to search for.'),
  search_depth: depth.describe('advanced: reads the pages for more passages, at 5 credits each; others are alike.'),
  topic: z.enum(['general', 'news', 'finance']).default('general').describe('finance is the same as general.'),
  max_results: z.int().min(0).max(20).default(5),
  time_range: z.enum(['day', 'week', 'month', 'year', 'd', 'w', 'm', 'y']).optional(),
  days: z.int().min(1).max(999).optional().describe('For news: not older than that.'),
  start_date: day,
  end_date: day,
  include_answer: z
    .union([z.boolean(), z.enum(['basic', 'advanced'])])
    .default(false)
    .describe('Adds `answer`, from the first results; without a language model, the passage that fits best.'),
  include_raw_content: z
    .union([z.boolean(), z.enum(['markdown', 'text'])])
    .default(false)
    .describe('Adds the Markdown of each page, at a credit each.'),
  include_images: flag.describe('Adds images of the same search, at the price of a second one.'),
  include_image_descriptions: flag,
  include_favicon: favicon,
  include_domains: domains(300),
  exclude_domains: domains(150),
  country: nameText.optional().describe('English name or code.'),
  language: nameText.optional(),
  chunks_per_source: chunks(5).default(3).describe('Passages of a page, with search_depth advanced.'),
  exact_match: flag.describe('Searches for these words in this order.'),
  safe_search: flag,
  auto_parameters: flag.describe('Ignored.'),
  include_usage: usage,
});

const url = urlText('Set `url` to a page of the site.');

export const extractFields = z.object({
  urls: z
    .union([url.transform((one) => [one]), z.array(url)], { error: 'Set `urls` to the pages to read.' })
    .refine(({ length }) => length >= 1 && length <= MAX_EXTRACTED, `Set \`urls\` to 1 to ${MAX_EXTRACTED} pages.`)
    .describe(`A URL, or a list of up to ${MAX_EXTRACTED}.`),
  extract_depth: z.enum(['basic', 'advanced']).default('basic').describe('Pages that need a browser get one.'),
  format,
  include_images: flag,
  include_favicon: favicon,
  query: z.string().max(10_000).optional().describe('Only the passages that fit it, at 4 credits a page.'),
  chunks_per_source: chunks(5).default(3).describe('Passages of a page, with `query`.'),
  timeout: z.number().min(1).max(60).default(30).describe('Seconds.'),
  include_usage: usage,
});

const expressions = z
  .array(z.string().max(1_000))
  .max(MAX_EXPRESSIONS)
  .default([])
  .describe('Regular expressions (RE2 syntax).');

const siteFields = {
  url,
  instructions: z.string().max(10_000).optional().describe('What is wanted of the site.'),
  max_depth: z.int().min(1).max(5).default(1).describe('Links between the page and the first one.'),
  max_breadth: z.int().min(1).max(500).optional().describe('Ignored: `limit` counts all pages.'),
  limit: z.int().min(1).default(50),
  select_paths: expressions,
  exclude_paths: expressions,
  select_domains: expressions,
  exclude_domains: expressions,
  allow_external: z.boolean().default(true),
  timeout: z.number().min(1).max(150).default(150).describe('Seconds, after which it answers with what there is.'),
  include_usage: usage,
};

export const crawlFields = z.object({
  ...siteFields,
  extract_depth: extractFields.shape.extract_depth,
  format,
  include_images: flag,
  include_favicon: favicon,
  chunks_per_source: chunks(5)
    .optional()
    .describe('With `instructions`: only that many passages of each page, at 4 credits a page.'),
});

export const mapFields = z.object(siteFields);

export type SearchFields = z.output<typeof searchFields>;
export type SiteFields = z.output<typeof mapFields>;
