// Checks of monitors: start one, list them, and read what one found.
import { z } from 'zod';
import { CHECK_STATUSES, PAGE_STATUSES } from '../../../contracts/monitor/monitor-check.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { ADDS, READS_SERVICE } from '../annotations.ts';
import { output, records } from '../output.ts';

const id = () => required(z.string());
const limit = () => optional(z.int().min(1).max(100));
const from = () => optional(z.int().min(0));

export const runMonitor = tool({
  name: 'firecrawl_monitor_run',
  title: 'Check a monitor now',
  description: 'Starts a check without waiting for it. Read what it found with firecrawl_monitor_check.',
  input: z.object({ id: id() }),
  output: output({
    id: z.string().optional(),
    data: z.looseObject({ id: z.string().optional(), status: z.string().optional() }).optional(),
  }),
  annotations: ADDS,
  run: async (params, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('runMonitor', { params, signal }), { maxAnswer }),
});

export const listChecks = tool({
  name: 'firecrawl_monitor_checks',
  title: 'List the checks of a monitor',
  description: 'Lists the checks of a monitor, newest first, with the number of pages that changed.',
  input: z.object({ id: id(), limit: limit(), offset: from(), status: optional(z.enum(CHECK_STATUSES)) }),
  output: output({ data: records() }),
  annotations: READS_SERVICE,
  run: async ({ id: monitor, ...query }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('listChecks', { params: { id: monitor }, query, signal }), {
      maxAnswer,
      advice: 'Set `limit` and `offset` to see the others.',
    }),
});

export const getCheck = tool({
  name: 'firecrawl_monitor_check',
  title: 'Show a check of a monitor',
  description:
    'Shows what a check found on each page: what changed, and whether the goal makes it matter. pageStatus "changed" leaves out the other pages.',
  input: z.object({
    id: id(),
    checkId: id(),
    limit: limit(),
    skip: from(),
    pageStatus: optional(z.enum(PAGE_STATUSES)),
  }),
  output: output({
    data: z.looseObject({ id: z.string().optional(), status: z.string().optional(), pages: records() }).optional(),
  }),
  annotations: READS_SERVICE,
  async run({ id: monitor, checkId, pageStatus: status, ...part }, { api, signal, maxAnswer }) {
    const call = { params: { id: monitor, checkId }, query: { ...part, status }, signal };
    const advice = 'Set `pageStatus`, or a small `limit` with `skip`, to see the rest.';
    return fitAnswer(await api.call('getCheck', call), { maxAnswer, advice });
  },
});
