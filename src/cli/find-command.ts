// Finds the command that was typed, in the table and below it.
import type { CommandBody, CommandEntry } from './command.ts';
import { suggest } from './parse/suggest.ts';
import { UsageError } from './usage-error.ts';

export interface FoundCommand {
  /** As it is typed: `crawl pause`. */
  name: string;
  summary: string;
  command: CommandBody;
  /** What follows it. */
  rest: readonly string[];
}

export async function findCommand(typed: readonly string[], table: readonly CommandEntry[]): Promise<FoundCommand> {
  const [name = '', ...rest] = typed;
  const entry = table.find((each) => each.name === name);
  if (!entry) throw unknownCommand(name, table);
  const command = await entry.load();
  return below({ name, summary: entry.summary, command, rest });
}

/** `trawl crawl pause ID`: a word right behind the command may name one below it. */
function below(found: FoundCommand): FoundCommand {
  const { name, command, rest } = found;
  const [word, ...more] = rest;
  const sub = command.commands?.find((each) => each.name === word);
  if (sub) return below({ name: `${name} ${sub.name}`, summary: sub.summary, command: sub, rest: more });
  if (command.commands && word === 'help') return { ...found, rest: ['--help', ...more] };
  if (!command.run && word !== undefined && !word.startsWith('-')) {
    throw unknownCommand(word, command.commands ?? [], name);
  }
  return found;
}

function unknownCommand(typed: string, known: readonly { name: string }[], above = ''): UsageError {
  const start = above === '' ? 'trawl' : `trawl ${above}`;
  const near = suggest(
    typed,
    known.map(({ name }) => name),
  );
  const hint = near === undefined ? `See: ${start} --help` : `Did you mean ${near}?`;
  return new UsageError(`There is no command '${start} ${typed}'. ${hint}`);
}
