// POST /v2/map: the URLs of a site.
import { z } from 'zod';
import { urlText } from '../bounds.ts';
import { optionalText } from '../optional-text.ts';
import { givenHeaders } from '../scrape/given-headers.ts';
import { location } from '../scrape/location.ts';
import { clientFields } from '../scrape/scrape.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { scopeFields } from './crawl.ts';

export const DEFAULT_MAP_LIMIT = 5_000;
export const MAX_MAP_LIMIT = 100_000;

export const mapRequest = z.object({
  url: urlText('Set `url` to the site to map, for example { "url": "https://example.com" }.').describe(
    'A page of the site.',
  ),
  search: optionalText(z.string().max(1_000)).describe('Lists the best matches for these words first.'),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .default('include')
    .describe('Whether URLs of the sitemaps and of llms.txt are included, or only they are.'),
  includeSubdomains: z.boolean().default(true).describe('Includes URLs of subdomains.'),
  ignoreQueryParameters: z.boolean().default(true).describe('Counts URLs that differ only in their query as one.'),
  ignoreCache: z.boolean().default(false).describe('Fetches pages again instead of using cached ones.'),
  limit: z.int().min(1).max(MAX_MAP_LIMIT).default(DEFAULT_MAP_LIMIT).describe('Maximum number of URLs.'),
  timeout: z.int().min(1).max(600_000).optional().describe('Milliseconds; answers 408 if the map takes longer.'),
  location: location
    .default(() => location.parse({}))
    .describe('Selects the proxy and the languages: `country` and `languages`.'),
  headers: givenHeaders.describe('Request headers; sent only to the origin of the URL.'),
  zeroDataRetention: z.boolean().default(false).describe('Stores nothing of the pages that are read, nor the URL.'),
  ...scopeFields,
  crawlEntireDomain: z
    .boolean()
    .optional()
    .describe('Default: true if `url` is the root of the site or `filterByPath` is false.'),
  threatProtection: threatProtection.optional().describe('Which URLs may be visited, besides the rules of the team.'),
  filterByPath: z.boolean().default(true).describe('Lists only URLs below the path of `url`.'),
  ...clientFields,
});

export type MapRequest = z.output<typeof mapRequest>;

export const mapLink = z.object({
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
});

export const mapResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    links: z.array(mapLink),
    warning: z.string().optional(),
  }),
);

export type MapLink = z.output<typeof mapLink>;
export type MapResponse = z.output<typeof mapResponse>;
