// How many credits the team has used and has left.
import { z } from 'zod';
import { fitAnswer } from '../answer/fit-answer.ts';
import { invalidArgument } from '../input/invalid-argument.ts';
import { optional } from '../input/lenient.ts';
import { tool } from '../tool.ts';
import { READS_SERVICE } from './annotations.ts';
import { output, records } from './output.ts';

export const creditUsage = tool({
  name: 'firecrawl_credit_usage',
  title: 'Credits used and left',
  description: 'Shows the credits that are left this month (current), or those used in each month (historical).',
  input: z.object({
    view: optional(z.enum(['current', 'historical'])),
    byApiKey: optional(z.boolean().describe('Shows each key by itself; implies historical.')),
  }),
  output: output({
    remainingCredits: z.number().optional(),
    planCredits: z.number().optional(),
    billingPeriodStart: z.string().nullish(),
    billingPeriodEnd: z.string().nullish(),
    periods: records(),
  }),
  annotations: READS_SERVICE,
  async run({ byApiKey = false, view = byApiKey ? 'historical' : 'current' }, { api, signal, maxAnswer }) {
    if (view === 'historical') {
      return fitAnswer(await api.call('creditHistory', { query: { byApiKey }, signal }), { maxAnswer });
    }
    if (byApiKey) throw invalidArgument('`byApiKey` is only for the view `historical`.');
    const { success, data } = await api.call('creditUsage', { signal });
    return { structured: { success, ...data } };
  },
});
