// The words that a shell can complete, for every command and those below it.
import type { Command, CommandBody, CommandEntry } from '../command.ts';
import { commandFlags } from '../parse/command-flags.ts';
import type { ResolvedFlag } from '../parse/resolved-flag.ts';

export interface CommandWords {
  /** As it is typed: `crawl pause`; empty for the program itself. */
  path: string;
  commands: readonly { name: string; summary: string }[];
  flags: readonly FlagWords[];
}

export interface FlagWords {
  /** With dashes. */
  names: readonly string[];
  /** The next word is its value. */
  takesValue: boolean;
  choices: readonly string[];
  text: string;
}

export async function describeWords(table: readonly CommandEntry[]): Promise<CommandWords[]> {
  const described = await Promise.all(table.map(async ({ name, load }) => wordsOf(name, await load())));
  const top = { path: '', commands: table.map(({ name, summary }) => ({ name, summary })), flags: [] };
  return [top, ...described.flat()];
}

async function wordsOf(path: string, command: CommandBody): Promise<CommandWords[]> {
  const flags = (await commandFlags(command)).filter(({ isNested }) => !isNested).map(flagWords);
  const commands = (command.commands ?? []).map(({ name, summary }) => ({ name, summary }));
  const below = await Promise.all((command.commands ?? []).map((sub: Command) => wordsOf(`${path} ${sub.name}`, sub)));
  return [{ path, commands, flags }, ...below.flat()];
}

const flagWords = ({ name, short, path, type, isSwitch, choices = [], text }: ResolvedFlag): FlagWords => ({
  names: [
    `--${name}`,
    ...(isSwitch && type === 'boolean' && path ? [`--no-${name}`] : []),
    ...(short ? [`-${short}`] : []),
  ],
  takesValue: !isSwitch,
  choices,
  text: text.split(/(?<=\.)\s/)[0]!,
});
