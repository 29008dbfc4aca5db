// The help of the program and of each command. The short one fits a terminal of 24 lines with 80 columns.
import type { CommandBody, CommandEntry } from '../command.ts';
import { kebabCase, type ResolvedFlag } from '../parse/resolved-flag.ts';
import { cutRows, flagName, flagText, type HelpRow, shortText, WIDTH, wrap, wrappedRows } from './layout.ts';

const INDENT = '  ';
/** They are named below the list. */
const NOT_LISTED = ['completion', 'help', 'version', 'import', 'archives', 'sql', 'restore'];

export function programHelp(commands: readonly CommandEntry[]): string {
  const rows = commands
    .filter(({ name }) => !NOT_LISTED.includes(name))
    .map(({ name, summary }): HelpRow => [name, summary]);
  return [
    'Usage: trawl COMMAND [FLAGS]     Without a command: trawl serve',
    ...cutRows(rows),
    'Also: trawl sql (pages), import and archives (of the web), restore (a backup).',
    'Everywhere: --json, --quiet, --url URL (TRAWL_URL), --key KEY (TRAWL_API_KEY).',
    'Without a running service, a command starts one for itself.',
    'More: trawl COMMAND --help, trawl help settings, trawl completion bash|zsh|fish',
  ].join('\n');
}

export interface DescribedCommand {
  /** With the commands above it: `crawl pause`. */
  name: string;
  summary: string;
  command: CommandBody;
  flags: readonly ResolvedFlag[];
}

export function commandHelp(described: DescribedCommand, { all }: { all: boolean }): string {
  const { name, summary, command, flags } = described;
  const shown = all ? flags.filter(({ isGeneral }) => !isGeneral) : commonFlags(command, flags);
  const flagRows = shown.map((flag): HelpRow => [flagName(flag), all ? flagText(flag) : shortText(flag)]);
  const rows = all ? wrappedRows : cutRows;
  return [
    usageLine(name, command),
    ...wrap(summary, WIDTH),
    ...section('Commands:', commandLines(command, { all })),
    ...section('Flags:', rows(flagRows)),
    ...(all ? section('Everywhere:', wrappedRows(generalRows(flags))) : []),
    ...section(
      'Examples:',
      (command.examples ?? []).map((example) => `  ${example}`),
    ),
    ...footer(name, shown.length, flags, all),
  ].join('\n');
}

/** In the short help of a command that has flags of its own as well, there is only room for the names. */
function commandLines({ commands = [], run }: CommandBody, { all }: { all: boolean }): string[] {
  if (run && !all && commands.length > 0) {
    const names = commands.map(({ name }) => name).join(', ');
    return wrap(`${names} (each has its --help)`, WIDTH - INDENT.length).map((line) => `${INDENT}${line}`);
  }
  const rows = commands.map((each): HelpRow => [`${each.name} ${each.usage ?? ''}`.trim(), each.summary]);
  return all ? wrappedRows(rows) : cutRows(rows);
}

function usageLine(name: string, { usage, commands, run }: CommandBody): string {
  const words = ['trawl', name, ...(run ? [usage ?? ''] : []), ...(commands && !run ? ['COMMAND'] : []), '[FLAGS]'];
  return `Usage: ${words.filter((word) => word !== '').join(' ')}`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** Flags of the command itself, then those of its contract that it names as common. */
function commonFlags({ common = [] }: CommandBody, flags: readonly ResolvedFlag[]): ResolvedFlag[] {
  const own = flags.filter(({ path, isGeneral }) => path === undefined && !isGeneral);
  const named = common.flatMap((field) => flags.find(({ path, name }) => path && name === kebabCase(field)) ?? []);
  return [...named, ...own];
}

const generalRows = (flags: readonly ResolvedFlag[]): HelpRow[] =>
  flags.filter(({ isGeneral }) => isGeneral).map((flag) => [flagName(flag), flag.text]);

function footer(name: string, shown: number, flags: readonly ResolvedFlag[], all: boolean): string[] {
  const more = flags.filter(({ isGeneral }) => !isGeneral).length - shown;
  return all || more <= 0 ? [] : ['', `${more} more flags: trawl ${name} --help --all`];
}
