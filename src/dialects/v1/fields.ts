// What the calls of v1 take that is called otherwise today. Other fields are those of the same call under /v2.
import { z } from 'zod';
import { urlText } from '../../contracts/bounds.ts';

const MAX_QUERY = 20_000;
const MAX_SOURCES = 50;
const anyObject = z.record(z.string(), z.unknown());

export const scrapeFields = z.looseObject({
  url: urlText('Set `url`.').describe('The page to scrape; `http://` is put in front of one without a scheme.'),
  formats: z
    .array(z.string())
    .default(['markdown'])
    .describe(
      'Names: markdown, html, rawHtml, links, screenshot, screenshot@fullPage, json, extract, summary, changeTracking.',
    ),
  jsonOptions: anyObject.optional().describe('`schema` and `prompt` of the format `json`.'),
  extract: anyObject.optional().describe('The same of the format `extract`.'),
  changeTrackingOptions: anyObject.optional().describe('`modes`, `schema`, `prompt` and `tag` of `changeTracking`.'),
  parsePDF: z.boolean().default(true),
  maxAge: z.int().default(0).describe('Without it, the cache is not used.'),
  timeout: z.int().default(30_000),
});

const { formats, jsonOptions, extract, parsePDF, timeout } = scrapeFields.shape;

export const batchFields = z.looseObject({
  urls: z.array(z.string()),
  ...{ formats, jsonOptions, extract, parsePDF, timeout },
  ignoreInvalidURLs: z.boolean().default(false),
});

export const crawlFields = z.looseObject({
  url: z.string(),
  maxDepth: z.int().min(0).default(10).describe('How many parts the path of a page may have, counted from the root.'),
  ignoreSitemap: z.boolean().default(false),
  allowBackwardLinks: z.boolean().default(false).describe('As `crawlEntireDomain`.'),
  scrapeOptions: anyObject.optional().describe('As in a scrape.'),
});

export const mapFields = z.looseObject({
  url: z.string(),
  search: z.string().optional(),
  ignoreSitemap: z.boolean().default(false),
  sitemapOnly: z.boolean().default(false),
});

export const searchFields = z.looseObject({
  query: z.string({ error: 'Set `query` to the text to search for.' }).max(MAX_QUERY),
  limit: z.int().min(1).max(100).default(5),
  sources: z.array(z.unknown()).max(MAX_SOURCES).optional(),
  lang: z.string().default('en'),
  country: z.string().default('us'),
  scrapeOptions: anyObject.optional().describe('As in a scrape; without `formats`, nothing is scraped.'),
});

export const extractFields = z.looseObject({
  urls: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  schema: anyObject.optional(),
});

/** Pages of an llms.txt. */
export const MAX_LISTED = 5_000;

export const llmsTextFields = z.looseObject({
  url: z.string({ error: 'Set `url` to the site.' }),
  maxUrls: z.int().min(1).max(MAX_LISTED).default(10),
  showFullText: z.boolean().default(false).describe('Adds `llmsfulltxt`, the Markdown of all pages.'),
  cache: z.boolean().default(true).describe('Whether pages may come from the cache.'),
});

export const researchFields = z.looseObject({
  query: z.string().optional().describe('What is to be found out.'),
  topic: z.string().optional().describe('An older name of `query`.'),
  analysisPrompt: z.string().optional().describe('What the answer is to be like; added to `query`.'),
  formats: z.array(z.enum(['markdown', 'json'])).default(['markdown']),
  jsonOptions: anyObject.optional().describe('`schema` and `prompt` of the format `json`.'),
});
