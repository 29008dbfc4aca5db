// A tool of the public server for its marketplace of data providers, which does not exist here. It is listed because some
// assistants check that every tool they know is there; its answer says what to call instead.
import { z } from 'zod';
import { ApiError } from '../../client/api-error.ts';
import { optional } from '../input/lenient.ts';
import { tool } from '../tool.ts';
import { READS_SERVICE } from './annotations.ts';
import { output } from './output.ts';

const MAX_SHOWN = 200;

export const findTools = tool({
  name: 'firecrawl_find_tools',
  title: 'Data providers (none here)',
  description: 'Not available on this server: use firecrawl_search.',
  input: z.object({ query: optional(z.string()) }),
  output: output({}),
  annotations: READS_SERVICE,
  async run({ query }) {
    const asked = query === undefined ? '' : ` with the query ${JSON.stringify(query.slice(0, MAX_SHOWN))}`;
    throw new ApiError(
      `This server has no marketplace of data providers. Call firecrawl_search${asked} for pages, firecrawl_research_search_papers for papers, or firecrawl_developer_search for code.`,
      { code: 'NOT_IMPLEMENTED', status: 501, retryAfter: undefined, body: undefined },
    );
  },
});
