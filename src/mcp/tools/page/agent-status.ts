// firecrawl_agent_status: how far a run of an agent or an extraction is, and its result.
import { z } from 'zod';
import { ApiError } from '../../../client/api-error.ts';
import { required } from '../../input/lenient.ts';
import { type ToolContext, tool } from '../../tool.ts';
import { forStatus } from '../for-status.ts';
import { runAnswer, runOutput, waitForRun } from './run-answer.ts';

export const agentStatus = tool({
  name: 'firecrawl_agent_status',
  title: 'Check a run of an agent',
  description:
    'Returns the state and the result of a run that firecrawl_agent or firecrawl_extract started. Waits up to 20 seconds for a running one to end, so there is no need to pause between calls.',
  input: z.object({ id: required(z.string()) }),
  output: runOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ id }, context) {
    const kind = await kindOf(id, context);
    return runAnswer(kind, await waitForRun(kind, id, forStatus(context)), context);
  },
});

const NOT_FOUND = 404;

/** Only the call for extractions knows their IDs. */
async function kindOf(id: string, { api, signal }: ToolContext): Promise<'agentStatus' | 'extractStatus'> {
  try {
    await api.call('agentStatus', { params: { id }, signal });
    return 'agentStatus';
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return 'extractStatus';
    throw error;
  }
}
