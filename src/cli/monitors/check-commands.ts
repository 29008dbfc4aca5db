// `trawl monitor run|checks|check`: checks of a monitor and what they found.
import type { CheckPage, CheckSummary, CheckView } from '../../contracts/monitor/monitor-check.ts';
import { CHECK_STATUSES, PAGE_STATUSES } from '../../contracts/monitor/monitor-check.ts';
import { systemClock } from '../../util/clock.ts';
import type { Command, Invocation, ServiceSession } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { NO_WAIT_FLAG } from '../jobs/job-commands.ts';
import { needRunning } from '../jobs/needs-service.ts';
import { patientCall } from '../jobs/patient-call.ts';
import { noMoreThan, onlyOne } from '../parse/count-arguments.ts';
import { printTable } from '../tables/print-table.ts';
import type { Cell } from '../tables/table.ts';
import { UsageError } from '../usage-error.ts';

const POLL_MS = 1_000;
const LIST_FLAGS = {
  limit: { type: 'number', value: 'N', text: 'How many: 1 to 100. [25]' },
  offset: { type: 'number', value: 'N', text: 'How many to skip. [0]' },
} as const;

export const checks: Command = {
  name: 'checks',
  summary: 'List the checks of a monitor',
  usage: 'ID',
  flags: { ...LIST_FLAGS, status: { type: 'string', choices: CHECK_STATUSES, text: 'Only checks of this status.' } },
  async run({ args, flags, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl monitor checks ID');
    const { api } = await connect();
    const { limit, offset, status } = flags as Record<string, string | undefined>;
    const answer = await api.call('listChecks', { params: { id }, query: { limit, offset, status }, signal });
    const rows = answer.data.map((check) => [
      check.id,
      check.status,
      check.startedAt ?? check.createdAt,
      summaryText(check.summary),
    ]);
    printTable(screen, answer, ['ID', 'STATUS', 'STARTED', 'PAGES'], rows, 'The monitor has not checked anything yet.');
    return EXIT.ok;
  },
};

export const check: Command = {
  name: 'check',
  summary: 'Show what a check found on each page',
  usage: 'ID CHECK',
  flags: {
    limit: LIST_FLAGS.limit,
    skip: { type: 'number', value: 'N', text: 'How many pages to skip. [0]' },
    status: { type: 'string', choices: PAGE_STATUSES, text: 'Only pages of this status.' },
  },
  async run({ args, flags, connect, screen, signal }) {
    noMoreThan(2, args, 'trawl monitor check ID CHECK');
    const [id, checkId] = args;
    if (!id || !checkId)
      throw new UsageError('Name a monitor and one of its checks. Usage: trawl monitor check ID CHECK');
    const { api } = await connect();
    const { limit, skip, status } = flags as Record<string, string | undefined>;
    const answer = await api.call('getCheck', { params: { id, checkId }, query: { limit, skip, status }, signal });
    printTable(screen, answer, ['STATUS', 'URL', 'WHY'], answer.data.pages.map(pageRow), 'The check has no such page.');
    if (answer.data.next !== undefined) screen.note('There are more pages: see --skip and --limit.');
    return EXIT.ok;
  },
};

export const run: Command = {
  name: 'run',
  summary: 'Check now, and show what has changed',
  usage: 'ID',
  flags: { 'no-wait': NO_WAIT_FLAG },
  async run(invocation) {
    const { args, flags, connect, screen, signal } = invocation;
    const id = onlyOne(args, 'trawl monitor run ID');
    const session = await connect();
    needRunning(session, 'Checks are made by a running service, and no service is running.');
    const started = await session.api.call('runMonitor', { params: { id }, signal });
    if (!flags['no-wait']) return showCheck({ id, checkId: started.id }, session, invocation);
    screen.print(screen.json ? JSON.stringify(started) : started.id);
    return EXIT.ok;
  },
};

const UNENDED = new Set<CheckView['status']>(['queued', 'running']);

async function showCheck(
  params: { id: string; checkId: string },
  { api }: ServiceSession,
  invocation: Invocation,
): Promise<number> {
  const { screen, signal } = invocation;
  const progress = screen.progress('Checking');
  const read = () => api.call('getCheck', { params, query: { limit: 100 }, signal });
  try {
    for (;;) {
      const answer = await patientCall(read, { clock: systemClock, signal, note: screen.note });
      const { status, summary, pages, error } = answer.data;
      if (!UNENDED.has(status)) {
        progress.end();
        const changed = pages.filter((page) => page.status !== 'same');
        printTable(screen, answer, ['STATUS', 'URL', 'WHY'], changed.map(pageRow), 'Nothing has changed.');
        screen.note(error ?? summaryText(summary));
        if (status === 'completed') return EXIT.ok;
        return status === 'partial' ? EXIT.partly : EXIT.failed;
      }
      progress.update({ done: summary.totalPages });
      await systemClock.sleep(POLL_MS, signal);
    }
  } finally {
    progress.end();
  }
}

const pageRow = ({
  status,
  url,
  error,
  judgment,
}: Pick<CheckPage, 'status' | 'url' | 'error' | 'judgment'>): Cell[] => [status, url, error ?? judgment?.reason];

export function summaryText({ totalPages, ...counts }: CheckSummary): string {
  const parts = Object.entries(counts).flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return `${totalPages} (${parts.join(', ') || 'none'})`;
}
