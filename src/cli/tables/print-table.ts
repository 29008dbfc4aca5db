// Prints a list or the facts of an answer: the answer itself with --json, else a table.
import type { Screen } from '../command.ts';
import { type Cell, factsText, tableText } from './table.ts';

/** On a terminal, rows are cut to its width; into a pipe they are whole. */
const widthOf = ({ isTerminal, width }: Screen): number | undefined => (isTerminal ? width : undefined);

export function printFacts(screen: Screen, answer: unknown, facts: Readonly<Record<string, Cell>>): void {
  screen.print(screen.json ? JSON.stringify(answer, undefined, 2) : factsText(facts));
}

export function printTable(
  screen: Screen,
  answer: unknown,
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): void {
  if (screen.json) screen.print(JSON.stringify(answer, undefined, 2));
  else if (rows.length === 0) screen.note(empty);
  else screen.print(tableText([titles, ...rows], widthOf(screen)));
}
