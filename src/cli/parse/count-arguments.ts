// How many arguments a command takes.
import { UsageError } from '../usage-error.ts';

export function noMoreThan(most: number, args: readonly string[], usage: string): void {
  const extra = args[most];
  if (extra !== undefined) throw new UsageError(`'${extra}' is one argument too many. Usage: ${usage}`);
}

/** Exactly one. */
export function onlyOne(args: readonly string[], usage: string): string {
  noMoreThan(1, args, usage);
  const [only] = args;
  if (only === undefined || only === '') throw new UsageError(`Usage: ${usage}`);
  return only;
}
