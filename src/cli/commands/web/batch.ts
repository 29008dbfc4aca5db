// `trawl batch URL...`: reads a list of pages with the same options, and writes each page as it arrives.
import { ApiError } from '../../../client/api-error.ts';
import type { Command, CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { jobCommands, NO_WAIT_FLAG, PAGES_FLAGS } from '../../jobs/job-commands.ts';
import { BATCH } from '../../jobs/job-kind.ts';
import { leaveJobs } from '../../jobs/leave-job.ts';
import { refuseNoWait } from '../../jobs/needs-service.ts';
import { count, openPages, showJobs } from '../../jobs/show-job.ts';
import { fileSource, listedUrls, urlSlices } from '../../jobs/url-list.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { printTable } from '../../tables/print-table.ts';
import { UsageError } from '../../usage-error.ts';

const list: Command = {
  name: 'list',
  summary: 'List recent batches',
  async run({ connect, screen, signal }) {
    const { api } = await connect();
    const answer = await api.call('activity', { query: { endpoint: 'batch_scrape' }, signal });
    const rows = answer.data.map(({ id, created_at, target }) => [id, created_at, target]);
    printTable(screen, answer, ['ID', 'STARTED', 'FIRST URL'], rows, 'There is no batch.');
    return EXIT.ok;
  },
};

export const batch: CommandBody = {
  usage: '[URL...] [-f FILE]',
  call: 'batchScrape',
  without: ['urls', 'appendToId'],
  common: ['formats', 'onlyMainContent', 'maxConcurrency', 'maxAge'],
  flags: {
    file: { type: 'list', short: 'f', value: 'FILE', text: 'A file with a URL a line; - is standard input.' },
    ...PAGES_FLAGS,
    'no-wait': NO_WAIT_FLAG,
  },
  examples: [
    'trawl batch https://example.com/a https://example.com/b -o pages/',
    'trawl map https://example.com | trawl batch - -o pages.jsonl',
  ],
  commands: [...jobCommands(BATCH), list],
  async run(invocation) {
    const { args, flags, screen } = invocation;
    const files = (flags.file as readonly string[] | undefined) ?? [];
    if (args.length === 0 && files.length === 0)
      throw new UsageError('There is no URL. Usage: trawl batch URL... or -f FILE');
    const session = await invocation.connect();
    if (flags['no-wait']) refuseNoWait(session, 'batch');
    await using output = flags['no-wait'] ? undefined : await openPages(invocation, session);
    const ids = await sendAll(givenUrls(args, files), invocation, session);
    if (output) return await showJobs({ kind: BATCH, ids, output }, invocation, session);
    for (const id of ids) screen.print(screen.json ? JSON.stringify({ id }) : id);
    return EXIT.ok;
  },
};

async function* givenUrls(args: readonly string[], files: readonly string[]): AsyncGenerator<string> {
  for (const arg of args) {
    if (arg === '-') yield* listedUrls(fileSource(arg));
    else yield arg;
  }
  for (const file of files) yield* listedUrls(fileSource(file));
}

/** Returns the IDs of the batches: one, unless the list came slower than its pages were read. */
async function sendAll(
  urls: AsyncIterable<string>,
  { body, screen, signal }: Invocation,
  session: ServiceSession,
): Promise<string[]> {
  const ids: string[] = [];
  let skipped = 0;
  try {
    for await (const slice of urlSlices(urls)) {
      signal.throwIfAborted();
      const request = { ...body, urls: slice.map(withProtocol) };
      const answer = await send(request, { session, signal, appendToId: ids.at(-1) });
      if (answer && !ids.includes(answer.id)) ids.push(answer.id);
      skipped += answer ? (answer.invalidURLs?.length ?? 0) : slice.length;
    }
  } catch (error) {
    if (ids.length > 0) await leaveJobs(BATCH, ids, { screen, session });
    throw error;
  }
  if (ids.length === 0) throw new UsageError('The list has no URL that can be read.');
  if (skipped > 0)
    screen.note(`Skipped ${count(skipped, 'entry', 'entries')} of the list: not a URL that can be read.`);
  return ids;
}

interface Send {
  session: ServiceSession;
  signal: AbortSignal;
  appendToId: string | undefined;
}

/** Undefined if none of the URLs can be read. */
async function send(body: { urls: string[] }, { session: { api }, signal, appendToId }: Send) {
  const call = (more: { appendToId?: string }) => api.call('batchScrape', { body: { ...body, ...more }, signal });
  try {
    if (appendToId === undefined) return await call({});
    return await call({ appendToId }).catch((error) =>
      isCode(error, 'JOB_FINISHED') ? call({}) : Promise.reject(error),
    );
  } catch (error) {
    if (isCode(error, 'NO_VALID_URLS')) return undefined;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;
