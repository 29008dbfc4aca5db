// firecrawl_extract: data from several pages or sites, with one schema.
import { z } from 'zod';
import type { SentBody } from '../../../contracts/route-types.ts';
import { optional, required } from '../../input/lenient.ts';
import { jsonSchemaArgument, withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';
import { runAnswer, runOutput, waitForRun } from './run-answer.ts';

export const extract = tool({
  name: 'firecrawl_extract',
  title: 'Extract data from pages',
  description:
    'Reads up to 10 known pages and returns the data that `prompt` or `schema` describes, merged into one JSON value. https://example.com/* stands for the pages of a site that fit best. For one page use firecrawl_scrape with the format json; if the pages are not known, firecrawl_agent. ' +
    'Waits up to 45 seconds; a run that takes longer goes on, also if this call is cancelled, and firecrawl_agent_status returns its result.',
  input: z.object({
    urls: required(z.array(z.string())),
    prompt: optional(z.string()),
    schema: jsonSchemaArgument(),
    allowExternalLinks: optional(z.boolean()),
    enableWebSearch: optional(z.boolean().describe('Also reads pages that a web search finds.')),
    includeSubdomains: optional(z.boolean()),
  }),
  output: runOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  async run({ urls, ...given }, context) {
    const { api, signal } = context;
    const body = { ...withoutEmpty(given), urls } as SentBody<'extract'>;
    const { id, invalidURLs = [] } = await api.call('extract', { body, signal });
    const skipped = invalidURLs.length > 0 && `These URLs are not valid and were skipped: ${invalidURLs.join(', ')}.`;
    return runAnswer('extractStatus', await waitForRun('extractStatus', id, context), context, [skipped]);
  },
});
