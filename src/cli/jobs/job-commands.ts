// The commands below `trawl crawl` and `trawl batch`: each is one call with the ID of a job.
import type { Command, Invocation, ServiceSession } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { OUTPUT_FLAG } from '../output/output-flag.ts';
import { onlyOne } from '../parse/count-arguments.ts';
import { printFacts, printTable } from '../tables/print-table.ts';
import { exportCommand } from './export-job.ts';
import type { JobPage } from './follow-job.ts';
import type { JobCalls } from './job-kind.ts';
import { openPages, showJobs } from './show-job.ts';

export const NO_WAIT_FLAG = { type: 'boolean', text: 'Do not wait for the end; print the ID.' } as const;
export const PAGES_FLAGS = {
  output: { ...OUTPUT_FLAG, value: 'PATH', text: 'A folder/ with a file for each page, or FILE.jsonl or .md.' },
} as const;

type JobCall = (id: string, session: ServiceSession, invocation: Invocation) => Promise<number | undefined>;

export function jobCommands(kind: JobCalls): Command[] {
  const { name, calls } = kind;
  const command = (verb: string, summary: string, run: JobCall, more: Partial<Command> = {}): Command => ({
    ...{ name: verb, summary, usage: 'ID', ...more },
    async run(invocation) {
      const id = onlyOne(invocation.args, `trawl ${name} ${verb} ID`);
      return run(id, await invocation.connect(), invocation);
    },
  });
  const rerun = (verb: 'resume' | 'retry', summary: string): Command =>
    command(verb, summary, (id, session, invocation) => again(kind, { id, verb }, session, invocation), {
      flags: { ...PAGES_FLAGS, 'no-wait': NO_WAIT_FLAG },
    });
  return [
    command('status', `Show how far a ${name} is`, (id, session, invocation) => status(kind, id, session, invocation)),
    command('follow', `Show the pages of a ${name} from the first one, until it ends`, follow(kind), {
      flags: PAGES_FLAGS,
    }),
    command('errors', 'List the pages that failed, and why', (id, session, invocation) =>
      errors(kind, id, session, invocation),
    ),
    command('cancel', 'End it for good; its pages stay readable', async (id, { api }, { screen, signal }) => {
      const answer = await api.call(calls.cancel, { params: { id }, signal });
      if (screen.json) screen.print(JSON.stringify(answer));
      screen.note(`The ${name} is cancelled.`);
      return EXIT.ok;
    }),
    command('pause', 'Begin no other page until it is resumed', async (id, { api }, { screen, signal }) => {
      const answer = await api.call(calls.pause, { params: { id }, signal });
      if (screen.json) screen.print(JSON.stringify(answer));
      screen.note(`The ${name} is paused. \`trawl ${name} resume ${id}\` continues it.`);
      return EXIT.ok;
    }),
    rerun('resume', 'Continue a paused one, and show all of its pages'),
    rerun('retry', 'Read failed pages again, and show those that work now'),
    exportCommand(kind),
  ];
}

const follow =
  (kind: JobCalls): JobCall =>
  async (id, session, invocation) => {
    await using output = await openPages(invocation, session);
    return await showJobs({ kind, ids: [id], isForeign: true, output }, invocation, session);
  };

async function status({ calls }: JobCalls, id: string, { api }: ServiceSession, { screen, signal }: Invocation) {
  const { data: _, next: __, ...state } = await api.call(calls.status, { params: { id }, query: { limit: 1 }, signal });
  printFacts(screen, state, {
    status: state.paused ? 'paused' : state.status,
    pages: `${state.completed} of ${state.total}`,
    failed: state.failed,
    credits: state.creditsUsed,
    started: state.createdAt,
    ended: state.completedAt,
    'deleted after': state.expiresAt,
    error: state.error,
    warning: state.warning,
  });
  return EXIT.ok;
}

async function errors({ calls, name }: JobCalls, id: string, { api }: ServiceSession, { screen, signal }: Invocation) {
  const answer = await api.call(calls.errors, { params: { id }, signal });
  const rows = [
    ...answer.errors.map(({ url, code, error }) => [url, code, error]),
    ...answer.robotsBlocked.map((url) => [url, 'ROBOTS', 'robots.txt forbids it.']),
  ];
  printTable(screen, answer, ['URL', 'CODE', 'ERROR'], rows, `No page of this ${name} has failed.`);
  return EXIT.ok;
}

/** A job that runs again. The pages of a retry are those that it adds. */
async function again(
  kind: JobCalls,
  { id, verb }: { id: string; verb: 'resume' | 'retry' },
  session: ServiceSession,
  invocation: Invocation,
): Promise<number | undefined> {
  const { flags, screen, signal } = invocation;
  const skip = verb === 'resume' ? 0 : await pagesSoFar(kind, id, session, signal);
  await using output = flags['no-wait'] ? undefined : await openPages(invocation, session);
  const answer = await session.api.call(kind.calls[verb], { params: { id }, signal });
  if ('warning' in answer && answer.warning !== undefined) screen.note(answer.warning);
  if ('retried' in answer && answer.retried === 0) screen.note('There is no failed page that can be read again.');
  if (output) return await showJobs({ kind, ids: [id], skip, output }, invocation, session);
  screen.print(screen.json ? JSON.stringify(answer) : id);
  return EXIT.ok;
}

export async function pagesSoFar(
  { calls }: JobCalls,
  id: string,
  { api }: ServiceSession,
  signal: AbortSignal,
): Promise<number> {
  const state = (await api.call(calls.status, { params: { id }, query: { limit: 1 }, signal })) as JobPage;
  return state.completed;
}
