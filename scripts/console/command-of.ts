// The command of the command line that makes a call, and its flags as the command line itself reads them.
import type { CommandBody } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands/commands.ts';
import { commandFlags } from '../../src/cli/parse/command-flags.ts';
import type { CliCommand, CliFlag } from '../../web/console/playground/snippets/cli.ts';

export async function commandOf(call: string): Promise<CliCommand> {
  for (const { name, load } of COMMANDS) {
    const body = await load();
    if (body.call === call) return { words: [name], flags: await flagsOf(body) };
    const below = body.commands?.find((command) => command.call === call);
    if (below) return { words: [name, below.name], flags: await flagsOf(below) };
  }
  throw new Error(`No command makes the call ${call}.`);
}

async function flagsOf(command: CommandBody): Promise<CliFlag[]> {
  return (await commandFlags(command)).flatMap(
    ({ name, path, type, isSwitch, choices, acceptsText, acceptsObjects }): CliFlag[] =>
      path
        ? [
            {
              ...{ name, path, type },
              ...(isSwitch && { isSwitch: true }),
              ...(choices && { choices }),
              ...(acceptsText && { acceptsText }),
              ...(acceptsObjects && { acceptsObjects }),
            },
          ]
        : [],
  );
}
