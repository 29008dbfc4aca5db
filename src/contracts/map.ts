// POST /v2/map: the addresses of a site.
import { z } from 'zod';
import { scopeFields } from './crawl.ts';
import { location } from './location.ts';
import { clientFields } from './scrape.ts';
import { headerName, headerValue } from './scrape-options.ts';

export const DEFAULT_MAP_LIMIT = 5_000;
export const MAX_MAP_LIMIT = 100_000;

export const mapRequest = z.object({
  url: z.string({ error: 'Give the site to map as `url`, for example { "url": "https://example.com" }.' }),
  search: z.string().max(1_000).optional().describe('Puts what fits these words first.'),
  sitemap: z.enum(['skip', 'include', 'only']).default('include'),
  includeSubdomains: z.boolean().default(true),
  ignoreQueryParameters: z.boolean().default(true),
  ignoreCache: z.boolean().default(false).describe('Asks the site anew instead of using pages that are known already.'),
  limit: z.int().min(1).max(MAX_MAP_LIMIT).default(DEFAULT_MAP_LIMIT),
  timeout: z.int().min(1).max(600_000).optional().describe('Milliseconds; 408 when the map is not finished by then.'),
  location: location.default(() => location.parse({})),
  headers: z.record(headerName, headerValue).default(() => ({})),
  ...scopeFields,
  crawlEntireDomain: z
    .boolean()
    .optional()
    .describe('By default true for a start at the root, as `filterByPath` says.'),
  filterByPath: z.boolean().default(true).describe('Only addresses below the path of `url`.'),
  ...clientFields,
});

export type MapRequest = z.output<typeof mapRequest>;

export const mapLink = z.object({
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
});

export const mapResponse = z.object({
  success: z.literal(true),
  id: z.string(),
  links: z.array(mapLink),
  warning: z.string().optional(),
});

export type MapLink = z.output<typeof mapLink>;
export type MapResponse = z.output<typeof mapResponse>;
