// firecrawl_check_crawl_status: how far a crawl is, and its pages.
import { z } from 'zod';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { forStatus } from '../for-status.ts';
import { crawlAnswer, crawlOutput, waitForCrawl } from './crawl-answer.ts';

export const checkCrawlStatus = tool({
  name: 'firecrawl_check_crawl_status',
  title: 'Check a crawl',
  description:
    'Returns the state and the pages of a crawl that firecrawl_crawl started. Waits up to 20 seconds for a running crawl to end, so there is no need to pause between calls. Does not change the crawl.',
  input: z.object({
    id: required(z.string()),
    skip: optional(z.number().describe('Pages to leave out, for those after the first answer.')),
  }),
  output: crawlOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ id, skip = 0 }, context) {
    await waitForCrawl(id, forStatus(context));
    return crawlAnswer(id, skip, context);
  },
});
