// Reads what was typed after a command: arguments, the body of its call, and flags of the command itself.
import { parseArgs } from 'node:util';
import type { FlagValue, Invocation } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { readValue } from './flag-value.ts';
import type { ResolvedFlag } from './resolved-flag.ts';
import { suggest } from './suggest.ts';

export type Parsed = Pick<Invocation, 'args' | 'body' | 'flags'>;

export function readArguments(typed: readonly string[], known: readonly ResolvedFlag[]): Parsed {
  const byName = new Map(known.map((flag) => [flag.name, flag]));
  const options = Object.fromEntries(
    known.map(({ name, short, isSwitch }) => [
      name,
      { type: isSwitch ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  // Not strict: its own errors do not say which flag was meant.
  const { tokens } = parseArgs({ args: [...typed], options, strict: false, allowPositionals: true, tokens: true });
  const parsed = { args: [] as string[], body: {}, flags: {} as Record<string, FlagValue> };
  for (const token of tokens) {
    if (token.kind === 'positional') parsed.args.push(token.value);
    if (token.kind !== 'option') continue;
    const { flag, value } = readOption(token, byName);
    store(parsed, flag, value);
  }
  return parsed;
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function readOption({ name, rawName, value, inlineValue }: OptionToken, byName: ReadonlyMap<string, ResolvedFlag>) {
  const negated = name.startsWith('no-') ? byName.get(name.slice(3)) : undefined;
  const flag = byName.get(name);
  if (!flag && negated?.isSwitch && value === undefined) return { flag: negated, value: false };
  if (!flag) throw unknownFlag(rawName, [...byName.keys()]);
  if (value === undefined && flag.isSwitch) return { flag, value: true };
  // `--limit --json` forgot the number. A value that begins with a dash is written `--flag=-value`.
  const isForgotten = value === undefined || (!inlineValue && /^-(?!\d|$)/.test(value));
  if (isForgotten) throw new UsageError(`--${flag.name} needs a value.`);
  return { flag, value: readValue(flag, value) };
}

function unknownFlag(typed: string, known: readonly string[]): UsageError {
  const near = suggest(typed.replace(/^-+(no-)?/, ''), known);
  const hint = near === undefined ? 'See --help --all for every flag.' : `Did you mean --${near}?`;
  return new UsageError(`There is no flag ${typed}. ${hint}`);
}

function store(
  { body, flags }: { body: object; flags: Record<string, FlagValue> },
  flag: ResolvedFlag,
  value: FlagValue,
) {
  const path = flag.path ?? [flag.name];
  let target = (flag.path ? body : flags) as Record<string, unknown>;
  for (const name of path.slice(0, -1)) target = childOf(target, name);
  const name = path.at(-1)!;
  const before = target[name];
  target[name] = flag.type === 'list' && Array.isArray(before) ? [...before, ...[value].flat()] : value;
}

function childOf(target: Record<string, unknown>, name: string): Record<string, unknown> {
  const child = target[name];
  if (typeof child === 'object' && child !== null) return child as Record<string, unknown>;
  const made = {};
  target[name] = made;
  return made;
}
