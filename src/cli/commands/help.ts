// `trawl help`, `trawl help crawl pause`, `trawl help settings`
import type { CommandBody } from '../command.ts';
import { findCommand } from '../find-command.ts';
import { commandHelp, programHelp } from '../help/help.ts';
import { settingsHelp } from '../help/settings-help.ts';
import { commandFlags } from '../parse/command-flags.ts';

export const help: CommandBody = {
  usage: '[COMMAND]',
  examples: ['trawl help scrape', 'trawl help scrape --all', 'trawl help settings'],
  async run({ args, flags, table, local, screen }) {
    if (args.length === 0) screen.print(programHelp(table));
    else if (args[0] === 'settings') screen.print(settingsHelp(await local.settings()));
    else {
      const { name, summary, command } = await findCommand(args, table);
      const described = { name, summary, command, flags: await commandFlags(command) };
      screen.print(commandHelp(described, { all: flags.all === true }));
    }
    return undefined;
  },
};
