// `trawl monitor`: pages, sites and searches that the service checks on a schedule.

import type { MonitorView } from '../../../contracts/monitor/monitor.ts';
import type { SentBody } from '../../../contracts/route-types.ts';
import type { Command, CommandBody, Screen } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { needRunning } from '../../jobs/needs-service.ts';
import { check, checks, run, summaryText } from '../../monitors/check-commands.ts';
import { newMonitor } from '../../monitors/monitor-body.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { printFacts, printTable } from '../../tables/print-table.ts';

const BODY_FLAG = { type: 'json', value: '@FILE', text: 'The whole monitor as JSON; other flags win.' } as const;
const EVERY_FLAG = {
  type: 'string',
  value: 'TIME',
  text: 'When to check: "30 minutes", hour, "daily at 9:00".',
} as const;

const create: Command = {
  name: 'create',
  summary: 'Watch pages, a site or searches',
  usage: '[URL...] --every TIME',
  call: 'createMonitor',
  common: ['name', 'goal', 'targets', 'schedule.cron', 'schedule.timezone', 'webhook', 'notification'],
  flags: { every: EVERY_FLAG, body: BODY_FLAG },
  examples: [
    'trawl monitor create https://example.com/pricing --every hour',
    'trawl monitor create --body @monitor.json',
  ],
  async run(invocation) {
    const body = newMonitor(invocation);
    const session = await invocation.connect();
    needRunning(session, 'A monitor is checked by a running service, and no service is running.');
    const { screen, signal } = invocation;
    const answer = await session.api.call('createMonitor', { body: body as SentBody<'createMonitor'>, signal });
    if (answer.warning !== undefined) screen.note(answer.warning);
    printMonitor(screen, answer, answer.data as MonitorView);
    return EXIT.ok;
  },
};

const list: Command = {
  name: 'list',
  summary: 'List monitors',
  flags: {
    limit: { type: 'number', value: 'N', text: 'How many: 1 to 100. [25]' },
    offset: { type: 'number', value: 'N', text: 'How many to skip. [0]' },
  },
  async run({ flags, connect, screen, signal }) {
    const { api } = await connect();
    const { limit, offset } = flags as Record<string, number | undefined>;
    const answer = await api.call('listMonitors', { query: { limit, offset }, signal });
    const rows = answer.data.map(({ id, name, status, schedule, nextRunAt }) => [
      id,
      status,
      schedule.cron,
      nextRunAt,
      name,
    ]);
    printTable(screen, answer, ['ID', 'STATUS', 'SCHEDULE', 'NEXT CHECK', 'NAME'], rows, 'There is no monitor.');
    return EXIT.ok;
  },
};

const get: Command = {
  name: 'get',
  summary: 'Show a monitor',
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl monitor get ID');
    const { api } = await connect();
    const answer = await api.call('getMonitor', { params: { id }, signal });
    printMonitor(screen, answer, answer.data as MonitorView);
    return EXIT.ok;
  },
};

const update: Command = {
  name: 'update',
  summary: 'Change a monitor',
  usage: 'ID',
  call: 'updateMonitor',
  common: ['name', 'goal', 'targets', 'schedule.text', 'schedule.cron', 'status', 'webhook', 'notification'],
  flags: { body: { ...BODY_FLAG, text: 'The changes as JSON; other flags win.' } },
  examples: ['trawl monitor update ID --schedule.text "daily at 9:00"', 'trawl monitor update ID --webhook null'],
  run: async ({ args, body, flags, connect, screen, signal }) => {
    const id = onlyOne(args, 'trawl monitor update ID');
    const { api } = await connect();
    const changes = { ...(flags.body as object | undefined), ...body } as SentBody<'updateMonitor'>;
    const answer = await api.call('updateMonitor', { params: { id }, body: changes, signal });
    printMonitor(screen, answer, answer.data as MonitorView);
    return EXIT.ok;
  },
};

const setStatus = (name: string, status: 'paused' | 'active', summary: string): Command => ({
  name,
  summary,
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, `trawl monitor ${name} ID`);
    const { api } = await connect();
    const answer = await api.call('updateMonitor', { params: { id }, body: { status }, signal });
    if (screen.json) screen.print(JSON.stringify(answer, undefined, 2));
    const { nextRunAt } = answer.data;
    screen.note(nextRunAt === null ? 'The monitor is paused.' : `The next check is at ${nextRunAt}.`);
    return EXIT.ok;
  },
});

const remove: Command = {
  name: 'delete',
  summary: 'Delete a monitor with its checks',
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl monitor delete ID');
    const { api } = await connect();
    const answer = await api.call('deleteMonitor', { params: { id }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    screen.note('The monitor is deleted.');
    return EXIT.ok;
  },
};

export const monitor: CommandBody = {
  commands: [
    ...[create, list, get, update, run, checks, check],
    setStatus('pause', 'paused', 'Check no longer until it is resumed'),
    setStatus('resume', 'active', 'Check on schedule again'),
    remove,
  ],
  examples: ['trawl monitor create https://example.com/pricing --every hour', 'trawl monitor run ID'],
};

function printMonitor(screen: Screen, answer: unknown, view: MonitorView): void {
  const { id, name, status, schedule, nextRunAt, lastRunAt, targets, goal, lastCheckSummary, feedUrl } = view;
  printFacts(screen, answer, {
    id,
    name,
    status,
    schedule: `${schedule.cron} (${schedule.timezone})`,
    'next check': nextRunAt,
    'last check': lastRunAt,
    pages: lastCheckSummary && summaryText(lastCheckSummary),
    targets: targets.map(targetText).join('; '),
    goal,
    feed: feedUrl,
    'credits a month': view.estimatedCreditsPerMonth,
  });
}

function targetText({ type, urls, url, queries }: Record<string, unknown>): string {
  return `${type} ${[urls ?? url ?? queries ?? []].flat().join(' ')}`;
}
