// firecrawl_agent: finds data on the web by itself.
import { z } from 'zod';
import type { SentBody } from '../../../contracts/route-types.ts';
import { orCancel } from '../../../runtime/wait-for-job.ts';
import { optional, required } from '../../input/lenient.ts';
import { jsonSchemaArgument, withoutEmpty } from '../../input/scrape-arguments.ts';
import { tool } from '../../tool.ts';
import { runAnswer, runOutput, waitForRun } from './run-answer.ts';

const IGNORED_EXCHANGE = '`exchange` was ignored: this server has no catalogue of data providers.';

export const agent = tool({
  name: 'firecrawl_agent',
  title: 'Research with an agent',
  description:
    'Searches and reads pages on its own until it has the data that `prompt` describes, as JSON for `schema`. Use it when the URLs are not known or the answer is spread over several sites; for one known page use firecrawl_scrape, for a simple question firecrawl_answer. ' +
    'Waits up to 45 seconds; a run that is still `processing` then goes on, and firecrawl_agent_status returns its result. Cancelling this call cancels the run. ' +
    '`threadId` of an earlier run continues it.',
  input: z.object({
    prompt: required(z.string()),
    urls: optional(z.array(z.string()).describe('Where to start.')),
    schema: jsonSchemaArgument(),
    effort: optional(z.enum(['low', 'medium', 'high'])),
    maxCredits: optional(z.number().describe('Default: 2500.')),
    strictConstrainToURLs: optional(z.boolean().describe('Reads only `urls` and pages below them.')),
    threadId: optional(z.string()),
    mode: optional(z.enum(['extract', 'chat'])),
    exchange: optional(z.looseObject({}).describe('Ignored.')),
  }),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ prompt, exchange, ...given }, context) {
    const { api, signal } = context;
    const body = { ...withoutEmpty(given), prompt } as SentBody<'startAgent'>;
    const { id } = await api.call('startAgent', { body, signal });
    return orCancel(
      signal,
      async () =>
        runAnswer('agentStatus', await waitForRun('agentStatus', id, context), context, [exchange && IGNORED_EXCHANGE]),
      (ending) => api.call('cancelAgent', { params: { id }, signal: ending }),
    );
  },
});
