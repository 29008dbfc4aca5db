// `status` and `follow`, which agents and extractions share.
import type { Command, Invocation, ServiceSession } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needRunning } from '../jobs/needs-service.ts';
import { onlyOne } from '../parse/count-arguments.ts';
import { DATA_OUTPUT_FLAG, type EndedRun, printRun, SOURCES_FLAG } from './print-run.ts';

interface RunKind {
  /** The command above these two. */
  command: string;
  /** With its article: `an extraction`. */
  noun: string;
  read(session: ServiceSession, id: string, signal: AbortSignal): Promise<EndedRun>;
  /** Waits for the end and prints the data. */
  show(id: string, session: ServiceSession, invocation: Invocation): Promise<number | undefined>;
}

export const RUN_FLAGS = { sources: SOURCES_FLAG, output: DATA_OUTPUT_FLAG };

export const runCommands = ({ command, noun, read, show }: RunKind): Command[] => [
  {
    name: 'status',
    summary: `Show the state and the data of ${noun}, without waiting`,
    usage: 'ID',
    flags: RUN_FLAGS,
    async run(invocation) {
      const { args, screen, signal } = invocation;
      const id = onlyOne(args, `trawl ${command} status ID`);
      const state = await read(await invocation.connect(), id, signal);
      if (state.status !== 'processing') return printRun(state, invocation);
      screen.print(screen.json ? JSON.stringify(state, undefined, 2) : 'processing');
      return EXIT.ok;
    },
  },
  {
    name: 'follow',
    summary: `Wait for ${noun}, and print its data`,
    usage: 'ID',
    flags: RUN_FLAGS,
    async run(invocation) {
      const id = onlyOne(invocation.args, `trawl ${command} follow ID`);
      const session = await invocation.connect();
      const { status } = await read(session, id, invocation.signal);
      if (status === 'processing') needRunning(session, 'Nothing works on this run: there is no running service.');
      return show(id, session, invocation);
    },
  },
];
