// How many credits the team has used and has left this month.
import { z } from 'zod';
import { tool } from '../tool.ts';

export const creditUsage = tool({
  name: 'firecrawl_credit_usage',
  title: 'Credits used and left',
  description: 'Shows how many credits the team has left this month, and when the month ends.',
  input: z.object({}),
  output: z.looseObject({ success: z.boolean() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_args, { api, signal }) {
    return { structured: { ...(await api.call('creditUsage', { signal })) } };
  },
});
