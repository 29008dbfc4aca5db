// Monitors: make, list, show, change and delete them.
import { z } from 'zod';
import { SEARCH_WINDOWS } from '../../../contracts/monitor/monitor-targets.ts';
import type { SentBody } from '../../../contracts/route-types.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { ADDS, READS_SERVICE, REPLACES } from '../annotations.ts';
import { output, records } from '../output.ts';
import { monitorBody } from './monitor-body.ts';

const id = () => required(z.string());
const text = () => optional(z.string());
const texts = () => optional(z.array(z.string()));
const anyBody = () => z.record(z.string(), z.unknown());

const oneMonitor = output({
  data: z
    .looseObject({ id: z.string().optional(), status: z.string().optional(), nextRunAt: z.string().nullish() })
    .optional(),
});

export const createMonitor = tool({
  name: 'firecrawl_monitor_create',
  title: 'Create a monitor',
  description:
    'Watches pages or searches on a schedule and reports what changed. Short form: page, pages or queries, and a goal in plain words that says which changes matter. Long form: body, as in POST /v2/monitor, also for crawls.',
  input: z.object({
    body: optional(anyBody()),
    page: text(),
    pages: texts(),
    queries: optional(z.array(z.string()).describe('Searches to watch for new results; needs a goal.')),
    searchWindow: optional(z.enum(SEARCH_WINDOWS)),
    maxResults: optional(z.int().min(1).max(50)),
    includeDomains: texts(),
    excludeDomains: texts(),
    goal: text(),
    name: text(),
    scheduleText: optional(z.string().describe('For example "hourly" or "daily at 9:00". Default: every 30 minutes.')),
    timezone: optional(z.string().describe('For example "Europe/Berlin". Default: UTC.')),
    email: optional(z.string().describe('Who is told about changes.')),
    includeDiffs: optional(z.boolean().describe('Whether e-mails show the changes.')),
    webhookUrl: text(),
  }),
  output: oneMonitor,
  annotations: ADDS,
  async run({ body, ...short }, { api, signal, maxAnswer }) {
    const asked = (body as SentBody<'createMonitor'> | undefined) ?? monitorBody(short);
    return fitAnswer(await api.call('createMonitor', { body: asked, signal }), { maxAnswer });
  },
});

export const listMonitors = tool({
  name: 'firecrawl_monitor_list',
  title: 'List monitors',
  description: 'Lists the monitors of the team, newest first.',
  input: z.object({ limit: optional(z.int().min(1).max(100)), offset: optional(z.int().min(0)) }),
  output: output({ data: records() }),
  annotations: READS_SERVICE,
  run: async ({ limit, offset }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('listMonitors', { query: { limit, offset }, signal }), {
      maxAnswer,
      advice: 'Set `limit` and `offset` to see the others.',
    }),
});

export const getMonitor = tool({
  name: 'firecrawl_monitor_get',
  title: 'Show a monitor',
  description: 'Shows what a monitor watches, when it runs next, and what its last check found.',
  input: z.object({ id: id() }),
  output: oneMonitor,
  annotations: READS_SERVICE,
  run: async (params, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('getMonitor', { params, signal }), { maxAnswer }),
});

export const updateMonitor = tool({
  name: 'firecrawl_monitor_update',
  title: 'Change a monitor',
  description:
    'Changes, pauses or resumes a monitor. body has the fields to change: name, status (active, paused), schedule, targets, goal, notification, webhook, retentionDays. targets replaces all of them.',
  input: z.object({ id: id(), body: required(anyBody()) }),
  output: oneMonitor,
  annotations: { ...REPLACES, openWorldHint: true },
  run: async ({ body, ...params }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('updateMonitor', { params, body: body as SentBody<'updateMonitor'>, signal }), {
      maxAnswer,
    }),
});

export const deleteMonitor = tool({
  name: 'firecrawl_monitor_delete',
  title: 'Delete a monitor',
  description: 'Deletes a monitor with all of its checks, for good. To stop it for a while, set its status to paused.',
  input: z.object({ id: id() }),
  output: output({}),
  annotations: REPLACES,
  run: async (params, { api, signal }) => ({ structured: await api.call('deleteMonitor', { params, signal }) }),
});
