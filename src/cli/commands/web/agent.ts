// `trawl agent PROMPT`: an agent finds data on the web by itself.
import type { TraceEvent } from '../../../contracts/agent/agent-trace.ts';
import type { SentBody } from '../../../contracts/route-types.ts';
import type { Command, CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { NO_WAIT_FLAG } from '../../jobs/job-commands.ts';
import { refuseNoWait } from '../../jobs/needs-service.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { stepText, traceRows } from '../../runs/agent-steps.ts';
import { followRun } from '../../runs/follow-run.ts';
import { printRun } from '../../runs/print-run.ts';
import { RUN_FLAGS, runCommands } from '../../runs/run-commands.ts';
import { printTable } from '../../tables/print-table.ts';

const shared = runCommands({
  command: 'agent',
  noun: 'a run',
  read: ({ api }, id, signal) => api.call('agentStatus', { params: { id }, signal }),
  show: showRun,
});

const cancel: Command = {
  name: 'cancel',
  summary: 'End a run with what it has found',
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl agent cancel ID');
    const { api } = await connect();
    const answer = await api.call('cancelAgent', { params: { id }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    screen.note(`The run is cancelled. \`trawl agent status ${id}\` shows what it has found.`);
    return EXIT.ok;
  },
};

const list: Command = {
  name: 'list',
  summary: 'List recent runs',
  async run({ connect, screen, signal }) {
    const { api } = await connect();
    const answer = await api.call('listAgents', { signal });
    const rows = answer.agents.map(({ id, status: state, createdAt, targetHint }) => [
      id,
      state,
      createdAt,
      targetHint,
    ]);
    printTable(screen, answer, ['ID', 'STATE', 'STARTED', 'ABOUT'], rows, 'There is no run of an agent.');
    return EXIT.ok;
  },
};

const trace: Command = {
  name: 'trace',
  summary: 'Show what a run did, step by step',
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl agent trace ID');
    const { api } = await connect();
    const answer = await api.call('agentTrace', { params: { id }, signal });
    printTable(screen, answer, ['TIME', 'EVENT', 'WHAT'], traceRows(answer.events), 'The run has not begun.');
    return EXIT.ok;
  },
};

export const agent: CommandBody = {
  usage: 'PROMPT',
  call: 'startAgent',
  without: ['prompt', 'model'],
  common: ['urls', 'schema', 'maxCredits', 'strictConstrainToURLs', 'effort', 'mode', 'threadId'],
  flags: { ...RUN_FLAGS, 'no-wait': NO_WAIT_FLAG },
  examples: [
    'trawl agent "Who maintains undici, and under which licence is it?"',
    'trawl agent "All plans with prices" --urls example.com --schema @plans.json',
  ],
  commands: [...shared, cancel, list, trace],
  async run(invocation) {
    const { args, body, screen, signal } = invocation;
    const prompt = onlyOne(args, 'trawl agent "PROMPT"');
    const session = await invocation.connect();
    if (invocation.flags['no-wait']) refuseNoWait(session, 'run');
    const urls = ((body.urls as string[] | undefined) ?? []).map(withProtocol);
    const request = { ...(body as SentBody<'startAgent'>), prompt, urls };
    const answer = await session.api.call('startAgent', { body: request, signal });
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
        title: 'Working',
        read: () => api.call('agentStatus', { params: { id }, signal }),
        async step() {
          const { events } = await api.call('agentTrace', { params: { id }, signal });
          const steps = (events as TraceEvent[]).flatMap((event) => stepText(event) ?? []);
          return { done: steps.length, note: steps.at(-1) ?? '' };
        },
      },
      invocation,
    );
    const code = await printRun(state, invocation);
    screen.note(`Continue with: trawl agent "..." --thread-id ${state.threadId}`);
    return code;
  } catch (error) {
    if (!signal.aborted) throw error;
    if (isTemporary) screen.note('The run ends with this command, because it used a temporary folder.');
    else if (isEmbedded) {
      await api.call('cancelAgent', { params: { id } });
      screen.note(`The run is cancelled. \`trawl agent status ${id}\` shows what it has found.`);
    } else
      screen.note(`The run goes on. \`trawl agent follow ${id}\` waits for it, \`trawl agent cancel ${id}\` ends it.`);
    return undefined;
  }
}
