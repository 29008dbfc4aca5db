// Runs a command of the program in the test's own process: what was typed goes in, what was printed comes out.
import type { CommandBody, Invocation } from '../../src/cli/command.ts';
import { findCommand } from '../../src/cli/find-command.ts';
import type { LocalTools } from '../../src/cli/local-tools.ts';
import { commandFlags } from '../../src/cli/parse/command-flags.ts';
import { readArguments } from '../../src/cli/parse/read-arguments.ts';

export interface RunOptions {
  local?: Partial<LocalTools>;
  connect?: Invocation['connect'];
  isTerminal?: boolean;
}

export interface Ran {
  code: number | undefined;
  /** Lines of standard output. */
  lines: string[];
  notes: string[];
}

/** Throws what the command throws. */
export async function runCommand(
  name: string,
  command: CommandBody,
  typed: string[],
  options: RunOptions = {},
): Promise<Ran> {
  const found = await findCommand([name, ...typed], [{ name, summary: name, load: async () => command }]);
  const parsed = readArguments(found.rest, await commandFlags(found.command));
  const lines: string[] = [];
  const notes: string[] = [];
  const code = await found.command.run!({
    ...parsed,
    table: [],
    local: options.local as LocalTools,
    connect: options.connect ?? (() => Promise.reject(new Error('This command should need no service.'))),
    signal: new AbortController().signal,
    screen: {
      isTerminal: options.isTerminal ?? false,
      width: 80,
      json: parsed.flags.json === true,
      print: (text) => void lines.push(...text.split('\n')),
      printBytes: (bytes) => void lines.push(Buffer.from(bytes).toString('latin1')),
      note: (sentence) => void notes.push(sentence),
      progress: () => ({ update() {}, end() {} }),
    },
  });
  return { code, lines, notes };
}
