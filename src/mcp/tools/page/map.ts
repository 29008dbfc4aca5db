// firecrawl_map: the URLs of a site.
import { z } from 'zod';
import { mapLink } from '../../../contracts/crawl/map.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';

export const map = tool({
  name: 'firecrawl_map',
  title: 'List the URLs of a site',
  description:
    'Lists the URLs of a site with their titles, from its sitemaps and links, without reading the pages. ' +
    'Use it to find the right page of a known site before firecrawl_scrape; `search` puts the best matches first. ' +
    'To search the whole web use firecrawl_search.',
  input: z.object({
    url: required(z.string()),
    search: optional(z.string().describe('Words that the pages should be about.')),
    sitemap: optional(z.enum(['include', 'skip', 'only'])),
    includeSubdomains: optional(z.boolean()),
    limit: optional(z.number().describe('Default: 5000.')),
    ignoreQueryParameters: optional(z.boolean()),
  }),
  output: z.looseObject({
    success: z.boolean(),
    id: z.string().optional(),
    links: z.array(mapLink.loose()).optional(),
    warning: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ url, ...given }, { api, signal, maxAnswer }) {
    const answer = await api.call('map', { body: { url, ...withoutEmpty(given) }, signal });
    return fitAnswer(answer, {
      maxAnswer,
      advice: 'To see others, set `search` to what you look for, or `url` to a part of the site.',
    });
  },
});
