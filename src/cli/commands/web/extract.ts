// `trawl extract URL...`: data from pages or whole sites, by a prompt or a schema.
import type { SentBody } from '../../../contracts/route-types.ts';
import type { CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { NO_WAIT_FLAG } from '../../jobs/job-commands.ts';
import { refuseNoWait } from '../../jobs/needs-service.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { followRun } from '../../runs/follow-run.ts';
import { printRun } from '../../runs/print-run.ts';
import { RUN_FLAGS, runCommands } from '../../runs/run-commands.ts';
import { UsageError } from '../../usage-error.ts';

const commands = runCommands({
  command: 'extract',
  noun: 'an extraction',
  read: ({ api }, id, signal) => api.call('extractStatus', { params: { id }, signal }),
  show: showRun,
});

export const extract: CommandBody = {
  usage: 'URL...',
  call: 'extract',
  lifted: ['scrapeOptions'],
  without: [
    ...['urls', 'showSources', 'agent', 'origin', 'zeroDataRetention'],
    ...['__experimental_streamSteps', '__experimental_llmUsage'],
    ...['__experimental_showCostTracking', '__experimental_showSources'],
  ],
  common: ['prompt', 'schema', 'enableWebSearch', 'limit'],
  flags: { ...RUN_FLAGS, 'no-wait': NO_WAIT_FLAG },
  examples: [
    'trawl extract https://example.com/pricing --prompt "plans with prices"',
    "trawl extract 'https://example.com/*' --schema @product.json -o data.json",
  ],
  commands,
  async run(invocation) {
    const { args, body, screen, signal } = invocation;
    if (args.length === 0 && body.prompt === undefined)
      throw new UsageError('Name a URL, or say what to look for with --prompt.');
    const session = await invocation.connect();
    if (invocation.flags['no-wait']) refuseNoWait(session, 'extraction');
    const request = {
      ...(body as SentBody<'extract'>),
      urls: args.map(withProtocol),
      showSources: invocation.flags.sources === true,
      __experimental_streamSteps: true,
    };
    const answer = await session.api.call('extract', { body: request, signal });
    for (const url of answer.invalidURLs ?? []) screen.note(`Skipped ${url}: not a URL that can be read.`);
    if (!invocation.flags['no-wait']) return showRun(answer.id, session, invocation);
    screen.print(screen.json ? JSON.stringify(answer) : answer.id);
    return EXIT.ok;
  },
};

async function showRun(
  id: string,
  { api, isEmbedded, isTemporary }: ServiceSession,
  invocation: Invocation,
): Promise<number | undefined> {
  const { screen, signal } = invocation;
  try {
    const state = await followRun(
      {
        title: 'Extracting',
        read: () => api.call('extractStatus', { params: { id }, signal }),
        step: async ({ steps = [] }) => ({ done: steps.length, note: steps.at(-1)?.step ?? '' }),
      },
      invocation,
    );
    return await printRun(state, invocation);
  } catch (error) {
    if (!signal.aborted) throw error;
    const when = isEmbedded ? 'goes on as soon as a service runs' : 'goes on';
    screen.note(
      isTemporary
        ? 'The extraction ends with this command, because it used a temporary folder.'
        : `The extraction ${when}. \`trawl extract follow ${id}\` waits for its data.`,
    );
    return undefined;
  }
}
