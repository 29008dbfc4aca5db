// `trawl browser`: browser sessions that are driven over the Chrome DevTools Protocol, or by code in a sandbox.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { SentBody } from '../../../contracts/route-types.ts';
import type { Command, CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { needRunning } from '../../jobs/needs-service.ts';
import { count } from '../../jobs/show-job.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { printFacts, printTable } from '../../tables/print-table.ts';
import { UsageError } from '../../usage-error.ts';

const open: Command = {
  name: 'open',
  summary: 'Open a session, and print how to reach it',
  call: 'createBrowser',
  without: ['recordSession'],
  common: ['ttl', 'activityTtl', 'profile', 'streamWebView'],
  examples: ['trawl browser open --ttl 3600', 'trawl browser open --profile.name shop'],
  async run(invocation) {
    const { body, screen, signal } = invocation;
    const { api } = await runningService(invocation);
    const answer = await api.call('createBrowser', { body: body as SentBody<'createBrowser'>, signal });
    const { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt } = answer;
    const views = { 'live view': liveViewUrl, 'with control': interactiveLiveViewUrl };
    printFacts(screen, answer, { id, 'CDP URL': cdpUrl, ...views, 'ends at': expiresAt });
    return EXIT.ok;
  },
};

const list: Command = {
  name: 'list',
  summary: 'List sessions: open ones first, then recent ones',
  flags: { status: { type: 'string', choices: ['active', 'destroyed'], text: 'Only sessions with this status.' } },
  async run(invocation) {
    const { flags, screen, signal } = invocation;
    const { api } = await runningService(invocation);
    const answer = await api.call('listBrowsers', { query: { status: flags.status as string | undefined }, signal });
    const rows = answer.sessions.map(({ id, status, createdAt, expiresAt }) => [id, status, createdAt, expiresAt]);
    printTable(screen, answer, ['ID', 'STATUS', 'OPENED', 'ENDS AT'], rows, 'There is no session.');
    return EXIT.ok;
  },
};

const exec: Command = {
  name: 'exec',
  summary: 'Run code against a session, in a sandbox',
  usage: 'ID',
  call: 'executeInBrowser',
  common: ['code', 'language', 'timeout'],
  flags: { file: { type: 'string', short: 'f', value: 'FILE', text: 'A file with the code; - is standard input.' } },
  examples: [
    "trawl browser exec ID --code 'await page.title()'",
    'trawl browser exec ID -f steps.py --language python',
  ],
  async run(invocation) {
    const { args, body, flags, screen, signal } = invocation;
    const id = onlyOne(args, 'trawl browser exec ID --code CODE');
    const code = (body.code as string | undefined) ?? (await codeOf(flags.file as string | undefined));
    const { api } = await runningService(invocation);
    const request = { ...(body as SentBody<'executeInBrowser'>), code };
    const answer = await api.call('executeInBrowser', { params: { id }, body: request, signal });
    if (screen.json) screen.print(JSON.stringify(answer, undefined, 2));
    else {
      const { result, stdout, stderr, error, killed } = answer;
      for (const output of [stdout, result === stdout ? '' : result]) if (output.trim() !== '') screen.print(output);
      for (const output of [stderr, error ?? '', killed ? 'The code exceeded its time or memory.' : '']) {
        if (output.trim() !== '') screen.note(output.trimEnd());
      }
    }
    return answer.exitCode === 0 ? EXIT.ok : EXIT.failed;
  },
};

async function codeOf(file: string | undefined): Promise<string> {
  if (file === undefined) throw new UsageError('There is no code. Use --code CODE or -f FILE.');
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${error.code}).`);
  });
}

const close: Command = {
  name: 'close',
  summary: 'End a session',
  usage: 'ID',
  async run(invocation) {
    const { args, screen, signal } = invocation;
    const id = onlyOne(args, 'trawl browser close ID');
    const { api } = await runningService(invocation);
    const answer = await api.call('deleteBrowser', { params: { id }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    screen.note(`The session has ended. It cost ${count(answer.creditsBilled, 'credit')}.`);
    return EXIT.ok;
  },
};

export const browser: CommandBody = {
  commands: [open, list, exec, close],
  examples: ['trawl browser open', 'trawl browser list'],
};

async function runningService({ connect }: Invocation): Promise<ServiceSession> {
  const session = await connect();
  needRunning(
    session,
    'A session lasts longer than a command, so it needs a running service, and no service is running.',
  );
  return session;
}
